/** All that a chat tells: for wrappers, which listen to each of them, and for whoever listens for one that there is not. */
import type { Events } from './parley.js';

export const eventNames = [
  'ready',
  'open',
  'close',
  'message',
  'unread',
  'conversation',
  'status',
  'action',
  'identify',
  'error',
] as const satisfies readonly (keyof Events)[];

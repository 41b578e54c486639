/** The way to the other doors, which every page has. It does not know how files are fetched. */
import doors from 'virtual:parley-doors';
import { createLoader } from './loader.js';

/** What lies behind each door. */
interface Doors {
  front: typeof import('./stage.js');
  window: typeof import('../ui/app.js');
  engine: typeof import('./chat.js');
}

export const createDoors = (base: string, nonce: string | undefined) =>
  createLoader<Doors>(doors, base, nonce);

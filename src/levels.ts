/** How much of a visitor may be kept, from the least to the most. */
import type { Level } from './parley.js';

export const LEVELS: readonly Level[] = ['memory', 'session', 'persistent'];

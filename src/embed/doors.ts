/** What lies behind each door, and the names of the files. It does not know how they are fetched. */
import type { createLoader } from '../loader.js';

export { default as doors } from 'virtual:parley-doors';

export interface Behind {
  front: typeof import('./stage.js');
  window: typeof import('../ui/app.js');
  engine: typeof import('../chat.js');
}

export type Doors = ReturnType<typeof createLoader<Behind>>;

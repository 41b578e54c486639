/** Twelve of the hostile pages in the engines that are installed beside Chromium; test/run.mjs says which are not. */
import { describe } from 'vitest';
import { everywhere } from '../support/hostile/pages.js';
import { visitAll } from '../support/hostile/round.js';
import { engines } from '../system.mjs';

const found = engines();

for (const name of ['firefox', 'webkit'] as const)
  if (found[name]) describe(name, () => visitAll(name, everywhere));

/** Every hostile page in Chromium. */
import { pages } from '../support/hostile/pages.js';
import { visitAll } from '../support/hostile/round.js';

/** `HOSTILE_PAGES=quirks,xhtml npx vitest run --project long test/long/hostile.test.ts` visits these alone. */
const wanted = process.env.HOSTILE_PAGES?.split(',');

visitAll(
  'chromium',
  pages.filter(({ name }) => wanted?.includes(name) ?? true),
);

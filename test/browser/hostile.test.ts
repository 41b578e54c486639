/** Fifteen of the hostile pages, with all that a visitor does there; `npm run test:long` visits all of them. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { journeys } from '../support/hostile/page.js';
import { everyday, pages } from '../support/hostile/pages.js';
import { visitAll } from '../support/hostile/round.js';

test('the README says how many there are, and what is missing on which', async () => {
  expect(new Set(pages.map(({ name }) => name)).size).toBe(pages.length);
  expect(journeys).toHaveLength(8);
  const readme = (await readFile(new URL('../../README.md', import.meta.url), 'utf8')).replace(/\s+/g, ' ');
  expect(readme).toContain(` ${pages.length} such pages `);
  const unsaid = pages.filter(({ degrades }) => degrades && !readme.includes(`- ${degrades} `));
  expect(unsaid.map(({ name }) => name)).toEqual([]);
  // The other way round: nothing is said that no page shows.
  const [, section = ''] = /## On difficult pages(.*?)## /.exec(readme) ?? [];
  const said = section.split(' - ').slice(1).length;
  expect(said).toBe(new Set(pages.flatMap(({ degrades }) => degrades ?? [])).size);
});

visitAll('chromium', everyday);

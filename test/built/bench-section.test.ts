import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { wholeBytes } from '../bench/ours.js';
import { peers } from '../bench/peers/index.js';
import { type Results, readmeFile, resultsFile, sectionOf } from '../bench/report.js';

const results: Results = JSON.parse(readFileSync(resultsFile, 'utf8'));

test('the README tells what the last bench found, and nothing else', () => {
  expect(readFileSync(readmeFile, 'utf8')).toContain(sectionOf(results));
});

test('nobody is left out of the bench in silence', () => {
  const told = results.candidates.filter(({ absent, figures }) => absent || Object.keys(figures).length);
  expect(told.map(({ name }) => name)).toEqual(expect.arrayContaining(peers.map(({ name }) => name)));
});

test('what it weighed is within three hundredths of what there is now: else run it again (npm run bench)', () => {
  expect(Math.abs(wholeBytes() / results.wholeBytes - 1)).toBeLessThanOrEqual(0.03);
});

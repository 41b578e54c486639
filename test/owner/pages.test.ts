import { expect, test } from 'vitest';
import { fits } from '../../src/owner/pages.js';

test.each([
  ['/help/*', '/help/boots', true],
  ['/help/*', '/shop', false],
  ['!/checkout', '/shop', true],
  ['/help/*, !/help/old', '/help/old', false],
  ['/über-uns/*', new URL('https://a.example/über-uns/wir').pathname, true],
  ['!/kasse-für-alle', new URL('https://a.example/kasse-für-alle').pathname, false],
  ['/%C3%BCber-uns', '/%C3%BCber-uns', true],
])('with %j the chat on %j is shown: %s', (patterns, path, shown) => {
  expect(fits(patterns, path)).toBe(shown);
});

/** What is copied, saved and spoken of an agent's words has every word that is shown of them. */
import { expect, test } from 'vitest';
import { plainWords } from '../../src/content/plain-words.js';
import { spentMs } from '../support/spent.js';

test.each([
  ['```SELECT * FROM orders\nWHERE id = 7```', 'SELECT * FROM orders\nWHERE id = 7'],
  ['```npm install parley\n```', 'npm install parley'],
  [
    'Run:\n```npm run build && npm test\nnpm start\n```\nand tell us',
    'Run:\nnpm run build && npm test\nnpm start\nand tell us',
  ],
  ['~~~ Happy Holidays ~~~\nThanks, Ann', '~ Happy Holidays ~\nThanks, Ann'],
  ['```sh\nnpm start\n```', 'npm start'],
  ['Hello\\\nWorld', 'Hello\nWorld'],
  ['![](https://x.example/logo.png)', 'https://x.example/logo.png'],
  ['```\na \\\nb\n```', 'a \\\nb'],
  ['``` c++ \nint a;\n```\nLike this', 'int a;\nLike this'],
  ['Please bring [papers](passport or ID card).', 'Please bring [papers](passport or ID card).'],
  ['See [papers](<https://x.example/a>) and [more](/b)', 'See papers (https://x.example/a) and more (/b)'],
])('%j is all there', (text, words) => {
  expect(plainWords(text)).toBe(words);
});

test('words without end are done with at once', () => {
  const spent = spentMs(() => {
    for (const unit of [
      '*',
      '_',
      '**a',
      '[',
      '`',
      '[a](',
      '~~',
      '```\n',
      '~~~\n',
      'a`',
      'a`b``c```',
      '`\n',
      '|',
      '| ',
      '|-',
      '-',
      '- :',
      '|a\n|-\n',
      '|\n',
      '|-|\n',
      'https://x.',
    ])
      plainWords(unit.repeat(150_000 / unit.length));
  });
  expect(spent).toBeLessThan(2_000);
});

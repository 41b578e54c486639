// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { documentOf, textOf } from '../../src/export/document.js';
import { english as en } from '../../src/text/english.js';
import { createSay } from '../../src/text/text.js';

test('a text and a document say of which conversation they are, with whom, and on which page', () => {
  const now = new Date(2025, 2, 3, 10, 31).getTime();
  const title = 'Lamps\u202e &\n<b>Sons</b>';
  const paper = { rows: [], say: createSay('en', en), locale: 'en', now, number: 12, title };
  const head = [
    'Conversation 12',
    `Lamps & <b>Sons</b>, ${location.hostname}`,
    'Document created on March 3, 2025',
  ];
  expect(textOf(paper)).toBe(`${head.join('\n')}\n`);
  const page = documentOf(paper, true);
  expect([...page.querySelectorAll('header > *')].map((one) => one.textContent)).toEqual(head);
});

// @vitest-environment happy-dom
// @vitest-environment-options { "url": "https://www.host.example/" }
/** What becomes of a message's words: markdown for the other side's, links alone for the visitor's own. */
import { cleanup, fireEvent, render, waitFor, within } from '@testing-library/preact';
import { afterEach, expect, test } from 'vitest';
import { createFront } from '../../src/state/front.js';
import { Content } from '../../src/ui/content.js';
import { SurroundingsProvider } from '../../src/ui/context.js';
import { addresses } from '../content/addresses.js';
import { surroundings } from '../support/surroundings.js';

afterEach(cleanup);

function show(words: string, marked: boolean): HTMLElement {
  const chat = createFront({ baseUrl: 'https://support.example', inboxIdentifier: 'inbox' }).chat;
  const { container } = render(
    <SurroundingsProvider value={surroundings(chat)}>
      <Content words={words} marked={marked} />
    </SurroundingsProvider>,
  );
  return container as HTMLElement;
}

test.each([
  ['*a* **b**', '<em>a</em> <strong>b</strong>'],
  ['~~a~~ `b`', '<del>a</del> <code>b</code>'],
  ['<img src=x>', '&lt;img src=x&gt;'],
])('the other side writes %j', (words, inner) => {
  expect(show(words, true).innerHTML).toBe(`<p class="content" dir="auto">${inner}</p>`);
});

test('the visitor writes what they write', () => {
  expect(show('*a* <b> https://shop.example/', false).textContent).toBe('*a* <b> https://shop.example/');
  expect(show('*a* https://shop.example/', false).querySelectorAll('a, em')).toHaveLength(1);
});

test.each([
  ['👍', true],
  ['👍🏽❤️🎉', true],
  ['👨‍👩‍👧‍👦', true],
  ['🇳🇴', true],
  ['Great 🎉', false],
  ['12', false],
  ['🎉'.repeat(9), false],
])('a few emoji and nothing else are large: %s is %s', (words, large) => {
  expect(show(words, true).querySelector('.big') !== null).toBe(large);
});

test('blocks are blocks', () => {
  const html = show('Dear you,\n- a\n- b\n\n> c\n\n```js\nd\n```\n3. e', true).firstElementChild?.innerHTML;
  expect(html).toBe(
    '<p>Dear you,</p><ul dir="auto"><li>a</li><li>b</li></ul>' +
      '<blockquote dir="auto"><p>c</p></blockquote><pre dir="ltr"><code>d</code></pre>' +
      '<ol dir="auto" start="3"><li>e</li></ol>',
  );
});

const hashes = Array.from({ length: 90 }, (_, i) => `# __${i}__ *is* not a heading`);
const long = Array.from({ length: 90 }, (_, i) => `${'    - a_b_c = `x`;'.repeat(1 + (i % 4))} // ${i}`);

test.each([
  ['more lines than a part', '```py', hashes, '```'],
  ['more characters than a part', '~~~', long, '~~~~'],
  [
    'the other marks and blank lines within',
    '  ````md',
    ['', '```', '~~~', ...hashes, '', ...long],
    '  ````',
  ],
  ['no end', '```', long, undefined],
  ['in a list', '- ```c++', hashes.map((line) => `  ${line}`), '  ```'],
])(
  'code that the parts of a long text cut stays code, and its lines stay whole: %s',
  async (...[, begin, code, end]) => {
    const after = end ? [end, '', 'And **then**'] : [];
    const shown = show(['```', 'a', '```', 'So:', begin, ...code, ...after].join('\n'), true);
    fireEvent.click(within(shown).getByRole('button', { name: 'Show all' }));
    await waitFor(() => expect(within(shown).queryByRole('button')).toBeNull());
    const blocks = [...shown.querySelectorAll('pre')].map(({ textContent }) => textContent);
    expect(blocks.length).toBeGreaterThan(2);
    // The first part is still in its list, and its lines begin there.
    const begun = (lines: readonly (string | null)[]) => lines.join('\n').replaceAll(/^ {2}#/gm, '#');
    expect(begun(blocks)).toBe(begun(['a', ...code]));
    expect([...shown.querySelectorAll('strong, em')].map(({ textContent }) => textContent)).toEqual(
      end ? ['then'] : [],
    );
  },
);

test.each([
  ['more lines than a part', Array.from({ length: 90 }, (_, i) => `| ${i} | *b* |`)],
  ['more characters than a part', Array.from({ length: 90 }, (_, i) => `| ${i} | ${'word '.repeat(20)}|`)],
])('a table that the parts of a long text cut has its head in each: %s', async (_, lines) => {
  const shown = show(
    ['**Prices**', '', '| n | what |', '|--:|---|', ...lines, '', 'Thank you'].join('\n'),
    true,
  );
  fireEvent.click(within(shown).getByRole('button', { name: 'Show all' }));
  await waitFor(() => expect(within(shown).queryByRole('button')).toBeNull());
  const tables = within(shown).getAllByRole('table');
  expect(tables.length).toBeGreaterThan(1);
  for (const table of tables)
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual(['n', 'what']);
  const numbers = [...shown.querySelectorAll('td:first-child')].map(({ textContent }) => Number(textContent));
  expect(numbers).toEqual(lines.map((_, i) => i));
  expect(shown.textContent).not.toContain('|');
});

const table = ['| lamp | height |', '|---|---|', '| c | d |', '| e | f |'];
// By its lines after the words, after the head and after what is below it; by its letters at any of theirs.
const byLines = Array.from({ length: 6 }, (_, i) => Array.from({ length: 35 + i }, () => 'word').join('\n'));
const byLetters = Array.from({ length: 60 }, (_, i) => `${'word '.repeat(388)}${'x'.repeat(i)}`);

test.each([...byLines, ...byLetters])(
  'wherever a part ends around the head of a table, it is one',
  async (before) => {
    const shown = show([before, ...table, '', 'x '.repeat(200)].join('\n'), true);
    fireEvent.click(within(shown).getByRole('button', { name: 'Show all' }));
    await waitFor(() => expect(within(shown).queryByRole('button')).toBeNull());
    expect(shown.textContent).not.toContain('|');
    expect([...shown.querySelectorAll('td')].map(({ textContent }) => textContent).join('')).toBe('cdef');
    for (const one of within(shown).getAllByRole('table')) expect(one.textContent).toMatch(/^lampheight/);
  },
);

test.each([
  ['with another number of marks than of heads', '| a | b | c |\n|---|---|'],
  ['longer than is repeated', `| ${'a'.repeat(600)} | b |\n|---|---|`],
])('what begins as a table %s is not said twice', async (_, head) => {
  const lines = Array.from({ length: 90 }, (_, i) => `| ${i} | b |`);
  const shown = show([head, ...lines].join('\n'), true);
  fireEvent.click(within(shown).getByRole('button', { name: 'Show all' }));
  await waitFor(() => expect(within(shown).queryByRole('button')).toBeNull());
  expect(shown.textContent?.match(/a+/g)).toHaveLength(1);
});

test('a table says to whoever comes to it what it is about, and its columns stand where they are meant to', () => {
  const html = show('| a | **b** |\n|---|--:|\n| c | https://shop.example/ |', true).firstElementChild
    ?.innerHTML;
  expect(html).toBe(
    '<figure dir="auto" aria-label="a, b" tabindex="0"><table>' +
      '<tr><th>a</th><th align="right"><strong>b</strong></th></tr>' +
      '<tr><td>c</td><td align="right"><a href="https://shop.example/" target="_blank" ' +
      'rel="noopener noreferrer nofollow ugc">https://shop.example/</a></td></tr></table></figure>',
  );
});

test('a text with code that fits into one part is one', () => {
  expect(show('```\na b\nc d', true).innerHTML).toBe(
    '<div class="content blocks" dir="auto"><pre dir="ltr"><code>a b\nc d</code></pre></div>',
  );
});

test('marks of code in words of the visitor are words, however long', () => {
  const shown = show(`\`\`\`\n${hashes.join('\n')}`, false);
  fireEvent.click(within(shown).getByRole('button', { name: 'Show all' }));
  return waitFor(() => {
    expect(within(shown).queryByRole('button')).toBeNull();
    expect([...shown.querySelectorAll('p')].map((p) => p.textContent).join('\n')).toBe(
      `\`\`\`\n${hashes.join('\n')}`,
    );
  });
});

test.each([
  ['[our shop](https://shop.example/)', 'our shop', 'https://shop.example/'],
  ['[bank.example](https://evil.example/)', 'bank.example (evil.example)', 'https://evil.example/'],
  [
    '![](https://shop.example/a/my%20sig.png?h=24px)',
    'my sig.png (shop.example)',
    'https://shop.example/a/my%20sig.png?h=24px',
  ],
  [
    '![](https://evil.example/%E2%80%AEbank.example)',
    'bank.example (evil.example)',
    'https://evil.example/%E2%80%AEbank.example',
  ],
  ['![](https://shop.example/a)', 'https://shop.example/a', 'https://shop.example/a'],
  ['![](javascript:a.png)', 'javascript:a.png', undefined],
  ['[](mailto:a@shop.example)', 'mailto:a@shop.example', 'mailto:a@shop.example'],
  ['[a](javascript:alert(1))', 'a (javascript:alert(1))', undefined],
  ['[a](https://user@evil.example/)', 'a (https://user@evil.example/)', undefined],
  ['<https://shop.example/>', 'https://shop.example/', 'https://shop.example/'],
  ['[a \u202e b](https://shop.example/)', 'a \u202e b (https://shop.example/)', undefined],
  ['**https://shop.example/**', 'https://shop.example/', 'https://shop.example/'],
])('%j reads %j and leads to %s', (words, reads, leads) => {
  const shown = show(words, true);
  expect(shown.textContent).toBe(reads);
  expect(shown.querySelector('a')?.getAttribute('href') ?? undefined).toBe(leads);
});

test('of six hundred addresses only the allowed can be clicked, in words and as the aim of a link', () => {
  for (const { text, leads } of addresses) {
    for (const [words, marked] of [
      [text, false],
      [text, true],
      [`[here](<${text}>)`, true],
      [`[here](${text})`, true],
      [`<${text}>`, true],
    ] as const) {
      const links = [...show(words, marked).querySelectorAll('a')];
      for (const link of links) {
        expect([leads, text], JSON.stringify(words)).toContain(link.getAttribute('href'));
        expect(link.target).toBe('_blank');
        expect(link.rel).toBe('noopener noreferrer nofollow ugc');
      }
      if (!leads) expect(links, JSON.stringify(words)).toEqual([]);
      cleanup();
    }
    if (leads) expect(show(text, false).querySelector('a')?.getAttribute('href')).toBe(leads);
    cleanup();
  }
});

test('a part of a long text does not begin with the space before it, and a few words more are no part', async () => {
  const words = 'word '.repeat(420).trim();
  expect(words.length).toBeGreaterThan(2_050);
  expect(within(show(words, false)).queryByRole('button')).toBeNull();
  cleanup();
  const shown = show(`${words} ${words}`, false);
  fireEvent.click(within(shown).getByRole('button', { name: 'Show all' }));
  await waitFor(() => expect(within(shown).queryByRole('button')).toBeNull());
  const parts = [...shown.querySelectorAll('.content')].map(({ textContent }) => textContent ?? '');
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.filter((part) => /^ /.test(part))).toEqual([]);
  expect(parts.join(' ')).toBe(`${words} ${words}`);
});

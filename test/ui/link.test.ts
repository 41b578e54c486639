/** Six hundred addresses and more: only the allowed are links, and a link is shown as where it goes. */
import { describe, expect, test } from 'vitest';
import { type Link, linkTo, misleads, webAddress } from '../../src/content/link.js';
import { linkify, mayLink } from '../../src/content/linkify.js';
import { addresses } from '../content/addresses.js';
import { spentMs } from '../support/spent.js';

const PAGE = 'www.host.example';
const links = (text: string, budget = 200) => {
  const pieces = mayLink(text) ? linkify(text, PAGE, { links: budget }) : [text];
  return pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece]));
};
const shown = (text: string) =>
  linkify(text, PAGE, { links: 200 })
    .map((piece) => (typeof piece === 'string' ? piece : `<${piece.shown}>`))
    .join('');
const good = (address: string): Link & { ok: true } => {
  const link = linkTo(address, PAGE);
  if (!link.ok) throw new Error(`${address} is refused: ${link.why}`);
  return link;
};

test('of the addresses only the allowed lead anywhere, and where they say', () => {
  expect(addresses.length).toBeGreaterThanOrEqual(600);
  expect(new Set(addresses.map(({ text }) => text)).size).toBe(addresses.length);
  for (const { text, leads } of addresses) {
    const link = mayLink(text) ? linkTo(text, PAGE) : undefined;
    expect(link?.ok ? link.href : undefined, JSON.stringify(text)).toBe(leads);
  }
});

test('found in a sentence they lead to the same, and a bad one leads nowhere', () => {
  const parts: string[] = [];
  for (const { text, leads } of addresses) {
    const found = links(`See ${text} there`).map(({ href }) => href);
    if (leads) expect(found, JSON.stringify(text)).toEqual([leads]);
    else parts.push(...found);
  }
  // What a bad address holds that is a whole and good one by itself.
  expect(parts.sort()).toEqual([]);
});

test.each([
  ['https://a.example/ or https://b.example/.', '<https://a.example/> or <https://b.example/>.'],
  ['(https://a.example/b_(c))', '(<https://a.example/b_(c)>)'],
  ['"https://a.example/b",', '"<https://a.example/b>",'],
  ['www.a.example/b!', '<www.a.example/b>!'],
  ['Write to help@a.example.', 'Write to <help@a.example>.'],
  ['call tel:+493012345, please', 'call <tel:+493012345>, please'],
  ['请看https://a.example/b。谢谢', '请看<https://a.example/b>。谢谢'],
  ['https://пример.рф/a', '<https://xn--e1afmkfd.xn--p1ai/a>'],
  ['xhttps://a.example/', 'xhttps://a.example/'],
  ['blob:https://a.example/', 'blob:https://a.example/'],
  ['https://a.example/käse', 'https://a.example/käse'],
  ['“https://a.example” „https://b.example“', '“<https://a.example>” „<https://b.example>“'],
  ['«https://a.example»', '«<https://a.example>»'],
  ['https://a.example… https://b.example—see', '<https://a.example>… <https://b.example>—see'],
  ['https://a.example، ثم www.b.example؟', '<https://a.example>، ثم <www.b.example>؟'],
  ['https://a.example۔ https://b.example। ', '<https://a.example>۔ <https://b.example>। '],
  ['at https://a.example/anna_ and _so on_', 'at <https://a.example/anna_> and _so on_'],
  ['a.example/b', 'a.example/b'],
  ['@a.example', '@a.example'],
])('%s is shown as %s', (text, expected) => {
  expect(shown(text)).toBe(expected);
});

test('no more links than the budget, and ten thousand cost little', () => {
  const many = 'https://a.example/b '.repeat(10_000);
  expect(spentMs(() => expect(links(many)).toHaveLength(200))).toBeLessThan(1000);
});

test.each([
  'a',
  'a.',
  'a@',
  '@',
  'https://',
  'www.',
  'mailto:',
  'tel:',
  '(',
  ')',
  'https://a.example/(',
  'a@b.',
])('a text of nothing but %j is searched quickly', (unit) => {
  const text = unit.repeat(Math.ceil(150_000 / unit.length));
  links(text);
  expect(spentMs(() => links(text))).toBeLessThan(1000);
});

describe('what a link says', () => {
  test.each([
    ['our shop', 'https://evil.example/', false],
    ['shop.example', 'https://shop.example/a', false],
    ['www.shop.example', 'https://shop.example/a', false],
    ['https://shop.example/b', 'https://shop.example/a', false],
    ['help@shop.example', 'mailto:help@shop.example', false],
    ['shop.example', 'https://evil.example/', true],
    ['https://shop.example/', 'https://shop.example.evil.example/', true],
    ['Log in at shop.example now', 'https://evil.example/', true],
    ['ｓｈｏｐ．ｅｘａｍｐｌｅ', 'https://evil.example/', true],
    ['sh\u200bop.exam\u200bple', 'https://evil.example/', true],
    ['shop。example', 'https://evil.example/', true],
    ['shop . example', 'https://evil.example/', true],
    ['shop.\ufe0fexample', 'https://evil.example/', true],
    ['shop\u034f.example', 'https://evil.example/', true],
    ['shop.\u17b5example', 'https://evil.example/', true],
    ['shop\u180b.example', 'https://evil.example/', true],
    ['shop.\u{e0100}example', 'https://evil.example/', true],
    ['shop.\u0323example', 'https://evil.example/', true],
    ['shopꓸexample', 'https://evil.example/', true],
    ['shop܂example', 'https://evil.example/', true],
    ['हिन्दी लिंक', 'https://shop.example/', false],
    ['la nostra col·lecció', 'https://shop.example/', false],
    ['help@shop.example', 'mailto:help@evil.example', true],
    ['https://shop.example@evil.example', 'https://evil.example/', true],
    ['+49 30 1234567', 'tel:+49301234567', false],
    ['030 / 123 45 67', 'tel:+49301234567', false],
    ['+49 (0)30 1234567', 'tel:0301234567', false],
    ['0049 30 1234567', 'tel:+49-30-1234567', false],
    ['8 (800) 555-35-35', 'tel:+78005553535', false],
    ['+49 (030) 1234567 (Mon–Fri 9–17), ext. 12', 'tel:+49301234567', false],
    ['Call us, day and night', 'tel:+49301234567', false],
    ['+49 30 1234567', 'tel:+19005551234', true],
    ['+49 30 1234567', 'tel:67', true],
  ])('%j to %s misleads: %s', (words, address, expected) => {
    expect(misleads(words, good(address), PAGE)).toBe(expected);
  });
});

test('a host of one label is linked to only from itself', () => {
  expect(linkTo('http://localhost:3000/a', 'localhost').ok).toBe(true);
  expect(linkTo('http://localhost:3000/a', PAGE)).toEqual({ ok: false, why: 'host' });
  expect(linkTo('http://intranet/', 'localhost')).toEqual({ ok: false, why: 'host' });
});

test('the address of a file is http or https', () => {
  expect(webAddress('https://a.example/b.png', PAGE)).toBe('https://a.example/b.png');
  for (const address of [
    undefined,
    '',
    'mailto:a@b.example',
    'tel:+493012345',
    'data:image/png;base64,AA',
    'blob:https://a.example/b',
  ])
    expect(webAddress(address, PAGE)).toBe(undefined);
});

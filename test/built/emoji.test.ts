// @vitest-environment happy-dom
/** The emoji file as it is built: what it weighs, and that it works with the Preact it is lent. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createFront } from '../../src/state/front.js';
import { english as en } from '../../src/text/english.js';
import { surroundings } from '../support/surroundings.js';

const assets = join(import.meta.dirname, '../../dist/cdn/assets');

function built(): string {
  const files = readdirSync(assets).filter((file) => file.startsWith('emoji-'));
  if (files.length !== 1) throw new Error('There is not one emoji file: run "npm run build" first.');
  return join(assets, files[0] ?? '');
}

test('who wants an emoji pays at most 8 KB for code, table and looks, and 17 KB for names in their language', () => {
  const bytes = brotliCompressSync(readFileSync(built())).length;
  const names = readdirSync(assets).filter((file) => file.startsWith('names-'));
  const sizes = names.map((file) => brotliCompressSync(readFileSync(join(assets, file))).length);
  console.table({ emoji: bytes, languages: names.length, most: Math.max(...sizes) });
  expect(bytes).toBeLessThanOrEqual(7_995);
  expect(names).toHaveLength(readdirSync(join(import.meta.dirname, '../../src/text/locales')).length);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(17_200);
});

test('it carries no Preact, imports the kit alone and asks for nothing that a strict policy forbids', () => {
  const code = readFileSync(built(), 'utf8');
  expect(code.match(/\bimport\b[^;]*?from"[^"]*"/g)?.map((line) => /"(.*)"/.exec(line)?.[1])).toEqual([
    expect.stringMatching(/^\.\/kit-[\w-]+\.js$/),
  ]);
  expect(/__[kebc]\b|\beval\(|new Function|innerHTML/.test(code)).toBe(false);
});

test('with the Preact of the kit, it shows the picker', async () => {
  const emoji: typeof import('../../src/emoji/emoji.js') = await import(
    /* @vite-ignore */ pathToFileURL(built()).href
  );
  const [, kitName = ''] = /"\.\/(kit-[\w-]+\.js)"/.exec(readFileSync(built(), 'utf8')) ?? [];
  const { h, render, SurroundingsProvider }: typeof import('../../src/ui/kit.js') = await import(
    /* @vite-ignore */ pathToFileURL(join(assets, kitName)).href
  );
  expect(emoji.css).toContain('.emoji');
  const { chat } = createFront({ baseUrl: 'https://support.example', inboxIdentifier: 'inbox' });
  chat.keep('tone', 1);
  const picked: string[] = [];
  const picker = h(emoji.Emoji, { onPick: (one: string) => void picked.push(one), onClose() {} });
  render(h(SurroundingsProvider, { value: surroundings(chat) }, picker), document.body);
  expect(document.activeElement?.getAttribute('aria-label')).toBe(en.emojiSearch);
  document.querySelector<HTMLElement>('[aria-label="thumbs up"]')?.click();
  expect(picked).toEqual(['👍🏻']);
  expect(chat.recall('emoji')).toEqual(['👍🏻']);
});

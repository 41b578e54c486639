// @vitest-environment happy-dom
/** Emoji as people call them who do not speak English: how they are found, and what the picker says. */

import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, expect, test } from 'vitest';
import { makeNames } from '../../src/emoji/names-plugin.js';
import { Emoji } from '../../src/emoji/slot.js';
import { readTable } from '../../src/emoji/table.js';
import { createFront } from '../../src/state/front.js';
import { SurroundingsProvider } from '../../src/ui/kit.js';
import { surroundings } from '../support/surroundings.js';

configure({ asyncUtilTimeout: 30_000 });

const catalogues = readdirSync(join(import.meta.dirname, '../../src/text/locales')).map((file) =>
  basename(file, '.ts'),
);

afterEach(cleanup);

test('each of our languages has a name of its own for each emoji', () => {
  const english = readTable().groups.flat();
  for (const catalogue of catalogues) {
    const all = readTable(makeNames(catalogue), catalogue).groups.flat();
    expect(
      all.filter(({ lang }) => lang !== catalogue).map(({ emoji }) => emoji),
      catalogue,
    ).toEqual([]);
    expect(
      all.map(({ emoji }) => emoji),
      catalogue,
    ).toEqual(english.map(({ emoji }) => emoji));
    const same = all.filter(({ name }, i) => name === english[i]?.name).length;
    expect(same, `${catalogue} says as in English`).toBeLessThan(all.length / 3);
  }
});

test.each([
  ['de', 'Kaffee', '☕'],
  ['de', 'danke', '🙏'],
  ['de', 'TSCHÜSS', '👋'],
  ['de', 'thank', '🙏'],
  ['de', 'birthday', '🎈'],
  ['fr', 'fete', '🎉'],
  ['es', 'corazon rojo', '❤️'],
  ['ru', 'сердце', '❤️'],
  ['ar', 'قلب', '❤️'],
  ['tr', 'DOĞUM', '🎂'],
  ['ja', '誕生', '🎂'],
  ['zh-Hans', '爱', '❤️'],
  ['ko', '하트', '❤️'],
  ['th', 'หัวใจ', '❤️'],
  ['pt-PT', 'cora', '❤️'],
  // With the apostrophe that keyboards have, with or without an article, and with letters that are written as two.
  ['uk', "м'яч", '⚽'],
  ['uz', "ko'z", '👀'],
  ['fr', "lettre d'amour", '💌'],
  ['fr', "l'oeuf", '🥚'],
  ['fr', 'œuf', '🥚'],
  ['de', 'fussball', '⚽'],
  ['it', "d'oro", '🥇'],
])('in %s, %s finds %s', (catalogue, query, emoji) => {
  const hits = readTable(makeNames(catalogue)).find(query);
  expect(hits.map((hit) => hit.emoji)).toContain(emoji);
  expect(hits.length).toBeLessThan(200);
});

function open(nameEmoji?: () => Promise<string>) {
  const { chat } = createFront({ baseUrl: 'https://support.example', inboxIdentifier: 'inbox' });
  const value = { ...surroundings(chat), ...(nameEmoji && { nameEmoji, locale: 'de' }) };
  return render(
    <SurroundingsProvider value={value}>
      <Emoji onPick={() => {}} onClose={() => {}} />
    </SurroundingsProvider>,
  );
}

test('names that come while somebody has begun leave the place, the focus and the words alone', async () => {
  let come = (_: string) => {};
  open(() => new Promise((resolve) => (come = resolve)));
  const heart = screen.getByRole('button', { name: 'red heart' });
  expect(heart.closest('td')?.lang).toBe('en');
  heart.focus();
  come(makeNames('de'));
  await screen.findByRole('button', { name: 'rotes Herz' });
  // Below, too, where the name of the one that has the focus stands for the eye.
  expect(document.querySelector('.emoji-tones > span')?.textContent).toBe('rotes Herz');
  expect(document.activeElement).toBe(heart);
  expect(heart.getAttribute('aria-label')).toBe('rotes Herz');
  expect(heart.tabIndex).toBe(0);
  expect(heart.closest('td')?.lang).toBe('de');
  fireEvent.input(screen.getByRole('searchbox'), { target: { value: 'pizz' } });
  screen.getByRole('button', { name: 'Pizza' });
});

test('names that do not come leave English ones, which say that they are', async () => {
  const refused = Promise.reject(new Error('offline'));
  open(() => refused);
  await refused.catch(() => {});
  expect(screen.getByRole('button', { name: 'red heart' }).closest('td')?.lang).toBe('en');
});

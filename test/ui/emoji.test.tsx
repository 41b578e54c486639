// @vitest-environment happy-dom
/** The emoji picker as a visitor finds it: by eye, by key, by ear, in both directions; and the table behind it. */
import { cleanup, fireEvent, render, within } from '@testing-library/preact';
import axe from 'axe-core';
import { useState } from 'preact/hooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EmojiPicker, type EmojiPickerProps } from '../../src/emoji/picker.js';
import { readTable, TONES, type Tone, withTone } from '../../src/emoji/table.js';
import { emojiText } from '../../src/emoji/text.js';
import { english as en } from '../../src/text/english.js';
import { createSay } from '../../src/text/text.js';

const text = emojiText(createSay('en', en));
const table = readTable();
const { find, groups, named } = table;

let picked: string[];
let kept: string[];
let closed: number;
/** Keys and presses that reached what is around the picker. */
let outside: string[];

beforeEach(() => {
  picked = [];
  kept = [];
  closed = 0;
  outside = [];
});
afterEach(cleanup);

/** Keeps the tone, as the window does. */
function Around(props: Partial<EmojiPickerProps>) {
  const [tone, setTone] = useState<Tone>(props.tone ?? 0);
  return (
    <EmojiPicker
      text={text}
      table={table}
      recent={[]}
      onPick={(emoji) => picked.push(emoji)}
      onRecent={(recent) => {
        kept = recent;
      }}
      onClose={() => closed++}
      onTone={setTone}
      {...props}
      tone={tone}
    />
  );
}

function open(props: Partial<EmojiPickerProps> = {}, direction = 'ltr') {
  const around = document.body.appendChild(document.createElement('form'));
  around.style.direction = direction;
  around.addEventListener('keydown', ({ key }) => outside.push(key));
  around.addEventListener('submit', () => outside.push('submit'));
  return render(<Around {...props} />, { container: around, baseElement: document.body });
}

const view = () => within(document.body);
const search = () => view().getByRole('searchbox', { name: 'Search emoji' }) as HTMLInputElement;
const type = (query: string) => fireEvent.input(search(), { target: { value: query } });
const button = (name: string) => view().getByRole('button', { name });
const press = (key: string, more = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });
const at = () => document.activeElement?.getAttribute('aria-label');
const names = (group: number) => groups[group]?.map(({ name }) => name) ?? [];
/** The name of the n-th emoji of a group, from its end if negative. */
const name = (group: number, n: number) => names(group).at(n);

test('the search has the focus, and every group its heading and its grid', () => {
  open();
  expect(document.activeElement).toBe(search());
  expect(view().getByRole('dialog', { name: 'Emoji' })).toBeTruthy();
  for (const group of text.groups) {
    view().getByRole('heading', { name: group });
    view().getByRole('grid', { name: group });
  }
  expect(document.querySelectorAll('td button')).toHaveLength(groups.flat().length);
});

test('what was picked is said, twice the same twice', () => {
  const { container } = open();
  const said = () => [...container.querySelectorAll('[role=status]')].map(({ textContent }) => textContent);
  const before = said();
  const face = view().getByRole('button', { name: 'grinning face' });
  fireEvent.click(face);
  const once = said();
  expect(once.filter((words) => !before.includes(words))).toEqual(['grinning face']);
  fireEvent.click(face);
  expect(said()).not.toEqual(once);
  expect(said().join('').trim()).toBe('grinning face');
});

test('a press picks, and leaves the picker open', () => {
  open({ recent: ['🎉', '👍'] });
  fireEvent.click(button('red heart'));
  expect(picked).toEqual(['❤️']);
  expect(kept).toEqual(['❤️', '🎉', '👍']);
  expect(closed).toBe(0);
});

describe('search', () => {
  test('every word must begin a word, names that begin so come first', () => {
    open();
    type('heart');
    const hits = [...document.querySelectorAll('td button')].map((hit) => hit.getAttribute('aria-label'));
    expect(hits[0]).toMatch(/^heart/);
    expect(hits).toContain('smiling face with heart-eyes');
    expect(hits).not.toContain('hedgehog');
    type('  EYES smil ');
    expect(find('eyes smil').map(({ name }) => name)).toContain('smiling face with heart-eyes');
    button('smiling face with heart-eyes');
  });

  test('words that are not in the name find it, too', () => {
    const hits = (query: string) => find(query).map(({ emoji }) => emoji);
    expect(hits('lol')).toContain('😂');
    expect(hits('thanks')).toContain('🙏');
    expect(hits('coffee')).toContain('☕');
    expect(hits('birthday')).toContain('🎈');
    expect(hits('yes')).toContain('👍');
  });

  test('their number is said politely, and that there are none in a sentence', () => {
    open();
    const [status = document.body] = view().getAllByRole('status');
    expect(status.textContent).toBe('');
    type('pizza');
    expect(status.textContent).toBe('1 emoji found');
    type('heart');
    expect(status.textContent).toBe(`${find('heart').length} emoji found`);
    type('qqq');
    expect(status.textContent).toBe(text.none);
    expect(view().queryByRole('grid')).toBeNull();
    type('');
    expect(status.textContent).toBe('');
    expect(view().getAllByRole('grid')).toHaveLength(groups.length);
  });

  test('Enter picks the first hit and does not send the form', () => {
    open();
    expect(press('Enter')).toBe(false);
    expect(picked).toEqual([]);
    type('pizza');
    press('Enter', { isComposing: true });
    expect(picked).toEqual([]);
    expect(press('Enter')).toBe(false);
    expect(picked).toEqual(['🍕']);
    type('qqq');
    press('Enter');
    expect(picked).toEqual(['🍕']);
    expect(outside).not.toContain('submit');
  });

  test('the way down leads to the first hit, whatever had the focus before', () => {
    open();
    press('ArrowDown');
    press('ArrowRight');
    search().focus();
    type('cat');
    press('ArrowDown');
    expect(at()).toBe(find('cat')[0]?.name);
  });
});

describe('keys', () => {
  test('one button is in the tab order, the last one that had the focus', () => {
    open();
    const tabbable = () =>
      [...document.querySelectorAll<HTMLElement>('td button')].filter((b) => b.tabIndex === 0);
    expect(tabbable()).toHaveLength(1);
    press('ArrowDown');
    expect(at()).toBe(name(0, 0));
    press('ArrowRight');
    expect(at()).toBe(name(0, 1));
    expect(tabbable()).toEqual([document.activeElement]);
    search().focus();
    press('ArrowDown');
    expect(at()).toBe(name(0, 1));
  });

  test('arrows walk rows and columns, and from one group into the next', () => {
    open();
    press('ArrowDown');
    press('ArrowDown');
    expect(at()).toBe(name(0, 8));
    press('ArrowLeft');
    expect(at()).toBe(name(0, 7));
    press('ArrowUp');
    expect(document.activeElement).toBe(search());
    button(name(1, 0) ?? '').focus();
    press('ArrowLeft');
    expect(at()).toBe(name(0, -1));
    press('ArrowRight');
    expect(at()).toBe(name(1, 0));
    press('ArrowUp');
    expect(at()).toBe(name(0, -(names(0).length % 8 || 8)));
  });

  test('right-to-left, left is onward', () => {
    open({}, 'rtl');
    press('ArrowDown');
    press('ArrowLeft');
    expect(at()).toBe(name(0, 1));
    press('ArrowRight');
    expect(at()).toBe(name(0, 0));
  });

  test('Home and End go to the ends of the row, with Control to those of the whole', () => {
    open();
    press('ArrowDown');
    press('End');
    expect(at()).toBe(name(0, 7));
    press('Home');
    expect(at()).toBe(name(0, 0));
    press('End', { ctrlKey: true });
    expect(at()).toBe(name(7, -1));
    press('ArrowRight');
    press('ArrowDown');
    expect(at()).toBe(name(7, -1));
    press('Home', { ctrlKey: true });
    expect(at()).toBe(name(0, 0));
  });

  test('PageDown and PageUp go five rows, as far as there are any', () => {
    open();
    press('ArrowDown');
    press('PageDown');
    expect(at()).toBe(name(0, 40));
    press('PageUp');
    press('PageUp');
    expect(at()).toBe(name(0, 0));
    press('End', { ctrlKey: true });
    press('PageDown');
    expect(at()).toBe(name(7, -1));
  });

  test('whoever goes on typing goes on searching; the keys of the browser stay its own', () => {
    open();
    press('ArrowDown');
    expect(press('ArrowLeft', { altKey: true })).toBe(true);
    expect(press(' ')).toBe(true);
    expect(press('f', { ctrlKey: true })).toBe(true);
    expect(at()).toBe(name(0, 0));
    expect(press('f')).toBe(true);
    expect(document.activeElement).toBe(search());
  });

  test('Escape closes the picker from anywhere in it, and nothing around it', () => {
    open();
    expect(press('Escape')).toBe(false);
    press('ArrowDown');
    press('Escape');
    view().getByRole('radio', { name: 'Dark' }).focus();
    press('Escape');
    expect(closed).toBe(3);
    expect(outside).toEqual(['ArrowDown']);
    fireEvent.click(button('Close emoji'));
    expect(closed).toBe(4);
    expect(picked).toEqual([]);
  });
});

test('a tone is chosen among six and worn by those who can', () => {
  open();
  const radios = within(view().getByRole('radiogroup', { name: 'Skin tone' })).getAllByRole('radio');
  expect(radios.map((radio) => radio.getAttribute('aria-label'))).toEqual(text.tones);
  expect((radios[0] as HTMLInputElement).checked).toBe(true);
  fireEvent.click(radios[3] as Element);
  expect((radios[3] as HTMLInputElement).checked).toBe(true);
  for (const name of ['waving hand', 'victory hand', 'handshake', 'pizza']) fireEvent.click(button(name));
  expect(picked).toEqual(['👋🏽', '✌🏽', '🤝', '🍕']);
});

describe('recent ones', () => {
  test('stand first, in their own tones, without what nobody knows', () => {
    open({ recent: ['👋🏿', '<b>', '❤️', '🫨'], tone: 2 });
    const grid = view().getAllByRole('grid')[0] as HTMLElement;
    expect(grid.getAttribute('aria-label')).toBe('Recently used');
    const buttons = within(grid).getAllByRole('button');
    expect(buttons.map((b) => [b.textContent, b.getAttribute('aria-label')])).toEqual([
      ['👋🏿', 'waving hand'],
      ['❤️', 'red heart'],
    ]);
    fireEvent.click(buttons[0] as Element);
    expect(picked).toEqual(['👋🏿']);
  });

  test('have no heading while there are none, and are at most 24', () => {
    const many = groups.flat().slice(0, 30);
    open();
    expect(view().queryByRole('heading', { name: 'Recently used' })).toBeNull();
    cleanup();
    open({ recent: many.map(({ emoji }) => emoji) });
    const grid = view().getByRole('grid', { name: 'Recently used' });
    expect(within(grid).getAllByRole('button')).toHaveLength(24);
    fireEvent.click(button('pizza'));
    expect(kept).toEqual(['🍕', ...many.slice(0, 23).map(({ emoji }) => emoji)]);
  });

  test('do not move while the picker is open, nor come twice', () => {
    const { rerender } = open({ recent: ['🎉', '🍕'] });
    fireEvent.click(
      within(view().getAllByRole('grid')[0] as HTMLElement).getAllByRole('button')[1] as Element,
    );
    expect(kept).toEqual(['🍕', '🎉']);
    rerender(<Around recent={kept} />);
    expect(view().getAllByRole('row')[0]?.textContent).toBe('🎉🍕');
  });
});

test('another language changes the words around them and not the buttons, nor where the keyboard is', () => {
  const { rerender } = open({ recent: ['🎉'] });
  button('pizza').focus();
  const cells = () => [...document.querySelectorAll('td')];
  const before = cells();
  const other = { ...text, recent: 'Zuletzt', groups: text.groups.map((group) => `${group}, anders`) };
  rerender(<Around recent={['🎉']} text={other} />);
  expect(view().getByRole('grid', { name: 'Zuletzt' })).toBeTruthy();
  expect(cells()).toEqual(before);
  expect(document.activeElement).toBe(button('pizza'));
  expect(document.querySelectorAll('td [tabindex="0"]')).toHaveLength(1);
});

test('what is pointed at or focused is named, for the eye alone', () => {
  open();
  const shown = view().getByRole('radiogroup').querySelector('span');
  fireEvent.pointerOver(button('pizza'));
  expect(shown?.textContent).toBe('pizza');
  press('ArrowDown');
  expect(shown?.textContent).toBe(name(0, 0));
  expect(shown?.getAttribute('aria-hidden')).toBe('true');
  type('qqq');
  expect(shown?.textContent).toBe('');
});

test('axe finds nothing', async () => {
  open({ recent: ['🎉', '👍🏽'] });
  const rules = { rules: { 'color-contrast': { enabled: false }, region: { enabled: false } } };
  const all = await axe.run(view().getByRole('dialog'), rules);
  type('heart');
  const found = await axe.run(view().getByRole('dialog'), rules);
  const words = [...all.violations, ...found.violations].map(({ id, nodes }) => `${id} ${nodes[0]?.html}`);
  expect(words).toEqual([]);
});

describe('the table', () => {
  const all = groups.flat();
  // The compiler's target does not know the flag of sequences yet.
  const sequences = 'v';
  const valid = new RegExp('^\\p{RGI_Emoji}$', sequences);

  test('has a group for each heading, and between 700 and 1,000 emoji', () => {
    expect(groups).toHaveLength(text.groups.length);
    expect(all.length).toBeGreaterThanOrEqual(700);
    expect(all.length).toBeLessThanOrEqual(1_000);
    expect(text.tones).toHaveLength(TONES.length);
  });

  test('names each, and none twice', () => {
    for (const { emoji, name } of all) expect(name, emoji).toMatch(/^[a-z][a-z0-9 .-]+$/);
    expect(new Set(all.map(({ emoji }) => emoji)).size).toBe(all.length);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });

  test('has what people use most', () => {
    const there = new Set(all.map(({ emoji }) => emoji));
    for (const emoji of '😂 ❤️ 🤣 👍 😭 🙏 😘 🥰 😍 😊 🎉 😁 💕 🥺 😅 🔥 ☺️ 🤦 🤷 🙄 😆 🤗 😉 🎂 🤔 👏 🙂 😳 🥳 😎 👌 💜 😔 💪 ✨ 💖 👀 😋 😏 😢 👉 💗 😩 💯 🌹 💞 🎈 💙 😃 😡 💐 😜 🙈 🤞 😄 🤤 🙌 🤪 ❣️ 😀 💋 💀 👇 💔 😌 💓 🤩 🙃 😬 😱 😴 🤭 😐 🌞 😒 😇 🌸 😈 🎶 ✌️ 🎊 🥵 😞 💚 ☀️ 🖤 💰 😚 👑 🎁 💥 🙋 ☹️ 😑 🥴 👈 💩 ✅'.split(
      ' ',
    ))
      expect(there.has(emoji), emoji).toBe(true);
  });

  test('has sequences that Unicode recommends, in every tone', () => {
    for (const { emoji } of all) {
      for (const tone of TONES) expect(valid.test(withTone(emoji, tone)), `${emoji} ${tone}`).toBe(true);
    }
    expect(all.filter(({ emoji }) => withTone(emoji, 5) !== emoji).length).toBeGreaterThan(50);
  });

  test('knows each again in its tones', () => {
    for (const { emoji, name } of all) {
      const worn = TONES.map((tone) => withTone(emoji, tone));
      expect(named(worn).map((entry) => entry.name)).toEqual(TONES.map(() => name));
    }
  });
});

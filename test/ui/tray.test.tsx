// @vitest-environment happy-dom
import { act, cleanup, configure, fireEvent, render, waitFor, within } from '@testing-library/preact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sizeOf } from '../../src/content/size.js';
import * as parts from '../../src/parts/parts.js';
import type { Settings } from '../../src/settings.js';
import { createFront, type Verbs } from '../../src/state/front.js';
import { english as en } from '../../src/text/english.js';
import { take } from '../../src/tray/ready.js';
import { Composer } from '../../src/ui/composer.js';
import { SurroundingsProvider } from '../../src/ui/context.js';
import { comes, surroundings } from '../support/surroundings.js';

configure({ asyncUtilTimeout: 30_000 });

let front: ReturnType<typeof createFront>;
let chat: typeof front.chat;
let container: Element;
beforeEach(() => {
  front = createFront(
    { baseUrl: 'https://support.example', inboxIdentifier: 'inbox' },
    { localStorage: () => null, page: { visible: () => true, online: () => true, on: () => () => {} } },
  );
  ({ chat } = front);
});
afterEach(cleanup);

function show(settings: Partial<Settings> = {}, open: () => Promise<unknown> = async () => {}) {
  const rendered = render(
    <SurroundingsProvider value={surroundings(chat, { parts: comes(parts, open) }, settings)}>
      <dialog open>
        <Composer onSent={() => {}} />
      </dialog>
    </SurroundingsProvider>,
  );
  container = rendered.container;
  return within(rendered.baseElement as HTMLElement);
}

const file = (name: string, bytes = 3, type = 'text/plain') =>
  new File([new Uint8Array(bytes)], name, { type });
const picker = () => container.querySelector('input[type=file]') as HTMLInputElement;
function choose(...chosen: File[]) {
  Object.defineProperty(picker(), 'files', { value: chosen, configurable: true });
  fireEvent.change(picker());
}
const waiting = () => chat.$files.get().map(({ name }) => name);
const plain = (text: string | null | undefined) => text?.replace(/[\u2066-\u2069]/g, '');
const problem = (view: ReturnType<typeof within>, words: string) =>
  waitFor(() =>
    expect(view.getAllByText(/./).map((element: HTMLElement) => plain(element.textContent))).toContain(words),
  );

/** @returns what was said aloud from now on */
function watchAlerts(view: ReturnType<typeof within>) {
  const seen: string[] = [];
  const observer = new MutationObserver(() => {
    for (const alert of view.queryAllByRole('alert')) seen.push(alert.textContent ?? '');
  });
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    observer.disconnect();
    return seen;
  };
}

test('chosen files are listed with name and size, can be removed, and each change is said', async () => {
  const view = show();
  choose(file('one.txt'), file('two.bin', 2_500_000, ''));
  const list = await waitFor(() => view.getByRole('list', { name: 'Files to be sent' }));
  expect(
    within(list)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['one.txt3 bytes', 'two.bin2.4 MB']);
  await problem(view, '2 files added: one.txt, two.bin');
  fireEvent.click(view.getByRole('button', { name: 'Remove one.txt' }));
  await problem(view, 'one.txt was removed.');
  expect(waiting()).toEqual(['two.bin']);
});

test('files with one name are told apart, and with those that wait already', async () => {
  const view = show();
  choose(file('image.png'), file('image.png', 4, 'image/png'), file('notes'));
  await problem(view, '3 files added: image.png, image-2.png, notes');
  choose(file('image.png', 5), file('notes'));
  await problem(view, '2 files added: image-3.png, notes-2');
  expect(chat.$files.get().map(({ size, type }) => [size, type])).toEqual([
    [3, 'text/plain'],
    [4, 'image/png'],
    [3, 'text/plain'],
    [5, 'text/plain'],
    [3, 'text/plain'],
  ]);
  fireEvent.click(view.getByRole('button', { name: 'Remove image-2.png' }));
  await waitFor(() => expect(waiting()).toEqual(['image.png', 'notes', 'image-3.png', 'notes-2']));
});

test('of files with one name, as of a message that was taken back, each that is removed is said', async () => {
  const view = show();
  choose(file('other.txt'));
  await problem(view, 'Added: other.txt');
  const told = view.getByText(/^Added/);
  act(() => chat.setFiles([file('image.png'), file('image.png'), file('image.png')]));
  const heard = new Set<string | null>();
  for (const left of [2, 1]) {
    fireEvent.click(view.getAllByRole('button', { name: 'Remove image.png' })[0] as HTMLElement);
    await waitFor(() => expect(waiting()).toHaveLength(left));
    await waitFor(() => expect(told.textContent).toContain('was removed'));
    await waitFor(() => expect(heard.has(told.textContent)).toBe(false));
    heard.add(told.textContent);
  }
});

test('what moves up to the place of a picture does not show it', async () => {
  const view = show();
  choose(file('photo.png', 3, 'image/png'), file('contract.pdf', 3, 'application/pdf'));
  const list = await waitFor(() => view.getByRole('list', { name: 'Files to be sent' }));
  await waitFor(() => expect(list.querySelectorAll('img')).toHaveLength(1));
  fireEvent.click(view.getByRole('button', { name: 'Remove photo.png' }));
  await waitFor(() => expect(waiting()).toEqual(['contract.pdf']));
  await waitFor(() => expect(list.querySelector('img')).toBeNull());
});

test('a file over the limit and one too many are left out, each with its reason; the others stay', async () => {
  const view = show({ maxFileMb: 1 });
  choose(file('big.zip', 1024 * 1024 + 1), file('right.zip', 1024 * 1024));
  await problem(view, 'big.zip was left out: it is 1.1 MB, and a file can have up to 1 MB.');
  expect(waiting()).toEqual(['right.zip']);
  choose(...Array.from({ length: 16 }, (_, i) => file(`${i}.txt`)));
  await problem(view, 'A message can have up to 15 files. Left out: 14.txt, 15.txt');
  expect(waiting()).toHaveLength(15);
});

test('files that come back beside others are not sent while they are too many together', async () => {
  const view = show({ maxFiles: 2 });
  chat.setDraft('All of them');
  chat.setFiles([file('back.txt'), file('one.txt'), file('two.txt')]);
  const list = await waitFor(() => view.getByRole('list', { name: 'Files to be sent' }));
  fireEvent.keyDown(view.getByRole('textbox'), { key: 'Enter' });
  await problem(view, 'Up to 2 files of 40 MB each');
  expect(view.getByRole('alert').textContent).toBe('Up to 2 files of 40 MB each');
  expect(waiting()).toEqual(['back.txt', 'one.txt', 'two.txt']);
  expect(chat.$draft.get()).toBe('All of them');
  fireEvent.click(within(list).getByRole('button', { name: 'Remove one.txt' }));
  fireEvent.keyDown(view.getByRole('textbox'), { key: 'Enter' });
  await waitFor(() => expect(view.queryByRole('alert')).toBeNull());
});

test.each([
  ['the visitor has left', () => front.$rows.set(undefined)],
  ['another conversation was chosen', () => front.$home.set(8)],
  ['a new one was begun', () => front.$home.set(undefined)],
])('why a file was left out is not said any more once %s', async (_, go) => {
  front.$rows.set([]);
  const view = show({ maxFileMb: 1 });
  choose(file('divorce papers.zip', 1024 * 1024 + 1));
  await problem(view, 'divorce papers.zip was left out: it is 1.1 MB, and a file can have up to 1 MB.');
  // The first words have made it: it is the same one.
  front.$home.set(7);
  view.getByRole('alert');
  go();
  await waitFor(() => expect(view.queryByRole('alert')).toBeNull());
});

test('what is found out about a file once its visitor has left is told to nobody', async () => {
  const view = show({ maxFileMb: 1 });
  choose(file('divorce papers.zip', 1024 * 1024 + 1));
  front.empty(false);
  const alerts = watchAlerts(view);
  choose(file('one.txt'));
  await waitFor(() => expect(waiting()).toEqual(['one.txt']));
  expect(alerts()).toEqual([]);
});

test('a file is never said to be as large as it may be', async () => {
  const view = show({ maxFileMb: 40 });
  const large = new File([], 'film.mp4');
  Object.defineProperty(large, 'size', { value: 40.3 * 1024 * 1024 });
  choose(large);
  await problem(view, 'film.mp4 was left out: it is 40.3 MB, and a file can have up to 40 MB.');
});

test('what cannot be read, like a folder, is left out', async () => {
  const view = show();
  const folder = file('folder', 0, '');
  folder.slice = () => {
    throw new DOMException('a folder', 'NotFoundError');
  };
  choose(folder);
  await problem(view, 'folder was left out: it could not be read.');
  expect(waiting()).toEqual([]);
});

test('a picture that must lose its place and cannot does not leave; anything else does', async () => {
  const view = show({ shrinkImages: true });
  choose(file('place.heic', 3, ''), file('words.txt'), file('drawing.svg', 3, 'image/svg+xml'));
  await problem(view, 'place.heic was left out: we could not take its location data out of it.');
  expect(waiting()).toEqual(['words.txt', 'drawing.svg']);
});

test('what is needed for files and cannot be fetched is said, and asked for again', async () => {
  let broken = true;
  const view = show({}, async () => {
    if (broken) throw new Error('offline');
  });
  choose(file('one.txt'));
  await problem(view, en.partNotLoaded);
  // Nothing is being made ready any more.
  await waitFor(() => expect(view.queryByText(en.readying)).toBeNull());
  broken = false;
  choose(file('one.txt'));
  await waitFor(() => expect(waiting()).toEqual(['one.txt']));
});

test('where the owner wants no files there is nothing to attach them with', async () => {
  const view = show({ attachments: false });
  expect(view.queryByRole('button', { name: 'Attach files' })).toBeNull();
  expect(picker()).toBeNull();
  expect(view.getByRole('button', { name: 'Send message' })).toBeTruthy();
});

test('pasted words that bring a picture of themselves stay words; a file may bring its name', () => {
  const view = show();
  const field = view.getByRole('textbox', { name: 'Message' });
  const files = [file('words.png', 3, 'image/png')];
  const isWords = (...types: string[]) => fireEvent.paste(field, { clipboardData: { files, types } });
  expect(isWords('text/plain', 'text/html', 'Files')).toBe(true);
  expect(isWords('text/plain', 'text/rtf', 'Files')).toBe(true);
  expect(isWords('text/html', 'Files')).toBe(false);
  expect(isWords('text/plain', 'Files')).toBe(false);
  expect(isWords('Files')).toBe(false);
});

test('sizes are written as the language writes them', () => {
  expect([sizeOf(0, 'en'), sizeOf(1536, 'en'), sizeOf(1536, 'de'), sizeOf(31 * 1024 * 1024, 'ru')]).toEqual([
    '0 bytes',
    '1.5 kB',
    '1,5 kB',
    expect.stringMatching(/^31\sМБ$/),
  ]);
});

test('files that answer neither yes nor no are waited for together and left out, and hold up the others no longer', {
  timeout: 20_000,
}, async () => {
  const { setTimeout: wait } = globalThis;
  const faster = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation((work, ms = 0) => wait(work, ms / 100));
  try {
    // As one that lies in a cloud which cannot be reached.
    const asked: string[] = [];
    const cloudy = ['cloudy.txt', 'misty.txt'].map((name) => {
      const away = new Blob();
      away.arrayBuffer = () => {
        asked.push(name);
        return new Promise(() => {});
      };
      return Object.assign(file(name), { slice: () => away });
    });
    const taking = take([...cloudy, file('here.txt')], surroundings(chat), chat.place());
    expect(asked).toEqual(['cloudy.txt', 'misty.txt']);
    expect((await taking).problems.map(plain)).toEqual([
      'cloudy.txt was left out: it could not be read.',
      'misty.txt was left out: it could not be read.',
    ]);
    expect(waiting()).toEqual(['here.txt']);
  } finally {
    faster.mockRestore();
  }
});

/** What makes files ready comes when it is let. */
function held() {
  let release = () => {};
  const comes = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { release, comes };
}

/** Another conversation is before the visitor. */
function turn(from: number, to: number) {
  front.turn(from, to, chat.$draft.get());
  front.turnFiles(from, to);
  front.$rows.set(undefined);
  front.$home.set(to);
  front.$rows.set([]);
}

test('files that are made ready for one conversation hold up no words in the next one, and none is lost', async () => {
  const sent: unknown[] = [];
  const press = async (...said: unknown[]) => {
    sent.push(said);
    return { ok: true, value: '' } as const;
  };
  front.fill(() => ({ press, typed: () => {} }) as unknown as Verbs);
  front.$home.set(7);
  front.$rows.set([]);
  const { comes, release } = held();
  const view = show({ maxFiles: 2 }, () => comes);
  choose(file('one.txt'), file('two.txt'));
  chat.setDraft('With both');
  const field = view.getByRole('textbox');
  // Pressed here, it does not go there.
  fireEvent.keyDown(field, { key: 'Enter' });
  turn(7, 8);
  chat.setFiles([file('other.txt')]);
  chat.setDraft('Another matter');
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() =>
    expect(sent).toEqual([['Another matter', [expect.objectContaining({ name: 'other.txt' })]]]),
  );
  chat.setFiles([file('next.txt')]);
  release();
  // Behind it.
  choose(file('third.txt'));
  await waitFor(() => expect(waiting()).toEqual(['next.txt', 'third.txt']));
  expect(sent).toHaveLength(1);
  turn(8, 7);
  expect(waiting()).toEqual(['one.txt', 'two.txt']);
  expect(chat.$draft.get()).toBe('With both');
});

test('whoever comes next is not told that words of the one before could not be kept', async () => {
  const { comes, release } = held();
  const said: string[] = [];
  const press = async (words: string) => {
    said.push(words);
    await comes;
    return said.length === 1
      ? ({ ok: false, error: { kind: 'storage' } } as const)
      : ({ ok: true, value: '' } as const);
  };
  front.fill(() => ({ press, typed: () => {} }) as unknown as Verbs);
  const view = show();
  const alerts = watchAlerts(view);
  const field = view.getByRole('textbox');
  chat.setDraft('Mine');
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(said).toEqual(['Mine']));
  front.empty(false);
  front.$rows.set(undefined);
  chat.setDraft('Theirs');
  fireEvent.keyDown(field, { key: 'Enter' });
  release();
  await waitFor(() => expect(said).toEqual(['Mine', 'Theirs']));
  choose(file('one.txt'));
  await problem(view, 'Added: one.txt');
  expect(alerts()).toEqual([]);
});

test('a picture that must become smaller is read in pieces, where it must be read, and not at all where it is far too large', async () => {
  const read: [string, number][] = [];
  const watched = (name: string, bytes: number, type: string) => {
    const whole = file(name, bytes, type);
    const { slice } = whole;
    whole.arrayBuffer = () => {
      throw new Error('as a whole');
    };
    whole.slice = (from = 0, to = whole.size) => {
      read.push([name, Math.min(to, whole.size) - from]);
      return slice.call(whole, from, to);
    };
    return whole;
  };
  const [png, heic, jpeg] = [
    watched('drawn.png', 2_500_000, 'image/png'),
    watched('taken.heic', 2_500_000, 'image/heic'),
    watched('endless.jpg', 64 * 1024 * 1024, 'image/jpeg'),
  ];
  const around = surroundings(chat, {}, { shrinkImages: true, maxFileMb: 1 });
  const { problems } = await take([png, heic, jpeg], around, chat.place());
  // Nothing can be drawn here.
  expect(problems.map(plain)).toEqual([
    'drawn.png was left out: it is 2.4 MB, and a file can have up to 1 MB.',
    'taken.heic was left out: we could not take its location data out of it.',
    'endless.jpg was left out: it is 64 MB, and a file can have up to 1 MB.',
  ]);
  const piece = 1024 * 1024 + 16;
  // Its beginning says of what kind a file is.
  expect(read.filter(([, bytes]) => bytes > 12)).toEqual([
    ['drawn.png', piece],
    ['drawn.png', piece],
    ['drawn.png', 2_500_000 - 2 * 1024 * 1024],
  ]);
});

// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { createFront } from '../../src/state/front.js';
import { take } from '../../src/tray/ready.js';
import { surroundings } from '../support/surroundings.js';

let chat: ReturnType<typeof createFront>['chat'];
beforeEach(() => {
  ({ chat } = createFront(
    { baseUrl: 'https://support.example', inboxIdentifier: 'inbox' },
    { localStorage: () => null, page: { visible: () => true, online: () => true, on: () => () => {} } },
  ));
});

const file = (name: string, type: string) => new File(['bread'], name, { type });
const all = [
  file('a.PDF', 'application/pdf'),
  file('b', 'application/pdf'),
  file('c.jpeg', 'image/jpeg'),
  // As a phone's photo comes where the system does not know them.
  file('d.HEIC', ''),
  file('e.html', 'text/html'),
  file('f', ''),
];

test.each([
  [undefined, 'a.PDF, b, c.jpeg, d.HEIC, e.html, f', ''],
  ['.pdf', 'a.PDF', 'b, c.jpeg, d.HEIC, …'],
  ['application/pdf', 'a.PDF, b', 'c.jpeg, d.HEIC, e.html, …'],
  ['image/*,.htm', 'c.jpeg, d.HEIC', 'a.PDF, b, e.html, …'],
  ['image/jpeg,.pdf,.html', 'a.PDF, c.jpeg, e.html', 'b, d.HEIC, f'],
])('of the kinds %s these go: %s', async (fileTypes, gone, named) => {
  const around = surroundings(chat, {}, fileTypes ? { fileTypes } : {});
  const { problems } = await take(all, around, chat.place());
  expect(
    chat.$files
      .get()
      .map(({ name }) => name)
      .join(', '),
  ).toBe(gone);
  expect(problems.map((words) => words.replace(/[\u2068\u2069]/g, ''))).toEqual(
    named ? [`This kind of file cannot be sent here: ${named}`] : [],
  );
});

test('those of another kind take nobody’s place, and what was recorded here is of any', async () => {
  const around = surroundings(chat, {}, { fileTypes: 'image/*', maxFiles: 2 });
  const [pdf, , jpeg, heic, html] = all;
  if (!pdf || !jpeg || !heic || !html) throw new Error('too few files');
  const { problems } = await take([pdf, html, jpeg, heic], around, chat.place());
  expect(problems).toHaveLength(1);
  expect(chat.$files.get()).toEqual([jpeg, heic]);
  chat.setFiles([]);
  const voice = file('voice-message.webm', 'audio/webm');
  expect((await take([voice], around, chat.place(), true)).problems).toEqual([]);
  expect(chat.$files.get()).toEqual([voice]);
});

// @vitest-environment happy-dom
// @vitest-environment-options { "url": "https://www.host.example/" }
/** What comes with a message beside its words: attachments of each kind, quotes; and that junk is text. */
import { cleanup, fireEvent, render, waitFor, within } from '@testing-library/preact';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OutboxEntry } from '../../src/model/ledger.js';
import { transcript } from '../../src/model/transcript.js';
import { AttachmentPart } from '../../src/parts/attachment-part.js';
import { Quote } from '../../src/parts/quote.js';
import { Avatar } from '../../src/ui/avatar.js';
import { attachmentSchema, type Message } from '../../src/wire/message.js';
import { Around, leaf, message, service, useDesk } from '../support/desk.js';

const desk = useDesk();

function attachment(fields: object) {
  const parsed = attachmentSchema.parse({ id: 1, ...fields });
  const { container } = render(
    <Around desk={desk()}>
      <AttachmentPart attachment={parsed} message={message('text', {})} />
    </Around>,
  );
  return container as HTMLElement;
}

test('nobody else’s picture is fetched before the visitor asks for it', () => {
  const far = attachment({ file_type: 'image', data_url: 'https://far.example/b.png' });
  expect(far.querySelector('img')).toBeNull();
  fireEvent.click(within(far).getByRole('button', { name: 'Show picture from far.example' }));
  expect(far.querySelector('img')?.getAttribute('src')).toBe('https://far.example/b.png');
  expect(document.activeElement).toBe(far.querySelector('a.picture'));
  cleanup();
  const faces = (avatar_url: string) =>
    render(
      <Around desk={desk()}>
        <Avatar sender={{ avatar_url } as Message['sender']} name="Ada Lovelace" />
      </Around>,
    ).container;
  expect(faces('https://far.example/face.png').textContent).toBe('AL');
  expect(faces(`${service}.evil.example/face.png`).textContent).toBe('AL');
  expect(faces(`${service}/face.png`).querySelector('img')).not.toBeNull();
  expect(faces('https://www.host.example/face.png').querySelector('img')).not.toBeNull();
});

test.each([
  ['ada lovelace', 'AL'],
  ['(Acme) Support', 'AS'],
  ['Anna-Maria de Vries', 'AD'],
  ['नेहा शर्मा', 'नश'],
  ['ნინო ბერიძე', 'ნბ'],
  ['فاطمة علي', 'ف\u200cع'],
  ['Ángel'.normalize('NFD'), 'Á'],
  ['🚀 Rockets', '🚀R'],
  ['🚀', '🚀'],
])('who is called %s, and has no picture, is %s', (name, initials) => {
  const { container } = render(
    <Around desk={desk()}>
      <Avatar sender={undefined} name={name} />
    </Around>,
  );
  expect(container.textContent).toBe(initials.normalize());
});

test('a picture keeps its place before it is here, and is a file when it never comes', async () => {
  const shown = attachment({
    file_type: 'image',
    data_url: `${service}/p/sea.png`,
    thumb_url: `${service}/p/small.png`,
    width: 2600,
    height: 1300,
  });
  const picture = within(shown).getByRole('img', { name: 'sea.png' });
  const { src, width, height, referrerpolicy } = Object.fromEntries(
    [...picture.attributes].map(({ name, value }) => [name, value]),
  );
  expect({ src, width, height, referrerpolicy }).toEqual({
    src: `${service}/p/small.png`,
    width: '260',
    height: '130',
    referrerpolicy: 'no-referrer',
  });
  const tall = attachment({ file_type: 'image', data_url: `${service}/t.png`, width: 600, height: 900 });
  expect(tall.querySelector('img')?.getAttribute('height')).toBe('180');
  fireEvent.error(picture);
  await waitFor(() => expect(shown.querySelector('img')).toBeNull());
  expect(within(shown).getByRole('link').getAttribute('href')).toBe(`${service}/p/sea.png`);
  expect(attachment({ file_type: 'image', data_url: `${service}/a.svg` }).querySelector('img')).toBeNull();
});

test('sound and film say how long they are, wait for a press, and are files when they cannot be played', async () => {
  const sound = attachment({
    file_type: 'audio',
    data_url: `${service}/voice.ogg`,
    transcribed_text: 'Please call me',
  });
  const audio = sound.querySelector('audio');
  expect([audio?.preload, audio?.controls, audio?.getAttribute('aria-label')]).toEqual([
    'metadata',
    true,
    'voice.ogg',
  ]);
  within(sound).getByText('Please call me');
  cleanup();
  const film = attachment({ file_type: 'video', data_url: `${service}/film.mp4`, file_size: 1_234_567 });
  const video = film.querySelector('video');
  expect(video?.preload).toBe('metadata');
  if (video) fireEvent.error(video);
  await waitFor(() => expect(film.querySelector('video')).toBeNull());
  expect(within(film).getByRole('link').textContent).toBe('film.mp41.2 MB, Download');
});

test('nobody else’s sound or film is asked for before it is played', () => {
  const far = (file_type: string) => attachment({ file_type, data_url: 'https://far.example/a' });
  expect(far('audio').querySelector('audio')?.preload).toBe('none');
  expect(far('video').querySelector('video')?.preload).toBe('none');
});

test.each([
  [
    { file_type: 'file', data_url: `${service}/x/contract.pdf`, extension: 'pdf', file_size: 2048 },
    'contract.pdfPDF · 2 kB, Download',
    `${service}/x/contract.pdf`,
  ],
  // As it was written above the field, before it was sent.
  [
    { file_type: 'file', data_url: `${service}/x/data.csv`, extension: 'csv', file_size: 8 },
    'data.csvCSV · 8 bytes, Download',
    `${service}/x/data.csv`,
  ],
  [{ file_type: 'file', data_url: 'javascript:alert(1)', fallback_title: 'bad' }, 'bad', undefined],
  [
    {
      file_type: 'location',
      coordinates_lat: 48.8584,
      coordinates_long: 2.2945,
      fallback_title: 'Eiffel Tower',
    },
    'Eiffel Tower48.85840, 2.29450Show on a map',
    'https://www.openstreetmap.org/?mlat=48.8584&mlon=2.2945#map=16/48.8584/2.2945',
  ],
  [{ file_type: 'location', coordinates_lat: 95, coordinates_long: 1 }, 'Location', undefined],
  [
    {
      file_type: 'contact',
      fallback_title: '+33 1 23 45',
      meta: { first_name: 'Ada', last_name: 'L.', n: 3 },
    },
    'Ada L.+33 1 23 45',
    'tel:+3312345',
  ],
  [{ file_type: 'contact', fallback_title: 'Bob', meta: 'x' }, 'Bob', undefined],
  [
    { file_type: 'fallback', fallback_title: 'A page', data_url: 'https://x.example/page' },
    'A page',
    'https://x.example/page',
  ],
  // What is no file has no path.
  [
    {
      file_type: 'location',
      coordinates_lat: 1,
      coordinates_long: 2,
      fallback_title: 'Stephansplatz 12/3, the house behind the great church',
    },
    'Stephansplatz 12/3, the house behind the great church1.00000, 2.00000Show on a map',
    'https://www.openstreetmap.org/?mlat=1&mlon=2#map=16/1/2',
  ],
  [{ file_type: 'contact', fallback_title: '+49 30/123456' }, '+49 30/123456', 'tel:+4930123456'],
  [
    { file_type: 'fallback', fallback_title: 'Open 24/7', data_url: 'https://x.example/page' },
    'Open 24/7',
    'https://x.example/page',
  ],
  [{ file_type: 'embed', data_url: 'https://x.example/v' }, 'v', 'https://x.example/v'],
  [{ file_type: 'story_mention', data_url: `${service}/story` }, 'story', `${service}/story`],
  [{ file_type: 'file', data_url: `${service}/a`, file_size: 0.5 }, 'a, Download', `${service}/a`],
  [{ file_type: '__proto__', data_url: `${service}/z` }, 'z', `${service}/z`],
  [{}, 'Attachment', undefined],
])('the attachment %j reads %j', (fields, words, leads) => {
  const shown = attachment(fields);
  expect(shown.textContent).toBe(words);
  expect(shown.querySelector('a')?.getAttribute('href') ?? undefined).toBe(leads);
});

test('an attachment of any shape is shown somehow', () => {
  const fields = fc.dictionary(
    fc.constantFrom(...Object.keys(attachmentSchema.shape).filter((key) => key !== 'id')),
    fc.oneof(leaf, fc.constantFrom('image', 'audio', 'video', 'location', 'contact', `${service}/x`, 1e308)),
  );
  fc.assert(
    fc.property(fields, (one) => {
      expect(attachment(one).textContent || attachment(one).querySelector('img')).toBeTruthy();
      cleanup();
    }),
    { numRuns: 600 },
  );
});

test('a quote says whose words they were and leads to them', async () => {
  const said = message('text', {}, { id: 3, content: `Twelve ${'long words '.repeat(40)}` });
  const answer = message('text', { in_reply_to: 3 }, { id: 9, content: 'Yes' });
  const unsent: OutboxEntry = {
    echoId: 'e',
    content: 'Not sent',
    queuedAt: 1,
    files: [],
    state: 'queued',
    attempts: 0,
  };
  desk().front.$rows.set(transcript([said, answer], { outbox: [unsent], claims: [] }, new Map()));
  const show = (of: Message) => (
    <Around desk={desk()}>
      <div class="thread">
        <ol class="rows">
          <li class="bubble">
            <span data-id="3" />
          </li>
        </ol>
        <ol class="rows">
          <li>
            <Quote message={of} />
          </li>
        </ol>
      </div>
    </Around>
  );
  const { container, rerender } = render(show(answer));
  const quote = within(container as HTMLElement).getByRole('button', {
    name: /^In reply to Ada: Twelve long/,
  });
  expect(quote.textContent?.length).toBeLessThan(110);
  const target = container.querySelector('.bubble');
  fireEvent.click(quote);
  expect(document.activeElement).toBe(target);
  if (target) fireEvent.blur(target);
  expect(target?.hasAttribute('tabindex')).toBe(false);
  const marked = message('text', {}, { id: 3, content: 'Please **restart** the [app](https://x.example/a)' });
  desk().front.$rows.set(transcript([marked, answer], { outbox: [], claims: [] }, new Map()));
  await within(container as HTMLElement).findByRole('button', {
    name: 'In reply to Ada: Please restart the app (https://x.example/a)',
  });
  const card = message('cards', { items: [{ description: 'In red', title: 'Boots' }] }, { id: 5 });
  const file = message('text', {}, { id: 6, attachments: [{ id: 1, file_type: 'file' }] });
  const rating = message('input_csat', {}, { id: 7 });
  const photo = { id: 1, file_type: 'image' };
  const photos = message('text', {}, { id: 8, attachments: [photo, { ...photo, id: 2 }] });
  const mixed = message('text', {}, { id: 10, attachments: [photo, { id: 2, file_type: 'audio' }] });
  const voice = message('text', {}, { id: 11, attachments: [{ id: 1, file_type: 'audio' }] });
  const all = [card, file, rating, photos, mixed, voice];
  desk().front.$rows.set(transcript(all, { outbox: [], claims: [] }, new Map()));
  for (const [in_reply_to, words] of [
    [5, 'Boots'],
    [6, 'Attachment'],
    [7, 'Message'],
    [8, 'Picture (2)'],
    [10, 'Attachment (2)'],
    [11, 'Audio'],
  ]) {
    rerender(show(message('text', { in_reply_to }, { id: 9 })));
    within(container as HTMLElement).getByRole('button', { name: `In reply to Ada: ${words}` });
  }
  for (const in_reply_to of [4, 9, '3', null, undefined, {}]) {
    rerender(show(message('text', { in_reply_to }, { id: 9 })));
    expect(within(container as HTMLElement).queryByRole('button')).toBeNull();
  }
});

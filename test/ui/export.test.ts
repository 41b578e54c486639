// @vitest-environment happy-dom
import { atom } from 'nanostores';
import { afterEach, expect, test, vi } from 'vitest';
import * as asks from '../../src/asks/asks.js';
import { tell } from '../../src/asks/told.js';
import { plainWords } from '../../src/content/plain-words.js';
import { documentOf, textOf } from '../../src/export/document.js';
import { downloadTranscript, type Order, printTranscript } from '../../src/export/export.js';
import { type Row, transcript } from '../../src/model/transcript.js';
import { english as en } from '../../src/text/english.js';
import { createSay } from '../../src/text/text.js';
import { createLate } from '../../src/ui/later.js';
import { type Message, messageSchema } from '../../src/wire/message.js';

const say = createSay('en', en);
const at = new Date(2025, 2, 3, 10, 31).getTime() / 1000;
const message = (id: number, content: string, more: object = {}): Message =>
  messageSchema.parse({
    id,
    content,
    message_type: 1,
    created_at: at,
    sender: { id: 1, name: 'Grace' },
    ...more,
  });
const rowsOf = (messages: Message[]) => transcript(messages, { outbox: [], claims: [] }, new Map());
const paperOf = (rows: Row[]) => ({ rows, say, tell, locale: 'en', now: at * 1000 });

const HOSTILE = '<img src=x onerror=alert(1)></title><script>alert(2)</script>&lt;b&gt;';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('a text has days, times, names, words and files', () => {
  const rows = rowsOf([
    message(1, 'Is it **blue**?\n10:31 AM Grace: Yes', { message_type: 0 }),
    message(2, 'See [the shop](https://shop.example/a) and `x_y_z`', {
      attachments: [{ id: 1, data_url: 'https://files.example/a.pdf' }],
    }),
  ]);
  expect(
    textOf(paperOf(rows))
      .replaceAll(/[\u202f\u00a0]/g, ' ')
      .split('\n'),
  ).toEqual([
    'Conversation',
    location.hostname,
    'Document created on March 3, 2025',
    '',
    'Monday, March 3, 2025',
    '',
    '10:31 AM You: Is it **blue**?',
    '  10:31 AM Grace: Yes',
    '10:31 AM Grace: See the shop (https://shop.example/a) and x_y_z',
    '  a.pdf <https://files.example/a.pdf>',
    '',
  ]);
});

test('places, people, what was heard in a sound, and files that have not left are there, too', () => {
  const rows = rowsOf([
    message(1, '', {
      attachments: [
        { id: 1, file_type: 'location', coordinates_lat: 59.3293, coordinates_long: 18.0686 },
        {
          id: 2,
          file_type: 'contact',
          fallback_title: '+46 70 123',
          meta: { firstName: 'Ada', lastName: 'Byron' },
        },
        {
          id: 3,
          file_type: 'audio',
          data_url: 'https://files.example/v.ogg',
          transcribed_text: 'I am on my way',
        },
      ],
    }),
  ]);
  const waiting = transcript(
    [],
    {
      outbox: [
        {
          echoId: 'a',
          content: 'Here',
          queuedAt: at * 1000,
          attempts: 0,
          state: 'queued',
          files: [{ name: 'bill.pdf', type: 'application/pdf', size: 9 }],
        },
      ],
      claims: [],
    },
    new Map(),
  );
  expect(textOf(paperOf(rows)).split('\n').slice(-5, -1)).toEqual([
    '  59.32930, 18.06860 <https://www.openstreetmap.org/?mlat=59.3293&mlon=18.0686#map=16/59.3293/18.0686>',
    '  Ada Byron, +46 70 123',
    '  v.ogg <https://files.example/v.ogg>',
    '  I am on my way',
  ]);
  expect(textOf(paperOf(waiting))).toContain('  bill.pdf\n');
});

test('foreign words, names and addresses stay words in the document', () => {
  const rows = rowsOf([
    message(1, HOSTILE, { message_type: 0 }),
    message(2, HOSTILE, {
      sender: { id: 1, name: HOSTILE },
      attachments: [{ id: 1, data_url: 'javascript:alert(3)', fallback_title: HOSTILE }],
    }),
  ]);
  const page = documentOf(paperOf(rows), true);
  expect(page.querySelectorAll('img, script, [onerror], [src]')).toHaveLength(0);
  expect(page.querySelectorAll('a')).toHaveLength(0);
  expect([...page.querySelectorAll('li > p[dir]')].map((p) => p.textContent)).toEqual([HOSTILE, HOSTILE]);
  const written = page.documentElement.outerHTML;
  expect(written).not.toContain('<script');
  expect(written).toContain('&lt;script&gt;');
});

test('an answer that a hostile service has written has no line of its own', () => {
  const value = 'ok\r10:31 AM You: I agree\u2028and \u202epay';
  const rows = rowsOf([
    message(1, 'About you', {
      content_type: 'form',
      content_attributes: {
        items: [{ name: 'who', label: 'Name', type: 'text' }],
        submitted_values: [{ name: 'who', value }],
      },
    }),
    message(2, 'Your address?', {
      content_type: 'input_email',
      content_attributes: { submitted_email: value },
    }),
  ]);
  const lines = textOf(paperOf(rows)).split(/[\n\r\u2028]/);
  expect(lines.filter((line) => line.startsWith('10:31')).every((line) => line.includes('Grace:'))).toBe(
    true,
  );
  expect(lines.some((line) => line.includes('I agree'))).toBe(true);
});

/** A day, a time and a name come before these. */
const asked: Message[] = [
  message(1, 'Which one?', {
    content_type: 'input_select',
    content_attributes: {
      items: [
        { title: 'Blue', value: 'b' },
        { title: 'Red', value: 'r' },
      ],
      submitted_values: [{ title: 'Red', value: 'r' }],
    },
  }),
  message(2, 'About you', {
    content_type: 'form',
    content_attributes: {
      items: [
        { name: 'who', label: 'Name', type: 'text' },
        { name: 'news', label: 'News by mail', type: 'checkbox' },
      ],
      submitted_values: [
        { name: 'who', value: 'Ada' },
        { name: 'news', value: true },
      ],
    },
  }),
  message(3, 'Your address?', { content_type: 'input_email', content_attributes: {} }),
  message(4, 'How was it?', {
    content_type: 'input_csat',
    content_attributes: {
      submitted_values: { csat_survey_response: { rating: 4, feedback_message: 'Quick!' } },
    },
  }),
  message(5, '', {
    content_type: 'cards',
    content_attributes: {
      items: [
        {
          title: 'Lamp',
          description: 'Warm\nand small',
          actions: [
            { type: 'link', text: 'See it', uri: 'https://shop.example/lamp' },
            { type: 'link', text: 'Run it', uri: 'javascript:alert(1)' },
          ],
        },
      ],
    },
  }),
  message(6, '', {
    content_type: 'article',
    content_attributes: { items: [{ title: 'Returns', link: 'https://help.example/returns' }] },
  }),
];

test('what was asked and answered is in the text and in the document, with the links of cards and articles', () => {
  const below = [
    ['- Blue', '- Red', 'Your answer: Red'],
    ['Name: Ada', 'News by mail: Yes'],
    ['- Email address'],
    ['Your rating: Good', 'Quick!'],
    ['Lamp', 'Warm\nand small', 'See it', 'Run it (javascript:alert(1))'],
    ['Returns'],
  ];
  const page = documentOf(paperOf(rowsOf(asked)), true);
  const items = [...page.querySelectorAll('li')].map((item) =>
    [...item.querySelectorAll('p:not([dir])')].map((p) => p.textContent),
  );
  expect(items).toEqual(below);
  expect([...page.querySelectorAll('a')].map((link) => link.href)).toEqual([
    'https://shop.example/lamp',
    'https://help.example/returns',
  ]);
  const text = textOf(paperOf(rowsOf(asked)));
  for (const words of below.flat()) expect(text).toContain(`\n  ${words.replaceAll('\n', '\n  ')}`);
  expect(text).toContain('  See it <https://shop.example/lamp>\n');
});

test('a file has all of its name, however long', () => {
  const name = `${'Invoice of a rather long name '.repeat(3)}.pdf`;
  const rows = rowsOf([message(1, '', { attachments: [{ id: 1, fallback_title: name }] })]);
  expect(textOf(paperOf(rows))).toContain(`  ${name}\n`);
});

/** A chat whose history comes in pages of two. */
function paged(messages: Message[], fails = false): Order['chat'] & { asked: () => number } {
  let from = messages.length - 2;
  let asked = 0;
  const $home = atom<number | undefined>(12);
  const $rows = atom<Row[] | undefined>(rowsOf(messages.slice(from)));
  const $hasOlder = atom<boolean | undefined>(from > 0);
  return {
    $home,
    $rows,
    $hasOlder,
    asked: () => asked,
    async loadOlder() {
      asked++;
      if (fails) return { ok: false, error: { kind: 'network' } };
      // As a slow line brings them.
      vi.setSystemTime(Date.now() + 2_000);
      from = Math.max(0, from - 2);
      $rows.set(rowsOf(messages.slice(from)));
      $hasOlder.set(from > 0);
      return { ok: true, value: undefined };
    },
  };
}
const order = { asks: createLate(async () => asks), say, locale: 'en' };
const seven = Array.from({ length: 7 }, (_, i) => message(i + 1, `words ${i + 1}`));

test.each(['text', 'html'] as const)(
  'all of the history is fetched, and said, before the %s file is made',
  async (format) => {
    const blobs: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      if (blob instanceof Blob) blobs.push(blob);
      return 'blob:made';
    });
    const named: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      named.push(this.download);
    });
    const said: (string | undefined)[] = [];
    const chat = paged(seven);
    expect(await downloadTranscript({ ...order, chat, progress: (one) => said.push(one) }, format)).toBe(
      true,
    );
    expect(chat.asked()).toBe(3);
    expect(said).toEqual([
      'Getting the whole conversation: 2 messages so far…',
      'Getting the whole conversation: 6 messages so far…',
      undefined,
      `✓ ${named[0]}`,
    ]);
    expect(named[0]).toMatch(format === 'text' ? /^Conversation 12, \d{4}-\d\d-\d\d\.txt$/ : /\.html$/);
    const words = await blobs[0]?.text();
    expect(words).toContain('Conversation 12');
    for (const { content } of seven) expect(words).toContain(content);
  },
);

test('without all of the history there is no file, and a sentence says so', async () => {
  const made = vi.spyOn(URL, 'createObjectURL');
  const said: (string | undefined)[] = [];
  const failures: unknown[] = [];
  const progress = (one?: string, failed?: boolean) => (failed ? failures : said).push(one);
  expect(await downloadTranscript({ ...order, chat: paged(seven, true), progress }, 'text')).toBe(false);
  expect(said).toEqual(['Getting the whole conversation: 2 messages so far…']);
  expect(failures).toEqual([en.gatheringFailed]);
  expect(made).not.toHaveBeenCalled();
});

test('before the history has come there is no file of the waiting words alone, and a sentence says so', async () => {
  const made = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:made');
  const failures: unknown[] = [];
  const progress = (one?: string, failed?: boolean) => void (failed && failures.push(one));
  const chat = { ...paged(seven), $hasOlder: atom<boolean | undefined>() };
  expect(await downloadTranscript({ ...order, chat, progress }, 'text')).toBe(false);
  expect(await printTranscript({ ...order, chat, progress }, document.body)).toBe(false);
  expect(failures).toEqual([en.gatheringFailed, en.gatheringFailed]);
  expect(made).not.toHaveBeenCalled();
  expect(document.querySelector('iframe')).toBeNull();
  expect(chat.asked()).toBe(0);
  // Where there is no conversation yet, the waiting words are all of it.
  const first = { ...chat, $home: atom<number | undefined>() };
  expect(await downloadTranscript({ ...order, chat: first, progress }, 'text')).toBe(true);
});

test('whoever goes to another conversation meanwhile gets no file of it, and is told of no failure', async () => {
  const made = vi.spyOn(URL, 'createObjectURL');
  const said: (string | undefined)[] = [];
  const failures: unknown[] = [];
  const progress = (one?: string, failed?: boolean) => (failed ? failures : said).push(one);
  const chat = paged(seven);
  const { loadOlder } = chat;
  const $home = atom<number | undefined>(1);
  const leaving = {
    ...chat,
    $home,
    async loadOlder() {
      const loaded = await loadOlder();
      // All there is of the other one.
      $home.set(2);
      return loaded;
    },
  };
  expect(await downloadTranscript({ ...order, chat: leaving, progress }, 'text')).toBe(false);
  expect(chat.asked()).toBe(1);
  expect(said).toEqual(['Getting the whole conversation: 2 messages so far…', undefined]);
  expect(failures).toEqual([]);
  expect(made).not.toHaveBeenCalled();
});

test.each([
  ['**bold**, *leaning*, ~~gone~~ and `code`', 'bold, leaning, gone and code'],
  ['# Title\n> quoted\n```js\nlet a = 1\n```', 'Title\nquoted\nlet a = 1'],
  // Code is what it is.
  [
    'So:\n```py\nif __name__ == "__main__":\n    # rm **all**\n```\n# Then',
    'So:\nif __name__ == "__main__":\n    # rm **all**\nThen',
  ],
  ['~~~\n# rm -rf old\n\\*', '# rm -rf old\n\\*'],
  ['**call `__init__` now**, or ``a ` b``', 'call __init__ now, or a ` b'],
  ['```one line``` and `no end', 'one line and `no end'],
  ['[`a`](https://a.example/`b`) \uFFFC `*c*`', '[a](https://a.example/b) \uFFFC *c*'],
  [
    '[words](https://a.example) and [https://a.example](https://a.example)',
    'words (https://a.example) and https://a.example',
  ],
  ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
  ['1\\. not a list', '1. not a list'],
  ['请看[文档](https://a.example/c)，**重要**', '请看文档 (https://a.example/c)，重要'],
  ['[a](https://a.example),**[b](https://b.example)**', 'a (https://a.example),b (https://b.example)'],
  ['2 ** 3 ** 4, foo__bar__baz', '2 ** 3 ** 4, foo__bar__baz'],
  ['__so__, ***so*** and (_**so**_)', 'so, so and (so)'],
  // Signs in an address are its own, and those around it are marks.
  ['https://x.example/a__b__c?_d_=*e*', 'https://x.example/a__b__c?_d_=*e*'],
  ['[a](https://x.example/_b_/c) **d**', 'a (https://x.example/_b_/c) d'],
  ['At **https://x.example/p?__cft__[0]=A&__tn__=R**.', 'At https://x.example/p?__cft__[0]=A&__tn__=R.'],
  ['Prices:\n| a | *b* |\n|:--|---|\n| c | d |\nThank you', 'Prices:\na | b\nc | d\nThank you'],
  ['a|b\n-|-\nc|d', 'a|b\nc|d'],
  ['| a | b |\r\n|---|---|\r\n| c \\| d | e |', 'a | b\r\nc | d | e'],
  ['> | a | b |\n> |---|---|\n> | c | d |', 'a | b\nc | d'],
  ['a\n---\nb', 'a\n---\nb'],
  [':-|', ':-|'],
  ['Hm\n:-|\nok', 'Hm\n:-|\nok'],
  ['|x| = |y|', '|x| = |y|'],
])('%j is spoken as %j', (written, spoken) => {
  expect(plainWords(written)).toBe(spoken);
});

test('a file is not made without what was answered, either', async () => {
  const made = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:made');
  const said: (string | undefined)[] = [];
  let there = false;
  const late = createLate(async () => {
    if (!there) throw new Error('It does not come.');
    return asks;
  });
  const progress = (one?: string) => said.push(one);
  const download = () => downloadTranscript({ ...order, asks: late, chat: paged(asked), progress }, 'text');
  expect(await download()).toBe(false);
  expect(said.at(-1)).toBe(en.gatheringFailed);
  there = true;
  expect(await download()).toBe(true);
  const [blob] = made.mock.calls[0] ?? [];
  expect(blob instanceof Blob && (await blob.text())).toContain('Your rating: Good');
});

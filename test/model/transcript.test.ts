/** Rows: what is the same stays the same object, who spoke with whom and when, and how far our words have come. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Chunk, chunks, piles } from '../../src/model/chunks.js';
import type { OutboxEntry } from '../../src/model/ledger.js';
import { type Row, transcript } from '../../src/model/transcript.js';
import type { Message } from '../../src/wire/message.js';

const NOON = new Date(2025, 2, 3, 12).getTime() / 1000;

const message = (id: number, more: Partial<Message> = {}): Message => ({
  id,
  content: `words ${id}`,
  message_type: 1,
  content_type: 'text',
  content_attributes: {},
  created_at: NOON + id,
  conversation_id: 1,
  private: false,
  status: undefined,
  echo_id: undefined,
  sender: {
    id: 7,
    name: 'Grace',
    available_name: undefined,
    avatar_url: undefined,
    thumbnail: undefined,
    type: 'user',
  },
  attachments: undefined,
  ...more,
});
const mine = (id: number, more: Partial<Message> = {}) =>
  message(id, { message_type: 0, sender: null, ...more });
const entry = (echoId: string, more: Partial<OutboxEntry> = {}): OutboxEntry => ({
  echoId,
  content: echoId,
  queuedAt: (NOON + 10_000) * 1000,
  files: [],
  state: 'queued',
  attempts: 0,
  ...more,
});
const rowsOf = (
  messages: Message[],
  { outbox = [] as OutboxEntry[], names = new Map<number, string>(), seenAt = 0, before = [] as Row[] } = {},
) => transcript(messages, { outbox, claims: [] }, names, seenAt, before);

describe('what has not changed', () => {
  const first = Array.from({ length: 100 }, (_, i) => message(i + 1));

  test('is the same array when nothing has', () => {
    const before = rowsOf(first);
    expect(rowsOf([...first], { before })).toBe(before);
  });

  test('is the same object when one is appended: all but the last of its group', () => {
    const before = rowsOf(first);
    const after = rowsOf([...first, message(101)], { before });
    expect(after.map((row, i) => row === before[i])).toEqual([...Array(99).fill(true), false, false]);
    expect(after[99]).toEqual({ ...before[99], endsGroup: false });
  });

  test('is the same object when older ones come in above', () => {
    const before = rowsOf(first.slice(20));
    const after = rowsOf(first, { before });
    expect(after.slice(21)).toEqual(before.slice(1));
    expect(after.slice(21).every((row, i) => row === before[i + 1])).toBe(true);
  });

  test('is another object when the message is', () => {
    const before = rowsOf(first);
    const edited = first.map((one) => (one.id === 50 ? message(50, { content: 'edited' }) : one));
    const after = rowsOf(edited, { before });
    expect(after.flatMap((row, i) => (row === before[i] ? [] : [row.content]))).toEqual(['edited']);
  });

  test('never makes a difference to what is shown', () => {
    const event = fc.record({
      id: fc.integer({ min: 1, max: 60 }),
      own: fc.boolean(),
      content: fc.constantFrom('a', 'b'),
      seenAt: fc.integer({ min: NOON, max: NOON + 60 }),
      waiting: fc.subarray(['x', 'y', 'z']),
      status: fc.constantFrom('sent', 'read', 'failed'),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let messages: Message[] = [];
        let rows: Row[] = [];
        for (const { id, own, seenAt, waiting, ...said } of events) {
          const made = own ? mine(id, said) : message(id, said);
          messages = [...messages.filter((one) => one.id !== id), made].sort((a, b) => a.id - b.id);
          const given = { outbox: waiting.map((name) => entry(name)), seenAt };
          rows = rowsOf(messages, { ...given, before: rows });
          expect(rows).toEqual(rowsOf(messages, given));
        }
      }),
    );
  });
});

describe('groups and days', () => {
  const shape = (rows: Row[]) =>
    rows.map(({ startsDay, startsGroup, endsGroup }) =>
      [startsDay && 'day', startsGroup && 'starts', endsGroup && 'ends'].filter(Boolean).join(' '),
    );

  test('a group ends with its author, after five minutes, and with the day', () => {
    const messages = [
      message(1),
      message(2),
      mine(3),
      message(4, { created_at: NOON + 4 }),
      message(5, { created_at: NOON + 4 + 301 }),
      message(6, { created_at: NOON + 86_400 }),
    ];
    expect(shape(rowsOf(messages))).toEqual([
      'day starts',
      'ends',
      'starts ends',
      'starts ends',
      'starts ends',
      'day starts ends',
    ]);
  });
});

describe('how far our words have come', () => {
  const marks = (rows: Row[]) => rows.map(({ mark }) => mark ?? '');

  test('only the newest that arrived says so, and the newest that was seen', () => {
    const messages = [mine(1), mine(2), message(3), mine(4), mine(5)];
    expect(marks(rowsOf(messages))).toEqual(['', '', '', '', 'sent']);
    expect(marks(rowsOf(messages, { seenAt: NOON + 2 }))).toEqual(['', 'seen', '', '', 'sent']);
    expect(marks(rowsOf(messages, { seenAt: NOON + 5 }))).toEqual(['', '', '', '', 'seen']);
  });

  test('a status that the service tells counts as well', () => {
    expect(marks(rowsOf([mine(1, { status: 'read' }), mine(2, { status: 'delivered' })]))).toEqual([
      'seen',
      'delivered',
    ]);
    // Agents have it: something behind the service has not taken it.
    expect(marks(rowsOf([mine(1), mine(2, { status: 'failed' })]))).toEqual(['', 'sent']);
  });

  test('what waits has its own words', () => {
    const rows = rowsOf([mine(1)], { outbox: [entry('x')] });
    expect(rows.map(({ state, mark }) => [state, mark])).toEqual([
      ['sent', 'sent'],
      ['waiting', undefined],
    ]);
  });
});

test('words that another tab has settled stay in their bubble until their message is here', () => {
  const before = transcript([message(1)], { outbox: [entry('a')], claims: [] }, new Map());
  const claims = [{ id: 5, echoId: 'a', home: 1 }];
  const between = transcript([message(1)], { outbox: [], claims, conversationId: 1 }, new Map(), 0, before);
  expect(between.map(({ key }) => key)).toEqual(['m1', 'a']);
  const newer = transcript(
    [message(1), message(6)],
    { outbox: [], claims, conversationId: 1 },
    new Map(),
    0,
    between,
  );
  expect(newer.map(({ key }) => key)).toEqual(['m1', 'a', 'm6']);
  const all = [message(1), mine(5), message(6)];
  const after = transcript(all, { outbox: [], claims, conversationId: 1 }, new Map(), 0, newer);
  expect(after.map(({ key, state }) => [key, state])).toEqual([
    ['m1', 'sent'],
    ['a', 'sent'],
    ['m6', 'sent'],
  ]);
});

test('words that another tab has sent while they are still on their way to the disk here stand there once', () => {
  const keeping = { ...entry('a'), attempts: -1 };
  const before = transcript([], { outbox: [keeping], claims: [] }, new Map());
  const claims = [{ id: 5, echoId: 'a', home: 1 }];
  const between = transcript([], { outbox: [keeping], claims, conversationId: 1 }, new Map(), 0, before);
  expect(between.map(({ key }) => key)).toEqual(['a']);
});

test('the first message to come may be the answer: what it answers stands above it', () => {
  const before = transcript([], { outbox: [entry('a'), entry('b')], claims: [] }, new Map());
  const claims = [
    { id: 4, echoId: 'a', home: 1 },
    { id: 5, echoId: 'b', home: 1 },
  ];
  const answered = transcript(
    [message(6)],
    { outbox: [entry('c')], claims, conversationId: 1 },
    new Map(),
    0,
    before,
  );
  expect(answered.map(({ key }) => key)).toEqual(['a', 'b', 'm6', 'c']);
  expect(answered.slice(0, 2).map(({ entry }) => entry)).toEqual(before.map(({ entry }) => entry));
});

test('words that went to another conversation are not waited for', () => {
  const before = transcript([], { outbox: [entry('a')], claims: [] }, new Map());
  const claims = [{ id: 5, echoId: 'a', home: 1 }];
  expect(transcript([], { outbox: [], claims, conversationId: 2 }, new Map(), 0, before)).toEqual([]);
});

test('what history does not have where it would be is not waited for', () => {
  const before = transcript([], { outbox: [entry('a')], claims: [] }, new Map());
  const claims = [{ id: 5, echoId: 'a', home: 1 }];
  expect(
    transcript([message(8)], { outbox: [], claims, conversationId: 1 }, new Map(), 0, before, 8).map(
      ({ key }) => key,
    ),
  ).toEqual(['m8']);
});

describe('chunks', () => {
  const keyed = (all: readonly Chunk[]) =>
    new Map(all.flatMap((chunk) => chunk.rows.map((row) => [row.key, chunk.key] as const)));
  const ascending = (all: readonly Chunk[]) =>
    all.every(({ key }, i) => i === 0 || key > (all[i - 1]?.key ?? key));

  test('one that comes changes one chunk of two hundred', () => {
    const messages = Array.from({ length: 10_000 }, (_, i) => message(i + 1));
    const rows = rowsOf(messages);
    const before = chunks(rows, []);
    expect(before.map((chunk) => chunk.rows.length)).toEqual(Array(200).fill(50));
    const more = rowsOf([...messages, message(10_001)], { before: rows });
    const after = chunks(more, before);
    expect(after.filter((chunk, i) => chunk !== before[i]).map((chunk) => chunk.rows.length)).toEqual([
      50, 1,
    ]);
    expect(chunks(more, after)).toBe(after);
  });

  test('older ones fill the first chunk and go before it', () => {
    const messages = Array.from({ length: 140 }, (_, i) => message(i + 1));
    let rows = rowsOf(messages.slice(120));
    let all = chunks(rows, []);
    for (let from = 100; from >= 0; from -= 20) {
      const homes = keyed(all);
      rows = rowsOf(messages.slice(from), { before: rows });
      all = chunks(rows, all);
      for (const [key, home] of homes) expect(keyed(all).get(key)).toBe(home);
    }
    expect(all.map(({ key, rows }) => [key, rows.length])).toEqual([
      [-2, 40],
      [-1, 50],
      [0, 50],
    ]);
  });

  test('a chunk stays in its pile, whatever comes before or after it', () => {
    const homes = (all: readonly Chunk[]) =>
      new Map(piles(all).flatMap(({ key, chunks }) => chunks.map((chunk) => [chunk.key, key] as const)));
    const messages = Array.from({ length: 5_000 }, (_, i) => message(i + 1));
    const some = rowsOf(messages.slice(2_000, 4_000));
    const before = chunks(some, []);
    const after = chunks(rowsOf(messages, { before: some }), before);
    expect(piles(after).flatMap(({ chunks }) => chunks)).toEqual(after);
    expect(piles(after).map(({ key, chunks }) => [key, chunks.length])).toEqual([
      [-3, 8],
      [-2, 16],
      [-1, 16],
      [0, 16],
      [1, 16],
      [2, 16],
      [3, 12],
    ]);
    for (const [key, home] of homes(before)) expect(homes(after).get(key)).toBe(home);
  });

  test('whatever arrives, in whatever order, no row leaves its chunk and none is lost', () => {
    /** Our words wait at the end and become messages; others arrive before them, late, or from history. */
    const step = fc.oneof(
      fc.record({ kind: fc.constant('theirs' as const), count: fc.integer({ min: 1, max: 30 }) }),
      fc.record({ kind: fc.constant('older' as const), count: fc.integer({ min: 1, max: 30 }) }),
      fc.record({ kind: fc.constant('ours' as const), count: fc.integer({ min: 1, max: 12 }) }),
      fc.record({ kind: fc.constant('confirmed' as const), count: fc.integer({ min: 1, max: 12 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let [oldest, newest, said] = [5_000, 5_000, 0];
        let messages: Message[] = [];
        let outbox: OutboxEntry[] = [];
        const names = new Map<number, string>();
        let rows: Row[] = [];
        let all: readonly Chunk[] = [];
        for (const { kind, count } of steps) {
          for (let i = 0; i < count; i++) {
            if (kind === 'theirs') {
              newest += 2;
              messages = [...messages, message(newest)];
            } else if (kind === 'older') {
              oldest -= 2;
              messages = [message(oldest), ...messages];
            } else if (kind === 'ours') outbox = [...outbox, entry(`e${said++}`)];
            else {
              const [next, ...rest] = outbox;
              if (!next) break;
              outbox = rest;
              // Committed before the last that we heard of.
              const id = newest - 1;
              if (messages.some((one) => one.id === id)) newest += 2;
              names.set(newest - 1, next.echoId);
              messages = [...messages, mine(newest - 1)].sort((a, b) => a.id - b.id);
            }
          }
          const homes = keyed(all);
          rows = rowsOf(messages, { outbox, names, before: rows });
          all = chunks(rows, all);
          expect(all.flatMap((chunk) => chunk.rows)).toEqual(rows);
          expect(ascending(all)).toBe(true);
          const now = keyed(all);
          for (const [key, home] of homes) expect(now.get(key)).toBe(home);
        }
      }),
    );
  });
});

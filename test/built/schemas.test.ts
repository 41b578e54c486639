/** Visitors get the schemas on a fraction of zod: it must read every value as all of zod does. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { build, type Rolldown } from 'vite';
import { beforeAll, expect, test } from 'vitest';
import { guestLibraries } from '../../src/embed/guest-plugin.js';
import * as leanZod from '../../src/lean/zod.js';
import { reference } from '../fixtures/wire/reference.js';
import * as whole from '../support/schemas.js';

type Reads = (value: unknown) => unknown;

const readers = (module: object): Map<string, Reads> =>
  new Map(
    Object.entries(module).flatMap(([name, exported]): [string, Reads][] => {
      if (/^read[A-Z]/.test(name)) return [[name, exported]];
      if (typeof exported?.safeParse !== 'function') return [];
      return [
        [
          name,
          (value) => {
            const { success, data } = exported.safeParse(value);
            return { success, data };
          },
        ],
      ];
    }),
  );

let code = '';
let lean: Map<string, Reads>;

beforeAll(async () => {
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    plugins: [guestLibraries(['client'])],
    build: {
      write: false,
      rolldownOptions: {
        input: join(import.meta.dirname, '../support/schemas.ts'),
        preserveEntrySignatures: 'strict',
        output: { format: 'es' },
      },
    },
  })) as Rolldown.RolldownOutput;
  code = built.output[0].code;
  const file = join(mkdtempSync(join(tmpdir(), 'parley-schemas-')), 'schemas.mjs');
  writeFileSync(file, code);
  lean = readers(await import(/* @vite-ignore */ pathToFileURL(file).href));
});

const ledger = {
  version: 1,
  generation: 2,
  identity: 'ada',
  sourceId: 'key',
  met: true,
  conversationId: 41,
  anew: false,
  about: { contact: { email: 'ada@example.com' }, conversation: { plan: 'gold', agreed: true } },
  told: ['email'],
  answered: ['plan'],
  opening: { name: 'a', by: 'b', limitMs: 20_000, known: [1, 2] },
  outbox: [
    {
      echoId: 'echo',
      content: 'Hello',
      queuedAt: 1,
      files: [{ name: 'a.png', type: 'image/png', size: 3 }],
      state: 'sending',
      attempts: 1,
      attempt: { by: 'tab', limitMs: 20_000, locked: true, beat: 2 },
      afterId: 7,
      status: 422,
    },
  ],
  claims: [{ id: 9001, echoId: 'other' }],
};
const attachment = { id: 1, file_type: 'image', file_size: 3, width: 2, meta: { firstName: 'Ada' } };
const full = { ...reference.frame.message.data, echo_id: 'echo', attachments: [attachment] };
const conversation = { ...reference.conversation, messages: [reference.message, full] };
const samples: unknown[] = [
  ledger,
  full,
  [full, reference.message],
  conversation,
  [conversation],
  reference.contact,
  reference.inbox,
  attachment,
  reference.frame,
  ...['message.created', 'message.updated'].map((event) => ({ event, data: full })),
  ...['conversation.created', 'conversation.updated', 'conversation.status_changed'].map((event) => ({
    event,
    data: conversation,
  })),
  ...['conversation.typing_on', 'conversation.typing_off'].map((event) => ({
    event,
    data: { conversation, user: full.sender, is_private: true },
  })),
  { description: 'No', errors: [{ field: 'content', message: 'too long', code: 'too_long' }] },
  { message: 'No', attributes: ['content'], error: 'no' },
];

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 53,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '',
    'x',
    '7',
    [],
    {},
    [undefined],
    { id: 1 },
    JSON.parse('{"__proto__":{"id":1}}'),
    new Date(0),
    new Map(),
  ),
  fc.anything({ maxDepth: 2 }),
);

/** A sample with some of its places taken away or filled with something else. */
const spoiled = fc
  .tuple(
    fc.constantFrom(...samples),
    fc.array(fc.tuple(fc.nat(), fc.option(odd)), { minLength: 1, maxLength: 4 }),
  )
  .map(([sample, changes]) => {
    const copy = structuredClone(sample);
    for (const [at, change] of changes) {
      const places: [object: object, key: string][] = [];
      const walk = (value: unknown) => {
        if (typeof value !== 'object' || value === null) return;
        for (const [key, inner] of Object.entries(value)) {
          places.push([value, key]);
          walk(inner);
        }
      };
      walk(copy);
      const [object, key] = places[at % Math.max(places.length, 1)] ?? [];
      if (!object || key === undefined) continue;
      if (change === null) Reflect.deleteProperty(object, key);
      else
        Object.defineProperty(object, key, {
          value: structuredClone(change),
          enumerable: true,
          configurable: true,
        });
    }
    return copy;
  });

test('what visitors get of zod reads everything as all of zod does', () => {
  const all = readers(whole);
  expect([...lean.keys()].sort()).toEqual([...all.keys()].sort());
  expect(all.size).toBeGreaterThanOrEqual(15);
  let read = 0;
  const alike = (value: unknown) => {
    for (const [name, reads] of all) {
      const expected = reads(structuredClone(value));
      const got = lean.get(name)?.(structuredClone(value));
      // A copy: what visitors get has no prototype, for pages that add members to that of all objects.
      expect(structuredClone(got), name).toStrictEqual(expected);
      if (expected && typeof expected === 'object' && 'success' in expected && expected.success) read++;
    }
  };
  for (const sample of samples) alike(sample);
  for (const sample of samples) alike(JSON.stringify(sample));
  expect(read).toBeGreaterThan(samples.length);
  fc.assert(fc.property(fc.oneof(spoiled, odd), alike), { numRuns: 1_000, seed: 7 });
});

test('what an old library has in the place of ways to copy lists reads no list for us', () => {
  const lists = [...samples, [null], [7, 'x'], [{}], { ...ledger, claims: [null], outbox: ['x'] }];
  const read = () =>
    [...lean].map(([name, reads]) => [name, lists.map((one) => reads(structuredClone(one)))]);
  const before = JSON.stringify(read());
  const { from } = Array;
  // As Prototype's, which takes no function.
  Array.from = (list: ArrayLike<unknown>) => Array.prototype.slice.call(list);
  try {
    expect(JSON.stringify(read())).toBe(before);
  } finally {
    Array.from = from;
  }
});

test('what a page adds to the prototype of all objects is in nothing that is read', () => {
  const names = ['status', 'type', 'name', 'identity', 'claims', 'reason', 'identifier', 'content'];
  const read = () =>
    [...lean].map(([name, reads]) => [
      name,
      samples.map((sample) => structuredClone(reads(structuredClone(sample)))),
    ]);
  const before = read();
  for (const name of names) {
    Object.defineProperty(Object.prototype, name, { value: () => name, configurable: true, writable: true });
  }
  try {
    expect(JSON.stringify(read())).toBe(JSON.stringify(before));
  } finally {
    for (const name of names) Reflect.deleteProperty(Object.prototype, name);
  }
});

test('no schema is made by what visitors do not get', () => {
  const called = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(`src/${file}`, 'utf8'))
    .filter((source) => source.includes("from 'zod/mini'"))
    .flatMap((source) => [...source.matchAll(/\bz\.(?!infer)([a-z]\w*)[<(]/g)].map(([, name = '']) => name));
  expect(called.length).toBeGreaterThan(50);
  expect(Object.keys(leanZod)).toEqual(expect.arrayContaining(called));
});

test('it is a fraction', () => {
  expect(code).not.toMatch(/invalid_type|Promise|ZodError|~standard/);
});

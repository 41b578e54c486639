/** What a page's program hands to the calls: a name that is none of ours is never dropped without a word. */
import { expect, test } from 'vitest';
import { read } from '../../src/bridge/messages.js';
import { attributesOf, strangersOf, whoOf } from '../../src/owner/arguments.js';
import type { Parley } from '../../src/parley.js';

const hash = 'ab'.repeat(32);

test.each([
  ['identifier_hash', 'hash'],
  ['user_hash', 'hash'],
  ['userHash', 'hash'],
  ['identifierHash', 'hash'],
])('identify() without its proof leads from %s to %s', (theirs, ours) => {
  expect(whoOf({ identifier: 'user-7', [theirs]: hash })).toBe(
    `identify() knows no "${theirs}": write ${ours}.`,
  );
});

test.each([
  ['phone_number', 'phone'],
  ['avatar_url', 'avatar'],
  ['avatarUrl', 'avatar'],
  ['custom_attributes', 'attributes'],
  ['fullName', 'name'],
])('identify() leads from %s to %s', (theirs, ours) => {
  const given = { identifier: 'user-7', [theirs]: hash };
  expect(strangersOf(given).map(({ said }) => said)).toEqual([
    `identify() knows no "${theirs}": write ${ours}.`,
  ]);
  // They are who they are without it.
  expect(whoOf(given)).toEqual({ identifier: 'user-7' });
  expect(strangersOf({ identifier: 'user-7', [theirs]: null, nothing: undefined })).toEqual([]);
});

test('identify() says which names it knows where one is misspelt', () => {
  expect(strangersOf({ identifier: 'user-7', nmae: 'Ada' }).map(({ said }) => said)).toEqual([
    'identify() knows no "nmae": write "identifier", "hash", "name", "email", "phone", "avatar" or "attributes".',
  ]);
});

test('identify() says of a name that no service would take how long it may be', () => {
  expect(whoOf({ identifier: 'u'.repeat(255) })).toEqual({ identifier: 'u'.repeat(255) });
  for (const identifier of ['', 7, undefined, 'u'.repeat(256)])
    expect(whoOf({ identifier })).toMatch(/needs your own name for the visitor, up to 255 characters, like/);
});

test('identify() takes what it knows, and null for nothing', () => {
  const nothing = { hash: null, name: null, email: '', phone: undefined, avatar: null, attributes: null };
  expect(whoOf({ identifier: 'user-7', ...nothing })).toEqual({ identifier: 'user-7' });
  expect(whoOf({ identifier: 'user-7', hash, phone: '+491701234567', attributes: { seats: 3 } })).toEqual({
    identifier: 'user-7',
    identifier_hash: hash,
    phone_number: '+491701234567',
    custom_attributes: { seats: 3 },
  });
});

test('attributes are scalars by name, and null and undefined are left out', () => {
  const given = { plan: null, seats: 3, since: undefined, trial: false };
  expect(attributesOf({ contact: given, conversation: undefined })).toEqual({
    contact: { seats: 3, trial: false },
  });
  expect(whoOf({ identifier: 'user-7', attributes: given })).toEqual({
    identifier: 'user-7',
    custom_attributes: { seats: 3, trial: false },
  });
  for (const wrong of [null, 'plan', 3, ['Team'], { plan: ['Team'] }, { seats: Number.NaN }])
    expect(typeof attributesOf({ contact: wrong }), `${wrong}`).toBe('string');
});

test('what an app says of a visitor reaches identify() whole, so that a name which is none is refused there, too', async () => {
  const heard: unknown[] = [];
  const identify = async (who: unknown) => {
    heard.push(who);
    return { ok: true } as const;
  };
  const desk = {
    chat: async () => ({ identify }) as unknown as Parley,
    options: () => ({ ok: true }) as const,
    kept: () => ({ ok: true }) as const,
    back: () => ({ ok: true }) as const,
  };
  const said = {
    parley: 1,
    type: 'identify',
    id: 7,
    identifier: 'user-7',
    name: null,
    identifier_hash: hash,
  };
  const reading = read(said, false, desk);
  if (reading.kind === 'ask') await reading.work;
  expect(heard.map(whoOf)).toEqual(['identify() knows no "identifier_hash": write hash.']);
});

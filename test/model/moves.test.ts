/** The ledger's moves between conversations, and of what was told before the first words. */
import { expect, test } from 'vitest';
import {
  beginAttempt,
  beginOpening,
  choose,
  confirm,
  contactLost,
  conversationLost,
  emptyLedger,
  endAttempt,
  enqueue,
  flattened,
  heard,
  type Ledger,
  leave,
  mistaken,
  opened,
  retry,
  reunite,
  tell,
} from '../../src/model/ledger.js';

const at = (id: number): Ledger => ({ ...emptyLedger(), sourceId: 'us', conversationId: id });
const entry = { echoId: 'e', content: 'words', queuedAt: 0, files: [] };
const sure = (ledger: Ledger | undefined): Ledger => {
  if (!ledger) throw new Error('the move was refused');
  return ledger;
};

test('leaving lets go of the conversation, and only of the one that was meant', () => {
  expect(leave(at(4), 5)).toBeUndefined();
  expect(leave(at(4), 4)).toEqual({ ...emptyLedger(), sourceId: 'us', anew: true });
});

test.each([
  ['words that wait', sure(enqueue(at(4), entry))],
  ['refused words', { ...at(4), outbox: [{ ...entry, state: 'failed' as const, attempts: 1, status: 422 }] }],
])('%s hold the visitor where they are', (_, ledger) => {
  expect(leave(ledger, 4)).toBeUndefined();
  expect(choose(ledger, 5)).toBeUndefined();
});

test('what was merely found is not taken up after leaving, what was made is', () => {
  const left = sure(leave(at(4), 4));
  expect(opened(left, 4)).toBeUndefined();
  const opening = sure(beginOpening(left, undefined, { name: 'o', by: 't', limitMs: 1 }, [4]));
  expect(opened(opening, 5)).toEqual(at(5));
});

test('a conversation that may have been made for words which were taken back holds nobody, and is found again', () => {
  const opening = { name: 'o', by: 't', limitMs: 1, known: [4] };
  const begun = sure(beginOpening(sure(leave(at(4), 4)), undefined, opening, opening.known));
  const chosen = sure(choose(begun, 4));
  expect(chosen).toMatchObject({ conversationId: 4, opening: { known: [4] } });
  expect(opened(sure(leave(chosen, 4)), 5)).toEqual(at(5));
});

test('choosing takes the other one, and nothing when it is here already', () => {
  expect(choose(at(4), 4)).toBeUndefined();
  expect(choose(at(4), 5)).toEqual(at(5));
  expect(choose(sure(leave(at(4), 4)), 4)).toEqual(at(4));
});

const about = { contact: { name: 'A', email: 'a@b.c' }, conversation: { topic: 'x' } };

test('what was told goes part by part, and a later word of it stays', () => {
  const first = tell(emptyLedger(), about, ['name', 'email', 'topic'], ['name']);
  const told = tell(first, { contact: { name: 'B' }, conversation: {} }, [], []);
  expect(told).toMatchObject({ told: ['name'], about: { contact: { name: 'B', email: 'a@b.c' } } });
  expect(heard(told, about.contact).about).toEqual({ contact: { name: 'B' }, conversation: { topic: 'x' } });
  const known = heard(told, { name: 'B', email: 'a@b.c' });
  const made = sure(opened({ ...known, opening: { name: 'o', by: 't', limitMs: 1, known: [] } }, 7));
  expect(made).toEqual({ ...emptyLedger(), conversationId: 7, told: ['name'] });
});

test('a conversation that was found did not take along what was told', () => {
  expect(sure(opened(tell(emptyLedger(), about, [], []), 7)).about).toEqual(about);
});

test('refused facts become attributes, refused attributes one text, and a refused text nothing', () => {
  const told = tell(emptyLedger(), about, [], []);
  const moved = sure(mistaken(told, about.contact));
  expect(moved.about).toEqual({ contact: {}, conversation: { topic: 'x', name: 'A', email: 'a@b.c' } });
  const flat = flattened(moved);
  expect(flat.about?.conversation).toEqual({ pre_chat: 'topic: x\nname: A\nemail: a@b.c' });
  expect(flattened(flat).about).toBeUndefined();
});

test('what a tab was told while its database was slow comes home', () => {
  expect(
    reunite(emptyLedger(), tell(emptyLedger(), about, ['name', 'email', 'topic'], ['name'])).about,
  ).toEqual(about);
});

test('what waits in the one ledger and was sent by the other does not wait', () => {
  const waits = sure(enqueue(at(4), entry));
  const sent = { ...at(4), claims: [{ id: 9, echoId: 'e', home: 4 }] };
  expect(reunite(waits, sent)).toEqual(sent);
  expect(reunite(sent, waits)).toEqual(sent);
  // What neither has sent waits once.
  expect(reunite(waits, waits)).toEqual(waits);
});

test('the same name comes home to its thread, unless somebody has ended in between', () => {
  const home: Ledger = { ...at(4), identity: 'mary', generation: 3 };
  const named = { ...emptyLedger(1), identity: 'mary', sourceId: 'new' };
  expect(reunite(home, { ...named, since: 0 })).toEqual(home);
  expect(reunite(home, named)).toEqual({ ...named, generation: 4 });
  expect(reunite(home, { ...named, identity: 'bob', since: 0 })).toMatchObject({
    identity: 'bob',
    generation: 4,
  });
});

test('only attempts whose end nobody knows are counted against words, and anew once they are tried again', () => {
  let ledger = sure(enqueue(at(4), entry));
  const ends = ['queued', 'uncertain', 'uncertain', 'queued'] as const;
  for (const [made, state] of ends.entries()) {
    const begun = sure(beginAttempt(ledger, 'e', made, { by: 't', limitMs: 1 }, 0));
    ledger = sure(endAttempt(begun, 'e', made + 1, { state }));
    if (state === 'uncertain') ledger = sure(endAttempt(ledger, 'e', made + 1, { state: 'queued' }));
  }
  expect(ledger.outbox).toMatchObject([{ attempts: 4, doubts: 2 }]);
  const begun = sure(beginAttempt(ledger, 'e', 4, { by: 't', limitMs: 1 }, 0));
  // Nor can anybody say what became of one whose page has died.
  expect(sure(endAttempt(begun, 'e', 5, { state: 'queued' }, true)).outbox).toMatchObject([{ doubts: 3 }]);
  const anew = sure(retry(sure(endAttempt(begun, 'e', 5, { state: 'failed', status: 0 })), 'e', 7));
  expect(anew.outbox).toMatchObject([{ attempts: 5, state: 'queued', queuedAt: 7 }]);
  expect(anew.outbox[0]?.doubts).toBeUndefined();
});

test('a number that the service gives once more is of whom it names, and of nobody by words alone', () => {
  const queued = sure(enqueue({ ...at(4), claims: [{ id: 9, echoId: 'old', home: 4 }] }, entry));
  expect(confirm(queued, 'e', 9)).toBeUndefined();
  const named = { ...at(4), claims: [{ id: 9, echoId: 'e', home: 4 }] };
  expect(confirm(queued, 'e', 9, true)).toEqual(named);
  // What is confirmed already is not confirmed with another number.
  expect(confirm({ ...named, claims: [...named.claims, ...queued.claims] }, 'e', 7, true)).toBeUndefined();
});

test('claims go with the conversation, and with the contact, that the service does not know any more', () => {
  const there = { id: 8, echoId: 'b', home: 5 };
  const ledger = { ...at(4), claims: [there, { id: 9, echoId: 'a', home: 4 }] };
  expect(conversationLost(ledger, 4)?.claims).toEqual([there]);
  expect(contactLost(ledger, 'us', 'next')?.claims).toEqual([]);
});

/**
 * (messages, outbox, claims) → the rows that a person reads. Reconciliation is this function and not an event
 * handler: an entry whose message has come is simply not shown twice, in whatever order echo, answer and history
 * arrive. A row's key is the name we gave the message, for life, so its DOM node stays. What has not changed is the
 * same object as before, so that thousands of rows cost next to nothing when one comes.
 */
import type { Message } from '../wire/message.js';
import { wordsOf } from '../wire/words.js';
import { adopt } from './adopt.js';
import { firstOf, lowerBound } from './ascending.js';
import type { Ledger, OutboxEntry } from './ledger.js';

/** What is being kept may still come back to the field: nothing is said of it yet. */
export type RowState = 'keeping' | 'waiting' | 'sending' | 'checking' | 'failed' | 'sent';

/** How far a message of ours has come. Only the newest one says it, and the newest that was seen. */
export type Mark = 'sent' | 'delivered' | 'seen';

export interface Row {
  key: string;
  /** Whether the key is the name that we gave it. */
  named: boolean;
  /** Absent until the service has it. */
  message?: Message;
  entry?: OutboxEntry;
  mine: boolean;
  content: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Its calendar day, by the visitor's clock. */
  day: string;
  state: RowState;
  mark: Mark | undefined;
  /** The first row of a calendar day, by the visitor's clock. */
  startsDay: boolean;
  /** The first and the last of a run by one author within five minutes. */
  startsGroup: boolean;
  endsGroup: boolean;
}

const GROUP_MS = 5 * 60_000;

const entryStates = {
  queued: 'waiting',
  sending: 'sending',
  uncertain: 'checking',
  failed: 'failed',
} as const;

/**
 * @param messages ascending by id, without private ones and activity
 * @param seenAt when an agent last looked: seconds, by the service's clock
 * @param before the rows as they were
 * @param upTo what is not newer than this id is here, or further back; 0 while history has not come
 */
export function transcript(
  messages: readonly Message[],
  ledger: Pick<Ledger, 'outbox' | 'claims' | 'conversationId'>,
  names: ReadonlyMap<number, string>,
  seenAt = 0,
  before: Row[] = [],
  upTo = 0,
): Row[] {
  const ours = recognised(messages, ledger, names);
  const arrived = new Set(ours.values());
  /** So many at the beginning are as they were. Of thousands mostly all, so this is as little as can be. */
  let kept = 0;
  const marks: number[] = [];
  for (let old = before[0]; old?.message && old.message === messages[kept]; old = before[++kept]) {
    if (old.named && !ours.has(old.message.id)) break;
    if (old.mark) marks.push(kept);
  }
  for (const [id, name] of ours) {
    const place = lowerBound(messages, id);
    if (place < kept && before[place]?.key !== name) kept = place;
  }
  const rows = before.slice(0, kept);
  let at = kept;
  for (const message of messages.slice(kept)) {
    while ((before[at]?.message?.id ?? message.id) < message.id) at++;
    const old = before[at];
    const name = ours.get(message.id);
    const same = old?.message === message && (name === undefined ? !old.named : old.key === name);
    rows.push(same ? old : messageRow(message, name));
  }
  const others = before.slice(kept);
  const waiting = others.filter(({ entry }) => entry);
  // Another tab has settled it, and its message is still on its way here: its bubble stays, in its place.
  for (const old of waiting.reverse()) {
    const claim = ledger.claims.find(({ echoId }) => echoId === old.key);
    if (!claim || claim.home !== ledger.conversationId || claim.id <= upTo || arrived.has(old.key)) continue;
    const place = lowerBound(messages, claim.id);
    if (messages[place]?.id === claim.id) continue;
    rows.splice(place, 0, old);
    // Here it may be on its way to the disk still.
    arrived.add(old.key);
    kept = Math.min(kept, place);
  }
  for (const entry of ledger.outbox) {
    if (arrived.has(entry.echoId)) continue;
    // Being kept and kept already, it may be there twice for a moment.
    arrived.add(entry.echoId);
    rows.push(waiting.find((row) => row.entry === entry) ?? entryRow(entry));
  }
  // One that was seen may be so no more, and what is said further back counts again.
  const known = others.some(({ mark }) => mark === 'seen') ? 0 : kept;
  settle(rows, marked(rows, seenAt, known, marks), kept, marks);
  return rows.length === before.length && rows.every((row, i) => row === before[i]) ? before : rows;
}

const row = (at: number) => ({
  at,
  day: dayOf(at),
  mark: undefined,
  startsDay: false,
  startsGroup: false,
  endsGroup: false,
});

const messageRow = (message: Message, name: string | undefined): Row => ({
  key: name ?? `m${message.id}`,
  named: name !== undefined,
  message,
  mine: message.message_type === 0,
  content: wordsOf(message),
  state: 'sent',
  ...row(message.created_at * 1000),
});

const entryRow = (entry: OutboxEntry): Row => ({
  key: entry.echoId,
  named: true,
  entry,
  mine: true,
  content: entry.content,
  state: entry.attempts < 0 ? 'keeping' : entryStates[entry.state],
  ...row(entry.queuedAt),
});

/**
 * Which messages are ours, by the name we gave them: heard in this tab, or claimed by any. History may bring one
 * before anybody has claimed it; it is shown as ours at once, by the same rule that will claim it, so that no
 * second bubble appears meanwhile. A name belongs to one message: a second copy of it is a row of its own.
 */
function recognised(
  messages: readonly Message[],
  { outbox, claims }: Pick<Ledger, 'outbox' | 'claims'>,
  names: ReadonlyMap<number, string>,
): ReadonlyMap<number, string> {
  const ours = new Map<number, string>();
  const taken = new Set<string>();
  const own = (id: number, echoId: string) => {
    if (taken.has(echoId) || ours.has(id) || messages[lowerBound(messages, id)]?.id !== id) return;
    taken.add(echoId);
    ours.set(id, echoId);
  };
  for (const [id, echoId] of names) own(id, echoId);
  for (const { id, echoId } of claims) own(id, echoId);
  for (const entry of outbox) {
    const doubtful =
      entry.afterId !== undefined && (entry.state === 'sending' || entry.state === 'uncertain');
    if (!doubtful || taken.has(entry.echoId)) continue;
    const message = adopt(messages, entry, [...claims, ...[...ours].map(([id, echoId]) => ({ id, echoId }))]);
    if (message) own(message.id, entry.echoId);
  }
  return ours;
}

/**
 * What a row is among the others; a row that stays what it was stays the same object.
 * @param marks where one of those that are as they were says something
 */
function settle(rows: Row[], { newest, seen }: Marked, kept: number, marks: readonly number[]): void {
  const markOf = (row: Row, i: number) => (i === seen ? 'seen' : i === newest ? arrival(row) : undefined);
  // The last of those that are as they were may end its group no more.
  const from = Math.max(0, kept - 1);
  // The others say what they said, which was nothing.
  for (const i of [...marks, newest, seen]) {
    const row = i < from && rows[i];
    if (row && row.mark !== markOf(row, i)) rows[i] = { ...row, mark: markOf(row, i) };
  }
  let startsDay = !kept || rows[from]?.startsDay === true;
  let startsGroup = !kept || rows[from]?.startsGroup === true;
  for (let i = from; i < rows.length; i++) {
    const row = rows[i];
    if (!row) continue;
    const next = rows[i + 1];
    const endsDay = next?.day !== row.day;
    const endsGroup = endsDay || !next || !sameAuthor(row, next) || next.at - row.at > GROUP_MS;
    const mark = markOf(row, i);
    if (
      row.startsDay !== startsDay ||
      row.startsGroup !== startsGroup ||
      row.endsGroup !== endsGroup ||
      row.mark !== mark
    )
      rows[i] = { ...row, startsDay, startsGroup, endsGroup, mark };
    startsDay = endsDay;
    startsGroup = endsGroup;
  }
}

/** `failed` says that something behind the service has not taken it: agents have it. */
const arrival = ({ message }: Row): Mark => (message?.status === 'delivered' ? 'delivered' : 'sent');

interface Marked {
  newest: number;
  seen: number;
}

/**
 * The places of our newest message that has arrived, and of the newest that was seen. Among those that are as they were
 * that is the one that says so, or one that was there when an agent looked last.
 */
function marked(rows: readonly Row[], seenAt: number, kept: number, marks: readonly number[]): Marked {
  const ours = (i: number) => {
    const { mine, message } = rows[i] ?? {};
    return mine ? message : undefined;
  };
  const wasSeen = (i: number) => {
    const message = ours(i);
    return message && (message.status === 'read' || message.created_at <= seenAt);
  };
  let newest = rows.length - 1;
  while (newest >= 0 && !ours(newest)) newest--;
  let seen = newest;
  while (seen >= kept && !wasSeen(seen)) seen--;
  if (seen < kept) {
    seen = firstOf(rows, ({ at }) => at > seenAt * 1000) - 1;
    for (const i of marks) if (i < kept && i > seen && rows[i]?.mark === 'seen') seen = i;
    while (seen >= 0 && !wasSeen(seen)) seen--;
  }
  return { newest, seen };
}

const dayOf = (at: number) => new Date(at).toDateString();

function sameAuthor(a: Row, b: Row): boolean {
  if (a.mine || b.mine) return a.mine === b.mine;
  return (
    a.message?.sender?.id === b.message?.sender?.id && a.message?.sender?.type === b.message?.sender?.type
  );
}

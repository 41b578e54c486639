/**
 * The ledger: the one record that all tabs of a visitor share. It says who we are, which words still have to be
 * sent, and which of the service's messages are already ours. Every change is a pure function from one ledger to
 * the next, run inside a stored transaction, so that a tab which slept through a change can do no harm: a move
 * that no longer applies returns `undefined` and nothing happens. It knows no clock, no promise and no store.
 */
import * as z from 'zod/mini';
import type { Scalar } from '../parley.js';
import { mapOf } from '../wire/kinds.js';
import { MAX_ATTRIBUTE, PREVIOUS } from '../wire/limits.js';
import { FILES_LOST } from './lost.js';

const attemptSchema = z.object({
  /** The tab that made it. */
  by: z.string(),
  /** The request's own time limit. */
  limitMs: z.number(),
  /** Made under the lock: whoever has the lock later knows that its tab has let go, or is dead. */
  locked: z.optional(z.boolean()),
  /** How often it was heard of since: the limit counts from the last time. */
  beat: z.optional(z.number()),
});
type Attempt = z.infer<typeof attemptSchema>;

const outboxEntrySchema = z.object({
  /** Our name for the message, on the wire too. */
  echoId: z.string(),
  content: z.string(),
  /** When send was pressed, or it was last wanted tried again: milliseconds by the visitor's clock. */
  queuedAt: z.number(),
  /** Sizes of the files that go with it, so that the message can be recognised in history. */
  files: z.array(z.object({ name: z.string(), type: z.string(), size: z.number() })),
  /**
   * `queued` not tried, or tried and surely not carried out · `sending` an attempt is running, or its tab died ·
   * `uncertain` an attempt ended without a usable answer · `failed` refused for good, the words are kept.
   */
  state: z.literal(['queued', 'sending', 'uncertain', 'failed']),
  /** How many attempts were recorded; the number is the compare of every compare-and-set. Below 0 it is not kept yet. */
  attempts: z.number(),
  attempt: z.optional(attemptSchema),
  /** How many of them, since the visitor last wanted it sent, ended with nobody saying what became of it. */
  doubts: z.optional(z.number()),
  /** The newest message id known before the first attempt: what is not newer cannot be this message. */
  afterId: z.optional(z.number()),
  /** Why it failed: an HTTP status, 0 for none, `FILES_LOST` or `OVERDUE`. */
  status: z.optional(z.number()),
});
export type OutboxEntry = z.infer<typeof outboxEntrySchema>;

const isText = (value: unknown) => typeof value === 'string';

const aboutSchema = z.object({
  /** `name`, `email`, `phone_number`. */
  contact: mapOf<string>(isText),
  /** Custom attributes of the conversation to come. */
  conversation: mapOf<Scalar>(
    (value) => isText(value) || typeof value === 'boolean' || Number.isFinite(value),
  ),
});
export type About = z.infer<typeof aboutSchema>;

export const ledgerSchema = z.object({
  version: z.literal(1),
  /** Raised by logout and by a change of identity; whoever holds an older one is refused. */
  generation: z.number(),
  /** Since this generation it is the same person, who had no name or another one before. */
  since: z.optional(z.number()),
  /** Whom the host page says the visitor is; absent for an anonymous one. */
  identity: z.optional(z.string()),
  /** The contact's key, chosen by us before the service hears of it. A secret. */
  sourceId: z.optional(z.string()),
  /** The service has answered with the contact: if it does not know it, it has forgotten it. */
  met: z.optional(z.boolean()),
  conversationId: z.optional(z.number()),
  /** The visitor wants another conversation than those that exist: the next words make it. */
  anew: z.optional(z.boolean()),
  /** What the visitor has said of themselves before the first words, until the service has it. */
  about: z.optional(aboutSchema),
  /** The names of facts that need not be asked for again, and of those that only the next conversation asks for. */
  told: z.optional(z.array(z.string())),
  answered: z.optional(z.array(z.string())),
  /** A creation of the conversation that was begun, by a name of its own, and the ids that existed before the first. */
  opening: z.optional(
    z.object({ name: z.string(), by: z.string(), limitMs: z.number(), known: z.array(z.number()) }),
  ),
  outbox: z.array(outboxEntrySchema),
  /** Server messages that are known to be ours, newest last, with the name we gave them and their conversation. */
  claims: z.array(z.object({ id: z.number(), echoId: z.string(), home: z.optional(z.number()) })),
});
export type Ledger = z.infer<typeof ledgerSchema>;

const CLAIMS_KEPT = 200;
/** The attribute that holds answers which the service does not take one by one. */
const PLAIN = 'pre_chat';

export const emptyLedger = (generation = 0): Ledger => ({ version: 1, generation, outbox: [], claims: [] });

const entryOf = (ledger: Ledger, echoId: string) => ledger.outbox.find((entry) => entry.echoId === echoId);

const withEntry = (ledger: Ledger, echoId: string, change: (entry: OutboxEntry) => OutboxEntry): Ledger => ({
  ...ledger,
  outbox: ledger.outbox.map((entry) => (entry.echoId === echoId ? change(entry) : entry)),
});

/** Adds a message at the end of the queue. A second call with the same name changes nothing, even after it was sent. */
export function enqueue(
  ledger: Ledger,
  entry: Pick<OutboxEntry, 'echoId' | 'content' | 'queuedAt' | 'files'>,
): Ledger | undefined {
  if (entryOf(ledger, entry.echoId) || ledger.claims.some((claim) => claim.echoId === entry.echoId))
    return undefined;
  return { ...ledger, outbox: [...ledger.outbox, { ...entry, state: 'queued', attempts: 0 }] };
}

/** The entry whose turn it is: the oldest one that was not refused for good. */
export const head = (ledger: Ledger): OutboxEntry | undefined =>
  ledger.outbox.find((entry) => entry.state !== 'failed');

/**
 * Records an attempt before its bytes leave. Refused unless the entry is still the head, still at the attempt
 * that the caller saw, and not being sent or in doubt.
 */
export function beginAttempt(
  ledger: Ledger,
  echoId: string,
  seenAttempts: number,
  attempt: Attempt,
  newestId: number,
): Ledger | undefined {
  const entry = head(ledger);
  if (entry?.echoId !== echoId || entry.state !== 'queued' || entry.attempts !== seenAttempts)
    return undefined;
  return withEntry(ledger, echoId, (e) => ({
    ...e,
    state: 'sending',
    attempts: e.attempts + 1,
    attempt,
    afterId: e.afterId ?? newestId,
  }));
}

/** The attempt is alive: its bytes still move. Refused when the entry has moved on. */
export function beat(ledger: Ledger, echoId: string, attempts: number): Ledger | undefined {
  const entry = entryOf(ledger, echoId);
  if (entry?.attempts !== attempts || entry.state !== 'sending' || !entry.attempt) return undefined;
  const { attempt } = entry;
  return withEntry(ledger, echoId, (e) => ({ ...e, attempt: { ...attempt, beat: (attempt.beat ?? 0) + 1 } }));
}

/**
 * What became of an attempt. Refused when the entry has moved on to another attempt, or is gone.
 * @param doubted nobody has said what became of it
 */
export function endAttempt(
  ledger: Ledger,
  echoId: string,
  attempts: number,
  outcome: { state: 'queued' | 'uncertain' } | { state: 'failed'; status: number },
  doubted: boolean = outcome.state === 'uncertain',
): Ledger | undefined {
  const entry = entryOf(ledger, echoId);
  if (entry?.attempts !== attempts || (entry.state !== 'sending' && entry.state !== 'uncertain'))
    return undefined;
  const { doubts = 0 } = entry;
  const doubt = doubted && { doubts: doubts + 1 };
  return withEntry(ledger, echoId, ({ attempt: _over, ...e }) => ({ ...e, ...outcome, ...doubt }));
}

/**
 * The service's message `id` is our message `echoId`: the entry goes and the claim stays. Holds from every state,
 * and even after the visitor discarded the entry. Refused when the message already counts for another entry, unless
 * the service itself has named it: one that was restored from a backup gives ids of messages that are no more.
 */
export function confirm(ledger: Ledger, echoId: string, id: number, named?: boolean): Ledger | undefined {
  const claims = ledger.claims.filter((c) => !(named && c.id === id && c.echoId !== echoId));
  const claim = claims.find((c) => c.id === id || c.echoId === echoId);
  if (claim && !(claim.id === id && claim.echoId === echoId && entryOf(ledger, echoId))) return undefined;
  return {
    ...ledger,
    outbox: ledger.outbox.filter((entry) => entry.echoId !== echoId),
    claims: claim ? claims : [...claims, { id, echoId, home: ledger.conversationId }].slice(-CLAIMS_KEPT),
  };
}

/** A message that cannot be sent as it was written: refused by ourselves, its words are kept. */
export function unsendable(ledger: Ledger, echoId: string): Ledger | undefined {
  if (entryOf(ledger, echoId)?.state !== 'queued') return undefined;
  return withEntry(ledger, echoId, (entry) => ({ ...entry, state: 'failed', status: FILES_LOST }));
}

/** The visitor wants a refused message tried again. It keeps its name and takes its turn at the end. */
export function retry(ledger: Ledger, echoId: string, queuedAt: number): Ledger | undefined {
  const entry = entryOf(ledger, echoId);
  if (entry?.state !== 'failed') return undefined;
  const { status: _old, doubts: _over, ...kept } = entry;
  const others = ledger.outbox.filter((e) => e !== entry);
  return { ...ledger, outbox: [...others, { ...kept, queuedAt, state: 'queued' }] };
}

/** The visitor takes a message back. Refused while an attempt is running or in doubt: it may have arrived. */
export function discard(ledger: Ledger, echoId: string): Ledger | undefined {
  const entry = entryOf(ledger, echoId);
  if (!entry || entry.state === 'sending' || entry.state === 'uncertain') return undefined;
  return { ...ledger, outbox: ledger.outbox.filter((e) => e !== entry) };
}

/**
 * Records that a conversation is about to be created, and which ones existed before. Refused when the creation that
 * the caller saw is not the last one any more.
 */
export function beginOpening(
  ledger: Ledger,
  seen: string | undefined,
  attempt: { name: string; by: string; limitMs: number },
  known: number[],
): Ledger | undefined {
  if (ledger.conversationId !== undefined || ledger.opening?.name !== seen) return undefined;
  return { ...ledger, opening: { ...attempt, known: ledger.opening?.known ?? known } };
}

/**
 * The conversation is there: words go into it from now on. Refused to one that was merely found, once the visitor wants
 * another.
 * @param said the facts that it was made with, where that is known: what was told since waits for the next one
 */
export function opened(
  ledger: Ledger,
  conversationId: number,
  said?: About['conversation'],
): Ledger | undefined {
  if (ledger.conversationId !== undefined || (ledger.anew && !ledger.opening)) return undefined;
  const { opening: made, anew: _found, ...kept } = ledger;
  if (!made) return { ...kept, conversationId };
  const { about, answered: _for, ...rest } = kept;
  const left = about && { ...about, conversation: without(about.conversation, said ?? about.conversation) };
  return { ...rest, conversationId, ...(left && saysAnything(left) ? { about: left } : {}) };
}

/** The service does not know the conversation any more: the words wait for another one, which may count anew. */
export function conversationLost(ledger: Ledger, conversationId: number): Ledger | undefined {
  if (ledger.conversationId !== conversationId) return undefined;
  const { conversationId: _gone, opening: _old, ...kept } = ledger;
  const claims = kept.claims.filter(({ home }) => home !== conversationId);
  return { ...kept, outbox: kept.outbox.map(requeued), claims };
}

/** The service does not know the contact any more: a new one is made, and the words are for it. */
export function contactLost(ledger: Ledger, sourceId: string, next: string): Ledger | undefined {
  if (ledger.sourceId !== sourceId) return undefined;
  const { conversationId: _gone, opening: _old, met: _met, anew: _anew, told: _told, ...kept } = ledger;
  return { ...kept, sourceId: next, outbox: ledger.outbox.map(requeued), claims: [] };
}

/** A key that was chosen here and that the service has never heard of. Refused while it may yet make a contact of it. */
export function unchosen(ledger: Ledger, id: string): Ledger | undefined {
  if (ledger.sourceId !== id || ledger.met || ledger.opening || busy(ledger)) return undefined;
  const { sourceId: _unknown, ...kept } = ledger;
  return kept;
}

/** A new home: old baselines mean nothing there, and what was in doubt is gone with the old one. */
function requeued(entry: OutboxEntry): OutboxEntry {
  if (entry.state === 'failed') return entry;
  const { afterId: _id, attempt: _attempt, ...kept } = entry;
  return { ...kept, state: 'queued' };
}

/** Whether the ledger that a tab kept for itself is of somebody else, or of whoever came after who is in the other. */
export function isAnothers(ledger: Ledger, stray: Ledger): boolean {
  const { since = stray.generation } = stray;
  const kin =
    (stray.sourceId !== undefined && stray.sourceId === ledger.sourceId) ||
    // Named anew by the page, and nobody has ended since the tab began.
    (stray.identity !== undefined && stray.identity === ledger.identity && since === 0);
  const other = stray.identity !== undefined && stray.identity !== ledger.identity;
  return !kin && (other || stray.generation > 0);
}

/**
 * A browser that was slow to open its database made a tab keep a ledger of its own. Its words go on here: what is
 * neither waiting nor sent already waits now, and a home that is not known yet is taken over. But where an identity
 * has ended in it, or another one begun, nothing of before that is left.
 */
export function reunite(ledger: Ledger, stray: Ledger): Ledger {
  const { generation } = ledger;
  if (isAnothers(ledger, stray)) return { ...stray, generation: Math.max(generation, stray.generation) + 1 };
  const claimed = new Set(ledger.claims.map(({ echoId }) => echoId));
  const claims = stray.claims.filter(({ echoId }) => !claimed.has(echoId));
  for (const { echoId } of claims) claimed.add(echoId);
  // What waits in the one may have been sent by the other.
  const waiting = ledger.outbox
    .filter(({ echoId }) => !claimed.has(echoId))
    .map(
      (entry) => stray.outbox.find((e) => e.echoId === entry.echoId && e.attempts > entry.attempts) ?? entry,
    );
  for (const { echoId } of waiting) claimed.add(echoId);
  const words = stray.outbox.filter(({ echoId }) => !claimed.has(echoId));
  const { sourceId, met, conversationId, about } = stray;
  const homeless =
    ledger.sourceId === undefined || (ledger.sourceId === sourceId && ledger.conversationId === undefined);
  return {
    ...ledger,
    ...(homeless && sourceId !== undefined ? { sourceId } : {}),
    ...(homeless && met !== undefined ? { met } : {}),
    ...(homeless && conversationId !== undefined ? { conversationId } : {}),
    ...(about && !ledger.about ? { about } : {}),
    outbox: [...waiting, ...(homeless || ledger.sourceId === sourceId ? words : words.map(requeued))],
    claims: [...ledger.claims, ...claims].slice(-CLAIMS_KEPT),
  };
}

/**
 * The same person under another name, for whom a ledger begins anew: their next conversation tells which one they had
 * while they had no name. One that was somebody's by name is not told.
 */
export function handedOver(before: Ledger, next: Ledger): Ledger {
  const { identity, conversationId, anew, claims, about } = before;
  const home = identity === undefined ? (conversationId ?? (anew && claims.at(-1)?.home)) : undefined;
  const told = home || about?.conversation[PREVIOUS];
  return told ? { ...next, about: { contact: {}, conversation: { [PREVIOUS]: told } } } : next;
}

/** Words that wait belong where they were written. A conversation that may have been made for others is found again. */
const busy = (ledger: Ledger) => ledger.outbox.length > 0;

/** The visitor leaves the conversation: the next words make another one. Refused while words wait. */
export function leave(ledger: Ledger, id: number): Ledger | undefined {
  if (ledger.conversationId !== id || busy(ledger)) return undefined;
  const { conversationId: _left, ...kept } = ledger;
  return { ...kept, anew: true };
}

/** The visitor goes on with another conversation. Refused while words wait. */
export function choose(ledger: Ledger, id: number): Ledger | undefined {
  if (ledger.conversationId === id || busy(ledger)) return undefined;
  const { anew: _found, ...kept } = ledger;
  return { ...kept, conversationId: id };
}

/**
 * What the visitor answered before the first words.
 * @param names of all that was asked, blank answers too
 * @param forGood which of them no later conversation asks for again
 */
export function tell(
  ledger: Ledger,
  about: About,
  names: readonly string[],
  forGood: readonly string[],
): Ledger {
  const { contact, conversation } = ledger.about ?? { contact: {}, conversation: {} };
  return {
    ...ledger,
    about: {
      contact: { ...contact, ...about.contact },
      conversation: { ...conversation, ...about.conversation },
    },
    told: [...new Set([...(ledger.told ?? []), ...forGood])],
    answered: [...new Set([...(ledger.answered ?? []), ...names])],
  };
}

const saysAnything = ({ contact, conversation }: About) =>
  Object.keys(contact).length + Object.keys(conversation).length > 0;

/** The service has these facts of the contact; what was said since then stays. */
export function heard(ledger: Ledger, sent: About['contact']): Ledger {
  const { about, ...kept } = ledger;
  if (!about) return ledger;
  const rest = { ...about, contact: without(about.contact, sent) };
  return saysAnything(rest) ? { ...kept, about: rest } : kept;
}

const without = <T>(facts: Record<string, T>, sent: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(facts).filter(([name, value]) => sent[name] !== value));

/** The service does not take these facts as the contact's own: its people read them with the conversation. */
export function mistaken(ledger: Ledger, sent: About['contact']): Ledger | undefined {
  const { about } = ledger;
  if (!about) return undefined;
  const contact = without(about.contact, sent);
  return { ...ledger, about: { contact, conversation: { ...about.conversation, ...sent } } };
}

/** The service does not take these attributes either: they become one text, and that is given up if it must be. */
export function flattened(ledger: Ledger): Ledger {
  const { about, ...kept } = ledger;
  if (!about) return ledger;
  const facts = Object.entries(about.conversation).filter(([name]) => name !== PLAIN);
  const text = facts.map(([name, value]) => `${name}: ${value}`).join('\n');
  const rest = { ...about, conversation: text ? { [PLAIN]: text.slice(0, MAX_ATTRIBUTE) } : {} };
  return saysAnything(rest) ? { ...kept, about: rest } : kept;
}

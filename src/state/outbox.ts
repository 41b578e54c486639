/**
 * Sends what the visitor wrote: kept before anything of it leaves, recorded before its bytes do, strictly in order,
 * one at a time over all tabs. An attempt without a usable answer is looked for in history before it is repeated.
 * It does not know sockets or markup; when the network fails it says so and waits to be called again.
 */
import { atom } from 'nanostores';
import { sendLimitMs, UPLOAD_LIMIT_MS } from '../api/inbox.js';
import { type ChatError, fail, isBarred, isNotFound, ok, type Result, verdict } from '../errors.js';
import { toJson } from '../json.js';
import { adopt } from '../model/adopt.js';
import {
  beginAttempt,
  confirm,
  discard,
  endAttempt,
  enqueue,
  head,
  type OutboxEntry,
  retry,
  unsendable,
} from '../model/ledger.js';
import { createShelf } from '../model/shelf.js';
import type { KeptFile } from '../page-held.js';
import type { Message } from '../wire/message.js';
import type { ContactState } from './contact.js';
import type { createConversationState } from './conversation.js';
import type { MessagesState } from './messages.js';
import { type Patience, restMs } from './patience.js';
import type { Session } from './session.js';
import { createUploads } from './uploads.js';

const LOCK_PATIENCE_MS = 5_000;
const FLOOD_MS = 60_000;
const BUSY_MS = 10_000;
/** A contact or an inbox that is refused for good is asked about again, but seldom. */
const REFUSED_MS = 15 * 60_000;
/** A message that the service has so often neither taken nor refused no longer holds up the ones behind it. */
const MAX_ATTEMPTS = 12;
/** What no text may hold, as services keep it: they refuse it, or give back something else than was sent. */
const asKept = (words: string) => words.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD');

/** What a step decided: go on at once, look again later, or stop until something changes. */
type Step = { again: true } | { waitMs: number } | { stop: true };
const AGAIN: Step = { again: true };
const STOP: Step = { stop: true };
const LATER: Step = { waitMs: BUSY_MS };

export interface Written {
  content: string;
  files: KeptFile[];
}

export interface OutboxEvents {
  /** A request of ours ended: with `network`, the line is in question. @param signed with a proof of who asked */
  answered: (error: ChatError | undefined, signed?: boolean) => void;
  /** How much of a message with files has left; undefined when that is over. */
  progress: (echoId: string, fraction: number | undefined) => void;
  /** Everything that could be sent has been. */
  idle: () => void;
  online: () => boolean;
}

export function createOutbox(
  session: Session,
  parts: {
    contact: ContactState;
    conversation: ReturnType<typeof createConversationState>;
    messages: MessagesState;
    patience: Patience;
  },
  on: OutboxEvents,
) {
  const { env, api, $ledger, update, tab, tabs } = session;
  const { contact, conversation, messages, patience } = parts;
  /**
   * On their way to the disk: shown already, because the disk may take more than a frame. Until they are there the
   * draft has the words, too, and gives them back if they cannot be kept.
   */
  const $keeping = atom<readonly OutboxEntry[]>([]);
  let draining: Promise<void> | undefined;
  let askedAgain = false;
  let cancelTimer = () => {};
  let notBefore = 0;
  /** Who asked last, and for what … */
  let asker = '';
  let signed = false;
  /** … and who was refused for good, or with a proof, which some services refuse by an error of their own. */
  let refusedFor: string | undefined;
  /** How often in a row it was not there. */
  let absences = 0;
  const uploads = createUploads(session, on.progress);
  const refusals = new Map<string, number>();
  const takenBack = new Set<string>();
  const shelve = createShelf();
  session.own(() => cancelTimer());

  // With the state: when a tab hears that another's attempt has ended, the waiting begins anew.
  const keyOf = (entry: OutboxEntry) =>
    `${entry.echoId}:${entry.attempts}:${entry.state}:${entry.attempt?.beat}`;

  /** Who asks, and for what. */
  const asking = () => {
    const { sourceId, conversationId } = $ledger.get();
    return toJson([sourceId, conversationId, contact.proof()]);
  };

  /** The message is ours, `named` by the service or not; not when the words have gone to another home since. */
  async function confirmed(echoId: string, message: Message, home: number, named = true): Promise<Step> {
    if (home !== $ledger.get().conversationId) return AGAIN;
    messages.name(message.id, echoId);
    messages.put([message]);
    session.shareMessage({ ...message, echo_id: echoId });
    const moved = await update((ledger) =>
      ledger.conversationId === home ? confirm(ledger, echoId, message.id, named) : undefined,
    );
    return moved.ok ? AGAIN : LATER;
  }

  async function step(locked: boolean): Promise<Step> {
    const read = await session.refresh();
    if (!read.ok) return read.error.kind === 'storage' ? LATER : STOP;
    const now = env.wall();
    if (shelve(read.value, now)) return (await update((ledger) => shelve(ledger, now))).ok ? AGAIN : LATER;
    const entry = head(read.value);
    if (!entry || session.ended()) return STOP;
    // Somebody else may be let in, or elsewhere.
    asker = asking();
    signed = contact.signed();
    if (refusedFor !== undefined && refusedFor !== asker) notBefore = 0;
    const waitMs = notBefore - env.monotonic();
    if (waitMs > 0) return { waitMs };
    refusedFor = undefined;
    if (!on.online()) return STOP;

    const known = await contact.ensure();
    if (!known.ok) return trouble(known.error);
    const place = await conversation.ensure(known.value.source_id);
    if (!place.ok) {
      // The contact went meanwhile: it is asked for again, and then made anew.
      if (!isNotFound(place.error)) return trouble(place.error);
      contact.forget();
      return LATER;
    }
    absences = 0;
    if ('waitMs' in place.value) return place.value;
    messages.follow(place.value.id);
    if (place.value.created) messages.begin(place.value.created);

    if (entry.state === 'queued') return send(entry, known.value.source_id, place.value.id, locked);
    return reconcile(entry, locked);
  }

  async function send(
    entry: OutboxEntry,
    sourceId: string,
    conversationId: number,
    locked: boolean,
  ): Promise<Step> {
    // Without knowing the newest message, an old equal one could later be taken for this one.
    if (messages.$hasOlder.get() === undefined) {
      const synced = await messages.sync();
      if (!synced.ok) return isNotFound(synced.error) ? rehome(conversationId) : trouble(synced.error);
    }
    const kept = await uploads.filesOf(entry);
    if (kept === undefined) return LATER;
    const files = kept?.map((file) => new File([file.bytes], file.name, { type: file.type }));
    if (!files) {
      // They were kept by a page that is gone; without them it would be another message.
      const moved = await update((ledger) => unsendable(ledger, entry.echoId));
      return moved.ok ? AGAIN : LATER;
    }
    let bytes = 0;
    for (const { size } of files) bytes += size;
    const watches = files.length > 0 && env.upload !== undefined;
    const limitMs = watches ? UPLOAD_LIMIT_MS : sendLimitMs(bytes);
    let inTime = () => false;
    const begun = await update((ledger) => {
      if (ledger.sourceId !== sourceId || ledger.conversationId !== conversationId) return undefined;
      inTime = patience.handOff();
      const attempt = { by: tab, limitMs: limitMs + patience.moreMs(), locked };
      return beginAttempt(ledger, entry.echoId, entry.attempts, attempt, messages.newestId());
    });
    if (!begun.ok) return LATER;
    if (!begun.value) return AGAIN;
    const attempt = { ...entry, attempts: entry.attempts + 1 };
    if (!inTime()) {
      await update((ledger) => endAttempt(ledger, entry.echoId, attempt.attempts, { state: 'queued' }));
      return AGAIN;
    }

    const message = { ...attempt, files, limitMs };
    const answer = watches
      ? await uploads.send(sourceId, conversationId, message, bytes)
      : await api.createMessage(sourceId, conversationId, message);
    if (answer.ok && isAnswerTo(answer.value, conversationId)) {
      on.answered(undefined);
      return confirmed(entry.echoId, answer.value, conversationId);
    }
    return unsent(attempt, answer.ok ? { kind: 'contract', at: 'messages' } : answer.error, conversationId);
  }

  const isAnswerTo = (message: Message, conversationId: number) =>
    message.message_type === 0 && (message.conversation_id ?? conversationId) === conversationId;

  async function unsent(attempt: OutboxEntry, error: ChatError, conversationId: number): Promise<Step> {
    const { echoId, attempts, doubts = 0 } = attempt;
    if (error.kind === 'gone') return STOP;
    const said = verdict(error);
    if (error.kind === 'unsent') {
      const unwanted = uploads.unwanted(echoId);
      // Whatever cuts it each time would do so for ever, and nothing behind it would leave.
      const poison = !unwanted && attempts % MAX_ATTEMPTS === 0;
      const ended = await update((ledger) => {
        const queued = endAttempt(
          ledger,
          echoId,
          attempts,
          poison ? { state: 'failed', status: 0 } : { state: 'queued' },
        );
        return queued && unwanted ? discard(queued, echoId) : queued;
      });
      if (unwanted) return ended.ok ? AGAIN : LATER;
      on.answered({ kind: 'network' });
      return STOP;
    }
    if (said === 'uncertain') {
      patience.began(keyOf({ ...attempt, state: 'uncertain' }));
      await update((ledger) => endAttempt(ledger, echoId, attempts, { state: 'uncertain' }));
      on.answered(error);
      const asked = error.kind === 'http' && error.retryAfterMs;
      const lost = error.kind === 'network';
      // A line that was lost may go on at once; one that is lost over these words each time may not.
      return lost && !doubts ? STOP : rest(asked || restMs(doubts, env.random()), lost);
    }
    const missing = isNotFound(error) && attempts % MAX_ATTEMPTS;
    const history = isBarred(error) && (await messages.sync());
    // Where nothing else is let through either, it is not for these words; and no proof goes with them.
    const held = said === 'again' ? error : history && !history.ok && history.error;
    if (held) signed = false;
    else on.answered(undefined);
    if (missing || held) {
      await update((ledger) => endAttempt(ledger, echoId, attempts, { state: 'queued' }));
      return held ? trouble(held) : rehome(conversationId);
    }
    return refused(attempt, error.kind === 'http' ? error.status : 0);
  }

  /** A refusal holds even while the browser will not keep it. */
  async function refused({ echoId, attempts }: OutboxEntry, status: number): Promise<Step> {
    refusals.set(`${echoId}:${attempts}`, status);
    const ended = await update((ledger) => endAttempt(ledger, echoId, attempts, { state: 'failed', status }));
    return ended.ok ? AGAIN : LATER;
  }

  async function rehome(conversationId: number): Promise<Step> {
    const rehomed = await conversation.lost(conversationId);
    return rehomed.ok ? AGAIN : trouble(rehomed.error);
  }

  async function reconcile(entry: OutboxEntry, locked: boolean): Promise<Step> {
    const status = refusals.get(`${entry.echoId}:${entry.attempts}`);
    if (status !== undefined) return refused(entry, status);
    const theirs = entry.state === 'sending' && entry.attempt?.by !== tab;
    const { conversationId = 0 } = $ledger.get();
    const found = await messages.since(entry.afterId ?? 0);
    if (!found.ok) {
      if (isNotFound(found.error)) return rehome(conversationId);
      return trouble(found.error);
    }
    on.answered(undefined);
    // Another tab may have settled it meanwhile: then an equal message is not this one.
    if (!$ledger.get().outbox.some((e) => e.echoId === entry.echoId && e.attempts === entry.attempts))
      return AGAIN;
    const message = adopt(found.value, entry, $ledger.get().claims);
    messages.put(found.value);
    if (message) return confirmed(entry.echoId, message, conversationId, message.echo_id === entry.echoId);
    const waitMs = patience.absent(keyOf(entry), theirs ? (entry.attempt?.limitMs ?? 0) : 0);
    const over = !theirs || (locked && entry.attempt?.locked === true);
    // A service that keeps names answers a repeat with the stored message, so nobody needs to wait for proof.
    if (waitMs > 0 && !(api.echoKept() && over && (await uploads.filesOf(entry)))) return { waitMs };
    const poison = (entry.doubts ?? 0) >= MAX_ATTEMPTS;
    const ended = await update((ledger) =>
      endAttempt(
        ledger,
        entry.echoId,
        entry.attempts,
        poison ? { state: 'failed', status: 0 } : { state: 'queued' },
        // Its page has died over it.
        entry.state === 'sending',
      ),
    );
    return ended.ok ? AGAIN : LATER;
  }

  function refusalMs(error: ChatError & { kind: 'http' }): number {
    const busyMs = BUSY_MS * (1 + 5 * env.random());
    const isFinal = verdict(error) === 'final';
    if (isFinal || (signed && error.status === 500)) refusedFor = asker;
    if (!isFinal) return error.retryAfterMs ?? (error.status === 422 ? FLOOD_MS : busyMs);
    // A service that is being started may not know its inboxes yet.
    return isNotFound(error) ? Math.min(REFUSED_MS, busyMs * 2 ** absences++) : REFUSED_MS;
  }

  function rest(waitMs: number, stop = false): Step {
    notBefore = env.monotonic() + waitMs;
    return stop ? STOP : { waitMs };
  }

  function trouble(error: ChatError): Step {
    // There may be room again.
    if (error.kind === 'storage') return LATER;
    on.answered(error, signed);
    if (error.kind !== 'http' && error.kind !== 'contract') return STOP;
    return rest(error.kind === 'contract' ? BUSY_MS : refusalMs(error));
  }

  async function work(locked: boolean): Promise<void> {
    for (;;) {
      askedAgain = false;
      const next = await step(locked);
      if (session.ended()) return;
      if ('again' in next || askedAgain) continue;
      if ('waitMs' in next) cancelTimer = env.after(next.waitMs, () => void drain());
      return;
    }
  }

  /** Sends what can be sent. Calls while it works make it look once more. */
  function drain(): Promise<void> {
    askedAgain = true;
    draining ??= (async () => {
      cancelTimer();
      askedAgain = false;
      if (session.ended()) return;
      await tabs.exclusive('outbox', LOCK_PATIENCE_MS, work);
    })().finally(() => {
      draining = undefined;
      if (!askedAgain && !session.ended()) on.idle();
      // Asked between the last step and here: nobody else would look.
      if (askedAgain && !session.ended()) void drain();
    });
    return draining;
  }

  return {
    $keeping,
    drain,
    /** The service has said when to come back, and it is not yet. */
    waits: () => notBefore > env.monotonic(),
    /** A contact and a conversation may be in the making. */
    busy: () => draining !== undefined,
    confirmed,
    async send(words: string, files: KeptFile[] = []): Promise<Result<string>> {
      const content = asKept(words);
      const echoId = env.uuid();
      const described = files.map(({ name, type, bytes }) => ({ name, type, size: bytes.byteLength }));
      const entry = { echoId, content, files: described, queuedAt: env.wall() };
      $keeping.set([...$keeping.get(), { ...entry, state: 'queued', attempts: -1 }]);
      const moved = await update((ledger) => enqueue(ledger, entry), { echoId, files });
      $keeping.set($keeping.get().filter((one) => one.echoId !== echoId));
      if (!moved.ok) return fail(moved.error);
      // Written here, it is none that waited for this page.
      shelve($ledger.get(), entry.queuedAt);
      // Whoever writes on asks themselves.
      if (refusedFor !== undefined) notBefore = 0;
      void drain();
      return ok(echoId);
    },
    async retry(echoId: string): Promise<void> {
      await update((ledger) => retry(ledger, echoId, env.wall()));
      shelve($ledger.get(), env.wall());
      notBefore = 0;
      void drain();
    },
    async takeBack(echoId: string): Promise<Written | undefined> {
      const has = (all: readonly { echoId: string }[]) => all.some((one) => one.echoId === echoId);
      const entry = $ledger.get().outbox.find((one) => one.echoId === echoId);
      // Pressed once more: it is given back once.
      if (!entry || takenBack.has(echoId)) return undefined;
      takenBack.add(echoId);
      const kept = await session.store.files(echoId);
      let gone = false;
      if (kept.ok) {
        const leaves = entry.state === 'sending';
        if (leaves) await uploads.cancel(echoId);
        // Ended for it, it has gone already; refused for now, or sent to a conversation that is no more, it waits anew.
        const { outbox, claims } = $ledger.get();
        gone = leaves && !has(outbox) && !has(claims);
        const moved = await update((ledger) => discard(ledger, echoId));
        gone ||= moved.ok && moved.value !== undefined;
      }
      takenBack.delete(echoId);
      return gone && kept.ok ? { content: entry.content, files: kept.value } : undefined;
    },
    async discard(echoId: string): Promise<boolean> {
      const moved = await update((ledger) => discard(ledger, echoId));
      return moved.ok && moved.value !== undefined;
    },
  };
}

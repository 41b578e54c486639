/**
 * All conversations of the visitor: listed, left, chosen and ended, and what comes into those that are not before
 * their eyes. Which one words go into is the ledger's; how one is made is in `conversation.ts`.
 */
import { atom, effect } from 'nanostores';
import { fail, isNotFound, ok, type Result } from '../errors.js';
import { conversationLines, isTheirs } from '../model/conversations.js';
import { choose, leave } from '../model/ledger.js';
import { unseen } from '../model/unread.js';
import { GLANCE_MS } from '../realtime/reconnect.js';
import type { Conversation, Standing } from '../wire/conversation.js';
import type { Message } from '../wire/message.js';
import { createElsewhere } from './elsewhere.js';
import type { Front } from './front.js';
import type { OurInbox } from './inbox.js';
import { createLane } from './lane.js';
import type { MessagesState } from './messages.js';
import type { Session } from './session.js';

/** After a list that has failed: it is the largest answer of all, and what is new elsewhere nobody else tells. */
const AGAIN_MS = 60_000;
/** So many of those before the visitor's eyes may be newer than the list. */
const NEWEST = 20;

/**
 * @param recognised called with the current one, as the service gives it
 * @param chosen the visitor has gone to one: may something be unread in it, and what did the list say of it
 */
export function createConversations(
  session: Session,
  front: Front,
  messages: MessagesState,
  inbox: OurInbox,
  lost: (conversationId: number) => Promise<Result<unknown>>,
  recognised: (current: Conversation) => void,
  chosen: (conversationId: number, news: boolean, listed: Standing | undefined) => void,
) {
  const { api, env, local, $ledger, update } = session;
  const $listed = atom<readonly Conversation[] | undefined>(undefined);
  /** What has come since they were listed: it may have gaps, and is no history. */
  const $since = atom<readonly Message[]>([]);
  const elsewhere = createElsewhere(session);
  /** The conversation whose state was told since the line was last in question. */
  let sure: number | undefined;
  /** How often it was told. */
  let tellings = 0;
  /** Nobody has told what was said elsewhere since then. */
  let missed = true;
  /** How often in a row they could not be listed. */
  let failures = 0;
  let returning = false;
  /** How often the line has been in question. */
  let doubts = 0;
  /** How often it had been when they were listed: since then it has brought each change of a state. */
  let listedIn: number | undefined;
  let again = () => {};
  /** Each finds the field as the one before has left it. */
  const { inTurn } = createLane();
  session.own(() => again());
  const current = () => $ledger.get().conversationId;
  const live = () => front.$line.get() === 'live';

  /** A conversation that is chosen may bring once more what was told of while it was another one. */
  const told = new Set<number>();
  function arrived(message: Message) {
    if (told.size < told.add(message.id).size) front.arrived(message);
  }

  /** The state of the current conversation, kept because a long one is not asked for it. */
  function setStatus(id: number, status: string | undefined) {
    front.$status.set(status);
    session.note('status', [id, status]);
  }

  function recallStatus(id: number | undefined) {
    const kept: unknown = front.local.get('status');
    const [of, status]: unknown[] = Array.isArray(kept) ? kept : [];
    front.$status.set(of === id && typeof status === 'string' ? status : undefined);
  }

  function tell({ id, status }: Pick<Conversation, 'id' | 'status'>) {
    const listed = $listed.get();
    if (listed?.some((one) => one.id === id && one.status !== status))
      $listed.set(listed.map((one) => (one.id === id ? { ...one, status } : one)));
    if (id !== current()) return;
    tellings++;
    // Only a live line brings what changes from now on.
    sure = live() ? id : undefined;
    setStatus(id, status);
  }

  /** @returns what tells what is asked now: nothing of what was told meanwhile, which is newer */
  function asked(): typeof tell {
    const before = tellings;
    return (one) => tellings === before && tell(one);
  }

  /** Asks for the state, where it is shown. The answer holds all messages, so a long conversation is not asked. */
  async function look(): Promise<void> {
    const { sourceId, conversationId: id } = $ledger.get();
    if (!sourceId || id === undefined || sure === id) return;
    if (!front.chat.$open.get() || messages.$hasOlder.get() !== false) return;
    const wasLive = live();
    const told = asked();
    sure = id;
    const answer = await api.showConversation(sourceId, id);
    if (answer.ok) told(answer.value);
    if (answer.ok && wasLive) return;
    sure = undefined;
    // What was asked for before the line was there may have changed before it was.
    if (!wasLive && live()) void look();
  }

  async function list(): Promise<Result<unknown>> {
    const { sourceId } = $ledger.get();
    if (!sourceId) return ok($listed.set([]));
    const learn = asking();
    const before = $since.get();
    const heardIn = live() ? doubts : undefined;
    const answer = await inbox.list(sourceId);
    if (session.ended() || $ledger.get().sourceId !== sourceId) return fail({ kind: 'gone' });
    if (!answer.ok && !isNotFound(answer.error)) return answer;
    const listed = answer.ok ? answer.value : [];
    $since.set($since.get().filter((message) => !before.includes(message)));
    $listed.set(listed);
    listedIn = heardIn;
    learn(listed);
    return ok(undefined);
  }

  /** All of it was before the visitor's eyes. @param at the second of its newest message */
  function read(id: number | undefined, at = 0) {
    const seen = (one: Conversation) => ({
      ...one,
      contact_last_seen_at: Math.max(one.contact_last_seen_at, at),
    });
    $listed.set($listed.get()?.map((one) => (one.id === id ? seen(one) : one)));
  }

  function enlist(news: readonly Message[]) {
    const since = $since.get();
    const fresh = news.filter(
      ({ id, message_type: type, private: secret }) =>
        type !== 2 && !secret && !since.some((old) => old.id === id),
    );
    if ($listed.get() && fresh.length) $since.set([...since, ...fresh]);
  }
  session.own(messages.$messages.listen((all) => enlist(all.slice(-NEWEST))));

  /**
   * All conversations, as the service gives them.
   * @param before what was known to be new when it was asked
   */
  function found(all: readonly Conversation[], told = tell, before: readonly Message[] = []) {
    const here = all.find(({ id }) => id === current());
    if (here) {
      told(here);
      recognised(here);
      // What was told meanwhile is newer than the list, too.
      const status = front.$status.get();
      const listed = $listed.get();
      if (listed && status !== undefined)
        $listed.set(listed.map((one) => (one.id === here.id ? { ...one, status } : one)));
    }
    elsewhere.found(all, before);
  }
  function asking() {
    const told = asked();
    const before = elsewhere.$elsewhere.get();
    return (all: readonly Conversation[]) => found(all, told, before);
  }

  /**
   * The line brings what is said elsewhere as it comes, and nobody what came while the visitor was away. So whoever has
   * several conversations has them listed on return: they come with all their messages, so one tab asks for all, and
   * seldom.
   * @param unsure what is new here may have been read on another device
   */
  async function returned(unsure: boolean): Promise<void> {
    const { sourceId } = $ledger.get();
    const several = elsewhere.several();
    if (live() && !several) missed = false;
    if (
      session.ended() ||
      !sourceId ||
      returning ||
      !env.page.visible() ||
      !(unsure || (several && (missed || !live())))
    )
      return;
    const last = local.get('listed');
    const wait = typeof last === 'number' ? GLANCE_MS - Math.abs(env.wall() - last) : 0;
    again();
    if (wait > 0) {
      if (several) again = env.after(wait, () => void returned(false));
      return;
    }
    /** Nobody else asks for so long. */
    const rest = (ms: number) => session.note('listed', env.wall() - GLANCE_MS + ms);
    // A page that goes before the answer has heard of nothing.
    rest(AGAIN_MS);
    const learn = asking();
    const before = doubts;
    returning = true;
    const answer = await inbox.list(sourceId);
    returning = false;
    if (session.ended() || $ledger.get().sourceId !== sourceId) return;
    if (answer.ok) {
      failures = 0;
      missed = doubts !== before;
      rest(GLANCE_MS);
      return learn(answer.value);
    }
    const ms = Math.min(AGAIN_MS * 2 ** failures++, GLANCE_MS);
    rest(ms);
    again();
    again = env.after(ms, () => void returned(unsure));
  }

  session.own(
    effect([$listed, $since, $ledger, front.$seenId], (listed, since, { conversationId }, seenId) =>
      front.$conversations.set(listed && conversationLines(listed, since, conversationId, seenId)),
    ),
  );
  /** The service counts anew: of what comes, what was seen and told of by higher numbers says nothing. */
  function recount(id: number) {
    front.see(id);
    for (const name of ['dismissed', 'rung', 'noted']) local.remove(name);
  }
  session.own(
    messages.$hasOlder.listen((has) => {
      const newest = messages.newestId();
      if (has === undefined || !newest || newest >= front.$seenId.get()) return;
      const { claims, conversationId } = $ledger.get();
      // Restored from a backup, it has neither what was seen nor words of the visitor's that had arrived.
      if (claims.some(({ id, home }) => id > newest && home === conversationId)) recount(newest);
    }),
  );
  session.own(
    $ledger.subscribe(({ sourceId, met, conversationId, anew, outbox }, before) => {
      const from = before?.conversationId;
      // It was forgotten at the service: the one that takes its place is not met yet.
      if (before?.met && !met && before.sourceId !== sourceId) {
        elsewhere.forget();
        $since.set([]);
        $listed.set($listed.get() && []);
        recount(0);
      }
      if (conversationId === from && before) return;
      // Left, in whichever tab, and not lost, nor made by its first words.
      const left =
        from === undefined
          ? before?.anew && !before.opening && !before.outbox.length
          : conversationId !== undefined || anew;
      if (left) {
        front.turnFiles(from, conversationId);
        const all = messages.$messages.get();
        const unread = unseen(all, front.$seenId.get());
        for (const message of unread) elsewhere.add({ ...message, conversation_id: from });
        if (!unread.length) read(from, all.at(-1)?.created_at);
      }
      sure = undefined;
      recallStatus(conversationId);
      front.newFrom(Math.min(...elsewhere.shown(conversationId).map(({ id }) => id)));
      // What stands there was said in another one. Words that wait have made this one.
      if (conversationId !== undefined && !outbox.length) front.$rows.set(undefined);
    }),
  );

  return {
    $elsewhere: elsewhere.$elsewhere,
    tell,
    asked,
    /** What comes there is told, and nothing has come. */
    isRead: (id: number) =>
      live() && !missed && !elsewhere.$elsewhere.get().some((one) => one.conversation_id === id),
    found: (all: readonly Conversation[]) => found(all),
    returned,
    look,
    /** The line was in question: what was told of the state may have changed meanwhile. */
    questioned() {
      sure = undefined;
      missed = true;
      doubts++;
    },
    /** What is known of the state holds no longer. */
    doubt() {
      const id = current();
      sure = undefined;
      if (id !== undefined) setStatus(id, undefined);
    },
    arrived,
    /** A message of any conversation has come. */
    elsewhere(message: Message): void {
      const id = message.conversation_id;
      if (id === undefined || id === current() || !isTheirs(message) || message.private) return;
      enlist([message]);
      if (elsewhere.add(message) && $listed.get()?.every((one) => one.id !== id)) void list();
      arrived(message);
    },

    /** A message of any conversation has changed. */
    changed(message: Message): void {
      elsewhere.change(message);
      const newer = (old: Message) => (old.id === message.id ? message : old);
      $listed.set($listed.get()?.map((one) => ({ ...one, messages: one.messages.map(newer) })));
      $since.set($since.get().map(newer));
    },

    list,

    leave: (): Promise<Result<boolean>> =>
      inTurn(async () => {
        const id = current();
        if (front.leaving()) return ok(false);
        if (id === undefined) return ok(!$ledger.get().outbox.length);
        const draft = front.chat.$draft.get();
        const moved = await update((ledger) => leave(ledger, id));
        if (moved.ok && moved.value) front.turn(id, undefined, draft);
        return moved.ok ? ok(moved.value !== undefined) : moved;
      }),

    choose: (id: number): Promise<Result<boolean>> =>
      inTurn(async () => {
        if (id === current()) return ok(true);
        if (front.leaving()) return ok(false);
        const line = front.$conversations.get()?.find((one) => one.id === id);
        const { conversationId: before, anew } = $ledger.get();
        const draft = front.chat.$draft.get();
        const moved = await update((ledger) => choose(ledger, id));
        if (!moved.ok) return moved;
        if (!moved.value) return ok(current() === id);
        front.turn(before, id, draft);
        if (before === undefined && !anew) front.turnFiles(before, id);
        const conversation = $listed.get()?.find((one) => one.id === id);
        if (conversation) {
          messages.follow(id);
          const newest = conversation.messages.at(-1)?.id;
          const isOld = $since.get().some((one) => one.conversation_id === id && one.id > (newest ?? 0));
          // One that has none in the list may have some that could not be read there: that is found out as usual.
          if (newest && !isOld) messages.begin(conversation);
          tell(conversation);
          if (listedIn !== doubts) sure = undefined;
          void look();
        }
        chosen(id, line?.unread !== 0, conversation);
        return ok(true);
      }),

    async end(): Promise<Result<boolean>> {
      // What has arrived leaves the list of what waits once the disk has written so.
      await session.refresh();
      const { sourceId, conversationId: id, outbox } = $ledger.get();
      if (!sourceId || id === undefined) return ok(true);
      if (outbox.length || front.leaving()) return ok(false);
      const answer = await api.toggleStatus(sourceId, id);
      if (answer.ok) tell(answer.value);
      else if (isNotFound(answer.error)) await lost(id);
      return answer.ok ? ok(true) : answer;
    },
  };
}

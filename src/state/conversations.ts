/**
 * All conversations of the visitor: listed, left, chosen and ended, and what comes into those that are not before
 * their eyes. Which one words go into is the ledger's; how one is made is in `conversation.ts`.
 */
import { atom, effect } from 'nanostores';
import { fail, isNotFound, ok, type Result } from '../errors.js';
import { conversationLines, isTheirs } from '../model/conversations.js';
import { choose, leave } from '../model/ledger.js';
import type { Conversation } from '../wire/conversation.js';
import type { Message } from '../wire/message.js';
import type { Front } from './front.js';
import type { MessagesState } from './messages.js';
import type { Session } from './session.js';

/** @param recognised called with the current one, as the service gives it */
export function createConversations(
  session: Session,
  front: Front,
  messages: MessagesState,
  lost: (conversationId: number) => Promise<Result<unknown>>,
  recognised: (current: Conversation) => void,
) {
  const { api, $ledger, update } = session;
  const $listed = atom<readonly Conversation[] | undefined>(undefined);
  /** The other side's messages elsewhere, which this page has heard of. */
  const $elsewhere = atom<readonly Message[]>([]);
  /** The conversation whose state was told since the line was last in question. */
  let sure: number | undefined;
  const current = () => $ledger.get().conversationId;

  /** The state of the current conversation, kept because a long one is not asked for it. */
  function setStatus(id: number, status: string | undefined) {
    front.$status.set(status);
    front.local.set('status', [id, status]);
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
    sure = id;
    setStatus(id, status);
  }

  /** Asks for the state, where it is shown. The answer holds all messages, so a long conversation is not asked. */
  async function look(): Promise<void> {
    const { sourceId, conversationId: id } = $ledger.get();
    if (!sourceId || id === undefined || sure === id) return;
    if (!front.chat.$open.get() || messages.$hasOlder.get() !== false) return;
    sure = id;
    const answer = await api.showConversation(sourceId, id);
    if (answer.ok) tell(answer.value);
    else if (sure === id) sure = undefined;
  }

  async function list(): Promise<Result<unknown>> {
    const { sourceId } = $ledger.get();
    if (!sourceId) return ok($listed.set([]));
    const answer = await api.listConversations(sourceId);
    if (session.ended() || $ledger.get().sourceId !== sourceId) return fail({ kind: 'gone' });
    if (!answer.ok && !isNotFound(answer.error)) return answer;
    const listed = answer.ok ? answer.value : [];
    $listed.set(listed);
    const here = listed.find(({ id }) => id === current());
    if (here) {
      tell(here);
      recognised(here);
    }
    return ok(undefined);
  }

  session.own(
    effect([$listed, $ledger, front.$seenId], (listed, { conversationId }, seenId) =>
      front.$conversations.set(listed && conversationLines(listed, conversationId, seenId)),
    ),
  );
  session.own(
    $ledger.subscribe(({ conversationId }, before) => {
      if (conversationId === before?.conversationId && before) return;
      sure = undefined;
      recallStatus(conversationId);
      $elsewhere.set($elsewhere.get().filter((message) => message.conversation_id !== conversationId));
    }),
  );

  return {
    $elsewhere,
    tell,
    look,
    /** The line was in question: what was told of the state may have changed meanwhile. */
    questioned() {
      sure = undefined;
    },
    /** What is known of the state holds no longer. */
    doubt() {
      const id = current();
      sure = undefined;
      if (id !== undefined) setStatus(id, undefined);
    },
    /** A message of another conversation. @returns whether it is news */
    elsewhere(message: Message): boolean {
      const id = message.conversation_id;
      const known = $elsewhere.get();
      if (id === undefined || id === current() || !isTheirs(message) || message.private) return false;
      if (known.some((one) => one.id === message.id)) return false;
      $elsewhere.set([...known, message]);
      if ($listed.get()) void list();
      return true;
    },

    list,

    async leave(): Promise<Result<boolean>> {
      const id = current();
      if (id === undefined) return ok(!$ledger.get().outbox.length);
      const moved = await update((ledger) => leave(ledger, id));
      return moved.ok ? ok(moved.value !== undefined) : moved;
    },

    async choose(id: number): Promise<Result<boolean>> {
      if (id === current()) return ok(true);
      const line = front.$conversations.get()?.find((one) => one.id === id);
      const moved = await update((ledger) => choose(ledger, id));
      if (!moved.ok) return moved;
      if (!moved.value) return ok(current() === id);
      const conversation = $listed.get()?.find((one) => one.id === id);
      if (conversation) {
        messages.follow(id);
        messages.begin(conversation);
        tell(conversation);
      }
      const { sourceId } = $ledger.get();
      if (sourceId && line?.unread !== 0) void api.updateLastSeen(sourceId, id);
      return ok(true);
    },

    async end(): Promise<Result<boolean>> {
      const { sourceId, conversationId: id, outbox } = $ledger.get();
      if (!sourceId || id === undefined) return ok(true);
      if (outbox.length) return ok(false);
      const answer = await api.toggleStatus(sourceId, id);
      if (answer.ok) tell(answer.value);
      else if (isNotFound(answer.error)) await lost(id);
      return answer.ok ? ok(true) : answer;
    },
  };
}

/**
 * The messages of the conversation as this tab knows them. Answer, frame, history and other tabs all end in the
 * same `put`: idempotent by `id`, and never forgetting a name that it has learned. It does not know the outbox.
 */
import { atom } from 'nanostores';
import { PAGE_SIZE } from '../api/inbox.js';
import { fail, ok, type Result } from '../errors.js';
import { lowerBound } from '../model/ascending.js';
import type { Conversation } from '../wire/conversation.js';
import type { Message } from '../wire/message.js';
import type { Session } from './session.js';

/** Two thousand messages: more cannot have been missed by a page that was only away. */
const MAX_PAGES = 100;

export type MessagesState = ReturnType<typeof createMessages>;

export function createMessages(session: Session) {
  const { api, $ledger } = session;
  /** Ascending by id, without private notes and activity. */
  const $messages = atom<readonly Message[]>([]);
  /** Undefined until the newest page is here. */
  const $hasOlder = atom<boolean | undefined>(undefined);
  const names = new Map<number, string>();
  let conversationId: number | undefined;
  /** Between these two ids nothing is missing. Frames do not widen it: what lies between may have been lost. */
  let completeFrom = 0;
  let completeTo = 0;
  /** The lowest message that came from before what is complete: what lies between is still to be fetched. */
  let latecomer = Number.POSITIVE_INFINITY;
  /** What has changed before the newest page is here: whether it lies within that page is not known yet. */
  const early = new Map<number, Message>();
  let syncing: Promise<Result<void>> = Promise.resolve(ok(undefined));
  let syncsNext: Promise<Result<void>> | undefined;
  let loadingOlder: Promise<Result<void>> | undefined;

  /** The ids of another conversation, or of another contact, say nothing about this one. */
  function follow(id: number | undefined) {
    if (id === conversationId) return;
    conversationId = id;
    names.clear();
    early.clear();
    loadingOlder = undefined;
    completeFrom = completeTo = 0;
    latecomer = Number.POSITIVE_INFINITY;
    $messages.set([]);
    $hasOlder.set(undefined);
  }

  const belongs = (message: Message) =>
    message.message_type !== 2 &&
    message.private !== true &&
    (message.conversation_id === undefined || message.conversation_id === conversationId);

  function put(incoming: readonly Message[]): void {
    const ours = incoming.filter(belongs);
    if (!ours.length) return;
    const next = [...$messages.get()];
    let late = false;
    for (const message of ours) {
      if (message.echo_id) names.set(message.id, message.echo_id);
      if (message.id < completeFrom) {
        latecomer = Math.min(latecomer, message.id);
        late = true;
      }
      const at = lowerBound(next, message.id);
      const old = next[at];
      if (old?.id === message.id) next[at] = merge(old, message);
      else next.splice(at, 0, message);
    }
    $messages.set(next);
    if (late) void sync();
  }

  /** One page. What it shows of ours is told from the ledger, so that must not be older than the page. */
  async function list(sourceId: string, id: number, before?: number): Promise<Result<Message[]>> {
    const page = await api.listMessages(sourceId, id, before);
    if (!page.ok || !page.value.some((m) => m.message_type === 0 && !isHere(m.id))) return page;
    const read = await session.refresh();
    return read.ok ? page : read;
  }

  const isHere = (id: number) => $messages.get()[lowerBound($messages.get(), id)]?.id === id;

  /** Messages without a gap, as history gives them, which reach back to what is here. */
  function complete(history: readonly Message[]): void {
    completeFrom = Math.min(completeFrom, history[0]?.id ?? completeFrom);
    completeTo = Math.max(completeTo, history.at(-1)?.id ?? 0);
    put(history);
  }

  /** What lies further back than what is here is read with what lies there. */
  function change(message: Message): void {
    if (message.id >= completeFrom || isHere(message.id)) put([message]);
  }

  /** The newest page is here. */
  function arrive(hasOlder: boolean): void {
    for (const message of early.values()) change(message);
    early.clear();
    $hasOlder.set(hasOlder);
  }

  const newestId = () => $messages.get().at(-1)?.id ?? 0;

  /** Every message newer than `afterId`, or an error: never a part. */
  async function since(afterId: number): Promise<Result<Message[]>> {
    const { sourceId, conversationId: id } = $ledger.get();
    if (!sourceId || id === undefined) return fail({ kind: 'gone' });
    const knownNewest = newestId();
    const found: Message[] = [];
    let before: number | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const answer = await list(sourceId, id, before);
      if (!answer.ok) return answer;
      const messages = answer.value;
      const lowest = Math.min(...messages.map((m) => m.id));
      // A page that goes nowhere, or lacks what we already have, is stale: it proves nothing.
      if (before !== undefined && messages.length && lowest >= before) break;
      if (before === undefined && knownNewest > 0 && !messages.some((m) => m.id >= knownNewest)) break;
      found.push(...messages);
      if (!messages.length || lowest <= afterId) return ok(found.sort((a, b) => a.id - b.id));
      before = lowest;
    }
    return fail({ kind: 'contract', at: 'messages' });
  }

  /**
   * Fetches what was missed; the first time, the newest page. One after the other, because two at once would leave
   * holes; whoever asks meanwhile shares the next one.
   */
  function sync(): Promise<Result<void>> {
    syncsNext ??= syncing.then(() => {
      syncsNext = undefined;
      syncing = fetchMissed();
      return syncing;
    });
    return syncsNext;
  }

  async function fetchMissed(): Promise<Result<void>> {
    const { sourceId, conversationId: id } = $ledger.get();
    if (!sourceId || id === undefined) return ok(undefined);
    follow(id);
    if ($hasOlder.get() !== undefined) {
      const back = latecomer;
      const missed = await since(Math.min(completeTo, back - 1));
      if (!missed.ok) return missed;
      if (id !== conversationId) return fail({ kind: 'gone' });
      if (latecomer === back) latecomer = Number.POSITIVE_INFINITY;
      complete(missed.value);
      return ok(undefined);
    }
    const page = await list(sourceId, id);
    if (!page.ok) return page;
    if (id !== conversationId) return fail({ kind: 'gone' });
    // The whole conversation has come meanwhile: a first page would say that there is more before it.
    if ($hasOlder.get() !== undefined) {
      if (page.value.length >= PAGE_SIZE && (page.value[0]?.id ?? 0) > completeTo) return fetchMissed();
      complete(page.value);
      return ok(undefined);
    }
    const lowest = $messages.get()[0]?.id ?? Number.POSITIVE_INFINITY;
    if (page.value.length >= PAGE_SIZE) completeFrom = page.value[0]?.id ?? 0;
    // What has come by other ways already may lie further back.
    const holed = lowest < completeFrom;
    if (holed) latecomer = Math.min(latecomer, lowest);
    complete(page.value);
    arrive(page.value.length >= PAGE_SIZE);
    return holed ? fetchMissed() : ok(undefined);
  }

  return {
    $messages,
    $hasOlder,
    names: names as ReadonlyMap<number, string>,
    follow,
    put,
    /** A message has changed. */
    change(message: Message): void {
      if ($hasOlder.get() === undefined) {
        const old = early.get(message.id);
        early.set(message.id, old ? merge(old, message) : message);
      } else change(message);
    },
    newestId,
    /** What is not newer than this id is here, or further back; 0 while that cannot be said. */
    completeTo: () => (latecomer < Number.POSITIVE_INFINITY ? 0 : completeTo),
    since,
    name: (id: number, echoId: string): void => void names.set(id, echoId),

    /** A conversation as the service gives it: with all its messages; one that was just made has usually none. */
    begin(conversation: Conversation): void {
      if (conversation.id !== conversationId) return;
      complete(conversation.messages);
      // The answer may come after the first page.
      if ($hasOlder.get() === undefined) arrive(false);
    },

    sync,

    /** One page further back. */
    loadOlder(): Promise<Result<void>> {
      if (loadingOlder) return loadingOlder;
      const load = async (): Promise<Result<void>> => {
        const { sourceId, conversationId: id } = $ledger.get();
        const lowest = completeFrom || $messages.get()[0]?.id;
        if (!sourceId || id === undefined || lowest === undefined) return ok(undefined);
        const page = await list(sourceId, id, lowest);
        if (!page.ok) return page;
        // Left meanwhile, and perhaps come back to, all has begun anew.
        if (loadingOlder !== loading) return fail({ kind: 'gone' });
        completeFrom = Math.min(completeFrom, page.value[0]?.id ?? 0);
        put(page.value);
        $hasOlder.set(page.value.length > 0 && page.value.some((m) => m.id < lowest));
        return ok(undefined);
      };
      const loading = load().finally(() => {
        if (loadingOlder === loading) loadingOlder = undefined;
      });
      loadingOlder = loading;
      return loading;
    },
  };
}

/**
 * The newer account of a message wins, but silence about a field is no news. Frames may overtake each other, and a page
 * of history may be older than they are: a deleted message stays deleted, and loses its files, and an answered one
 * stays answered.
 */
function merge(old: Message, message: Message): Message {
  if (old.content_attributes.deleted === true || (message.updated_at ?? '~') < (old.updated_at ?? ''))
    return old;
  const merged: Message = { ...old };
  for (const [key, value] of Object.entries(message)) {
    if (value !== undefined) Object.assign(merged, { [key]: value });
  }
  const { submitted_values } = old.content_attributes;
  if (submitted_values !== undefined)
    merged.content_attributes = { submitted_values, ...merged.content_attributes };
  if (merged.content_attributes.deleted === true) delete merged.attachments;
  return merged;
}

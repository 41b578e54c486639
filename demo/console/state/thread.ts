/**
 * The messages of the open conversation. Whatever brings a message, answer, frame or history, ends in `put`.
 * Knows no socket, no list and no unsent words.
 */
import { atom, batch } from 'nanostores';
import type { Api } from '../api.js';
import { sentence } from '../errors.js';
import { merge } from '../model/rows.js';
import type { Message } from '../wire/schemas.js';
import type { Notices } from './notices.js';

const PAGE = 20;

export function createThread(api: Api, notices: Notices) {
  const $openId = atom<number | undefined>(undefined);
  const $messages = atom<readonly Message[]>([]);
  /** 'failed' before the first history came. */
  const $state = atom<'loading' | 'failed' | 'earlier' | 'ready'>('ready');
  /** History begins with the first message shown. */
  const $complete = atom(false);

  /** How often one was opened: an answer to an earlier opening is none to this one, though it be of the same. */
  let opening = 0;
  /** How often history was asked for, and after which time the socket told of a message last, and what. */
  let asked = 0;
  const told = new Map<number, { at: number; message: Message }>();
  /** The newest before what may be missing, as long as the history after it has not been had. */
  let missingAfter: number | undefined;
  /** Of the readings from the newest back: which was begun last, and the last that came to its end. */
  let begun = 0;
  let ended = 0;

  /**
   * As the socket or an answer of its own tells it.
   * @param isNew else a change, of a message that may be older than what was loaded: it waits for its place, because
   * earlier ones are asked for by the oldest that is here
   */
  function put(message: Message, isNew: boolean) {
    if (message.conversation_id !== $openId.get()) return;
    told.set(message.id, { at: asked, message });
    const [oldest] = $messages.get();
    if (isNew || (oldest && message.id >= oldest.id)) $messages.set(merge($messages.get(), [message]));
  }

  /** @param since history does not bring back what was changed, or deleted, while it was on its way */
  function putHistory(messages: readonly Message[], since: number) {
    const newer = messages.flatMap(({ id }) => {
      const heard = told.get(id);
      return heard && heard.at >= since ? [heard.message] : [];
    });
    $messages.set(merge(merge($messages.get(), messages), newer));
  }

  /** Pages back from the newest until history meets what we already know. */
  async function catchUp() {
    const id = $openId.get();
    if (id === undefined) return;
    // What the socket has told since a reading failed does not end what is missing.
    missingAfter ??= $messages.get().at(-1)?.id;
    const mine = opening;
    asked += 1;
    const since = asked;
    begun = since;
    let before: number | undefined;
    const found: Message[] = [];
    for (;;) {
      const answer = await api.messages(id, { before });
      // What a later one has brought holds what this one could.
      if (mine !== opening || since < ended) return;
      if (!answer.ok) {
        if (since < begun) return;
        notices.problem('thread', sentence('The conversation could not be loaded', answer.error), catchUp);
        if ($state.get() === 'loading') $state.set('failed');
        return;
      }
      found.unshift(...answer.value);
      const oldest = answer.value[0];
      // As it is now: an earlier one may have ended meanwhile.
      const newest = missingAfter;
      const met = newest === undefined || !oldest || oldest.id <= newest || answer.value.length < PAGE;
      if (answer.value.length < PAGE) $complete.set(true);
      if (met) break;
      before = oldest.id;
    }
    ended = since;
    const isLast = since === begun;
    // A later one is not back, or has failed: what came after this one may be missing still.
    missingAfter = isLast ? undefined : (found.at(-1)?.id ?? missingAfter ?? 0);
    if (isLast) notices.hush('thread');
    batch(() => {
      putHistory(found, since);
      $state.set('ready');
    });
  }

  async function loadEarlier() {
    const id = $openId.get();
    const before = $messages.get()[0]?.id;
    const was = $state.get();
    if (id === undefined || before === undefined || was === 'loading' || was === 'earlier') return;
    $state.set('earlier');
    const mine = opening;
    asked += 1;
    const since = asked;
    const answer = await api.messages(id, { before });
    if (mine !== opening) return;
    if (answer.ok) {
      notices.hush('thread');
      putHistory(answer.value, since);
      $complete.set(answer.value.length < PAGE);
    } else {
      notices.problem('thread', sentence('Earlier messages could not be loaded', answer.error), loadEarlier);
    }
    $state.set(answer.ok ? 'ready' : was);
  }

  function open(id: number | undefined) {
    if (id === $openId.get()) return;
    notices.hush('thread');
    opening += 1;
    told.clear();
    missingAfter = undefined;
    batch(() => {
      $openId.set(id);
      $messages.set([]);
      $complete.set(false);
      $state.set(id === undefined ? 'ready' : 'loading');
    });
    if (id !== undefined) void catchUp();
  }

  return { $openId, $messages, $state, $complete, put, catchUp, loadEarlier, open };
}

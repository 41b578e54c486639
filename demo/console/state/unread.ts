/**
 * How many of the visitors' messages nobody has read, over all conversations that the agent may see and that are not
 * resolved. Reads them whenever the socket is up again, and when the page is seen again, because nobody tells of what
 * others have read; between times the frames tell. Knows no filter of the list.
 */
import { computed, type ReadableAtom } from 'nanostores';
import type { Api } from '../api.js';
import { isGone } from '../errors.js';
import { unreadOf } from '../model/known-conversation.js';
import { type Conversations, noFilters, PAGE } from './conversations.js';

/** 500 of each status: who has more is told of the newest. */
const MAX_PAGES = 20;
const RETRY_MS = 5_000;

/** @param $reading the conversation before the agent's eyes */
export function createUnread(
  api: Api,
  { $known, put, forget }: Conversations,
  $reading: ReadableAtom<number | undefined>,
) {
  const $unread = computed([$known, $reading], (known, reading) =>
    [...known.values()].reduce(
      (sum, one) => (one.status === 'resolved' || one.id === reading ? sum : sum + unreadOf(one)),
      0,
    ),
  );

  let running = false;
  let again = false;
  let isClosed = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  /** One at a time, and one more after it for whatever happened meanwhile; what failed is tried once more by itself. */
  async function count(isLast = false) {
    again = true;
    if (running) return;
    running = true;
    clearTimeout(retry);
    let isRead = true;
    while (again && !isClosed) {
      again = false;
      isRead = await read();
    }
    running = false;
    if (!isRead && !isLast && !isClosed) retry = setTimeout(count, RETRY_MS, true);
  }

  async function read(): Promise<boolean> {
    const before = $known.get();
    const isOld = (id: number) => $known.get().get(id) === before.get(id);
    const found = new Set<number>();
    for (const status of ['open', 'pending'] as const) {
      for (let page = 1; page <= MAX_PAGES; page++) {
        const answer = await api.conversations({ ...noFilters, status }, page);
        if (!answer.ok) return false;
        for (const { id } of answer.value) found.add(id);
        put(answer.value, before);
        if (answer.value.length < PAGE) break;
      }
    }
    // Somebody read or resolved these, or took the agent out of their inbox, while we did not hear of it.
    for (const [id, one] of before) {
      if (unreadOf(one) === 0 || found.has(id) || !isOld(id)) continue;
      const answer = await api.conversation(id);
      if (answer.ok) put([answer.value], before);
      else if (isGone(answer.error)) forget(id);
    }
    return true;
  }

  function onLook() {
    if (document.visibilityState === 'visible') void count();
  }
  document.addEventListener('visibilitychange', onLook);

  return {
    $unread,
    count: () => void count(),
    close() {
      isClosed = true;
      clearTimeout(retry);
      document.removeEventListener('visibilitychange', onLook);
    },
  };
}

/**
 * The list: filters, pages, counts, and every conversation we have heard of. Frames change it at once, the account
 * API has the last word a moment later. Knows no socket and no thread.
 */
import { atom, batch, computed } from 'nanostores';
import * as z from 'zod';
import { sorts } from '../api/conversations.js';
import type { Api, Filters } from '../api.js';
import { sentence } from '../errors.js';
import { byActivity, matches } from '../model/filter.js';
import { answered, answerRead, type Known, learn, learnContact } from '../model/known-conversation.js';
import { answerTo } from '../model/question.js';
import { type Contact, type Conversation, type Counts, type Message, statusSchema } from '../wire/schemas.js';
import { kept } from './kept.js';
import type { Notices } from './notices.js';

export const PAGE = 25;
const SETTLE_MS = 350;

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const filtersSchema: z.ZodType<Filters> = z.object({
  assignee: z.enum(['all', 'me', 'unassigned', 'assigned']),
  status: z.union([statusSchema, z.literal('all')]),
  search: z.string(),
  inboxId: z.int(),
  teamId: z.int(),
  label: z.string(),
  sort: z.enum(sorts),
});
export const noFilters: Filters = {
  assignee: 'all',
  status: 'open',
  search: '',
  inboxId: 0,
  teamId: 0,
  label: '',
  sort: 'last_activity_at_desc',
};

export type Conversations = ReturnType<typeof createConversations>;

export function createConversations(api: Api, me: number, notices: Notices) {
  const $filters = kept<Filters>('filters', filtersSchema, noFilters);
  const $known = atom<ReadonlyMap<number, Known>>(new Map());
  const $ids = atom<readonly number[]>([]);
  const $counts = atom<Counts | undefined>(undefined);
  /** Of what these filters find, not of what is read anew. */
  const $state = atom<'loading' | 'ready' | 'failed'>('loading');
  /** The words that the list was searched for. */
  const $searched = atom('');
  const $more = atom(false);
  let pages = 1;
  let reading: Promise<void> | undefined;
  let again = false;
  let settle: ReturnType<typeof setTimeout> | undefined;

  const $list = computed([$ids, $known, $filters, $searched], (ids, known, filters, searched) => {
    // Only the service knows what has the words.
    if (filters.search !== searched) return [];
    const found = ids
      .flatMap((id) => known.get(id) ?? [])
      .filter((conversation) => matches(conversation, filters, me));
    // Other orders are the service's to know.
    return filters.sort === 'last_activity_at_desc' ? found.sort(byActivity) : found;
  });

  function change(id: number, next: (old: Known) => Known) {
    const old = $known.get().get(id);
    if (old) $known.set(new Map($known.get()).set(id, next(old)));
  }

  /**
   * @param before what was known when they were asked for: what was told of one since is newer, and stays
   * @returns whether nothing was
   */
  function put(conversations: readonly Conversation[], before = $known.get()): boolean {
    const known = new Map($known.get());
    let isAll = true;
    for (const fresh of conversations) {
      const old = known.get(fresh.id);
      if (old && old !== before.get(fresh.id)) {
        isAll = false;
        if (fresh.found_message) known.set(fresh.id, { ...old, found_message: fresh.found_message });
        continue;
      }
      const next = learn(old, fresh);
      // Whoever answered while the socket was down is heard of here alone.
      const answer = old?.preview && next.preview && answerTo(old.preview, next.preview);
      // What says nothing new is not newer than an answer that is on its way.
      if (answer) known.set(fresh.id, answered(next, answer, next.last_activity_at));
      else if (!isSame(old, next)) known.set(fresh.id, next);
    }
    $known.set(known);
    return isAll;
  }

  async function read() {
    const filters = $filters.get();
    const before = $known.get();
    const wanted = pages;
    if ($state.get() === 'failed') $state.set('loading');
    const [counts, ...lists] = await Promise.all([
      api.counts(filters),
      ...Array.from({ length: wanted }, (_, index) => api.conversations(filters, index + 1)),
    ]);
    if (filters !== $filters.get()) return;
    const bad = [counts, ...lists].find((answer) => !answer.ok);
    if (bad && !bad.ok) {
      if ($state.get() === 'loading') $state.set('failed');
      notices.problem('list', sentence('The conversations could not be loaded', bad.error), refresh);
      return;
    }
    const found = lists.flatMap((answer) => (answer.ok ? answer.value : []));
    batch(() => {
      // What was told meanwhile may be less than what was to be learned.
      if (!put(found, before)) soon();
      $ids.set([...new Set(found.map(({ id }) => id))]);
      $searched.set(filters.search);
      if (counts.ok) $counts.set(counts.value);
      $more.set(found.length >= wanted * PAGE);
      $state.set('ready');
    });
    notices.hush('list');
  }

  /** One reading at a time, and one more after it for whatever happened meanwhile. */
  function refresh(): Promise<void> {
    again = true;
    reading ??= readAll();
    return reading;
  }
  async function readAll() {
    while (again) {
      again = false;
      await read();
    }
    reading = undefined;
  }

  /** What is found stays as it was found: to search is to read every message there is. */
  function soon() {
    if ($filters.get().search) return;
    settle ??= setTimeout(() => {
      settle = undefined;
      void refresh();
    }, SETTLE_MS);
  }

  return {
    $filters,
    $known,
    $list,
    $counts,
    $state,
    $more,
    refresh,
    change,
    put,
    setFilters(patch: Partial<Filters>) {
      pages = 1;
      batch(() => {
        $filters.set({ ...$filters.get(), ...patch });
        $counts.set(undefined);
        $more.set(false);
        $state.set('loading');
      });
      refresh();
    },
    /** Resolves when they are there, or could not be read. */
    showMore(): Promise<void> {
      pages += 1;
      return refresh();
    },
    /** One is heard of that is not here. */
    unknown() {
      if (!$filters.get().search) void refresh();
    },
    /** The agent may not see it any more. */
    forget(id: number) {
      const known = new Map($known.get());
      if (!known.delete(id)) return;
      $known.set(known);
      $ids.set($ids.get().filter((one) => one !== id));
    },
    /** A conversation as the socket tells it. */
    heard(conversation: Conversation) {
      put([conversation]);
      if (!$ids.get().includes(conversation.id) && !$filters.get().search) {
        $ids.set([conversation.id, ...$ids.get()]);
      }
      soon();
    },
    heardMessage(message: Message, isNew: boolean, beingRead: boolean) {
      change(message.conversation_id, (old) => {
        const newer = message.message_type !== 2 && (!old.preview || message.id >= old.preview.id);
        const preview = newer || old.preview?.id === message.id ? message : old.preview;
        // The conversation itself may have been told with it already.
        const isCounted = message.id <= old.countedId;
        const unread = isNew && !isCounted && message.message_type === 0 && !beingRead ? 1 : 0;
        return answerRead({
          ...old,
          preview,
          found_message: old.found_message?.id === message.id ? message : old.found_message,
          answered: old.answered?.message.id === message.id ? { ...old.answered, message } : old.answered,
          unread_count: old.unread_count + unread,
          last_activity_at: Math.max(old.last_activity_at, isNew ? message.created_at : 0),
        });
      });
      if (isNew) soon();
    },
    /** @param at Unix seconds by the service's clock */
    heardAnswer(message: Message, at: number) {
      const id = message.conversation_id;
      change(id, (old) => answered(old, message, at));
      if (!$ids.get().includes(id) && !$filters.get().search) $ids.set([id, ...$ids.get()]);
    },
    readAnswers({ id, answered }: Known) {
      if (answered?.unread) change(id, (old) => ({ ...old, answered: { ...answered, unread: 0 } }));
    },
    heardContact(contact: Contact) {
      for (const { id, meta } of $known.get().values()) {
        if (meta.sender?.id !== contact.id) continue;
        change(id, (old) => ({
          ...old,
          meta: { ...old.meta, sender: learnContact(old.meta.sender ?? undefined, contact) },
        }));
      }
    },
    close: () => clearTimeout(settle),
  };
}

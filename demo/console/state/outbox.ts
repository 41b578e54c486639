/**
 * Words that are not stored at the service yet. Shown at once, sent one after the other in each conversation, kept
 * through failure and reload. Before a second try of one that may have arrived, history is asked first. Knows no list
 * and no socket.
 */
import * as z from 'zod';
import { createLanes } from '../../lanes.js';
import type { Outgoing } from '../api/conversations.js';
import type { Api } from '../api.js';
import { isUnauthorized, isUncertain, ok, type Result, sentence } from '../errors.js';
import type { Entry } from '../model/rows.js';
import type { Message } from '../wire/schemas.js';
import { kept } from './kept.js';

const entrySchema: z.ZodType<Entry> = z.object({
  echoId: z.string(),
  conversationId: z.number(),
  content: z.string(),
  private: z.boolean(),
  contentType: z.string(),
  attributes: z.record(z.string(), z.unknown()),
  fileNames: z.array(z.string()),
  state: z.enum(['sending', 'failed']),
  uncertain: z.boolean(),
  afterId: z.number(),
  createdAtMs: z.number(),
  problem: z.string(),
  behind: z.string().default(''),
});

export type Outbox = ReturnType<typeof createOutbox>;

export function createOutbox(api: Api, me: number, onStored: (message: Message) => void) {
  const $entries = kept<Entry[]>('outbox', z.array(entrySchema), []);
  const files = new Map<string, readonly File[]>();
  /** What is on its way in each conversation: a slow file holds up nobody else. */
  const { inLane } = createLanes<number>();

  /** Those that may have arrived. */
  const underWay = new Set<string>();

  let closed = false;
  /** The token is accepted no more, and the desk about to be left. */
  let refused = false;
  const find = (echoId: string) => $entries.get().find((entry) => entry.echoId === echoId);
  /** What comes after the desk was left is written nowhere: it may be another's by then. */
  const keep = (entries: Entry[]) => {
    if (!closed) $entries.set(entries);
  };
  const change = (echoId: string, patch: Partial<Entry>) =>
    keep($entries.get().map((entry) => (entry.echoId === echoId ? { ...entry, ...patch } : entry)));
  function drop(echoId: string) {
    files.delete(echoId);
    keep($entries.get().filter((entry) => entry.echoId !== echoId));
  }

  // A reload cut these off; whether they arrived is for history to say.
  for (const { echoId, state } of $entries.get()) {
    if (state === 'sending') {
      change(echoId, { state: 'failed', uncertain: true, problem: 'The page was closed while sending.' });
    }
  }

  /** Whoever sent something behind it did not know: without it the visitor would read them in another order, or one alone. */
  function fail({ echoId, conversationId, private: isPrivate }: Entry, patch: Partial<Entry>) {
    change(echoId, { ...patch, state: 'failed' });
    if (refused) return;
    for (const one of $entries.get()) {
      if (one.conversationId !== conversationId || one.private !== isPrivate) continue;
      if (one.state !== 'sending') continue;
      change(one.echoId, {
        state: 'failed',
        behind: echoId,
        problem: 'It waits, because what was sent before it has failed.',
      });
    }
  }

  async function lookFor(entry: Entry): Promise<Result<Message | undefined>> {
    const answer = await api.messages(entry.conversationId, { after: entry.afterId });
    if (!answer.ok) return answer;
    const mine = answer.value.filter((m) => m.message_type === 1 && m.sender?.id === me);
    return ok(
      mine.find((m) => m.echo_id === entry.echoId) ??
        mine.find((m) => !m.echo_id && m.private === entry.private && m.content === entry.content),
    );
  }

  async function attempt(echoId: string) {
    const entry = find(echoId);
    if (closed || refused || entry?.state !== 'sending') return;
    underWay.add(echoId);
    const { conversationId, content, private: isPrivate } = entry;
    const attached = files.get(echoId) ?? [];
    const message: Outgoing = {
      content,
      private: isPrivate,
      echo_id: echoId,
      content_type: entry.contentType,
      content_attributes: entry.attributes,
    };
    const found = entry.uncertain ? await lookFor(entry) : ok(undefined);
    if (found.ok && !found.value && attached.length < entry.fileNames.length) {
      const problem =
        'The files are here no more. Discard this to have its words again, and attach them anew.';
      return fail(entry, { problem });
    }
    const answer = found.ok && !found.value ? await api.send(conversationId, message, attached) : found;
    if (answer.ok) {
      if (answer.value) onStored({ ...answer.value, echo_id: echoId });
      drop(echoId);
    } else if (find(echoId)) {
      refused ||= isUnauthorized(answer.error);
      const what = isPrivate ? 'The note was not added' : 'The reply was not sent';
      fail(entry, {
        uncertain: entry.uncertain || isUncertain(answer.error),
        problem: sentence(what, answer.error),
      });
    }
  }

  function queue(echoId: string) {
    const id = find(echoId)?.conversationId;
    if (id === undefined) return;
    void inLane(id, () => attempt(echoId).finally(() => underWay.delete(echoId)));
  }

  /** In the order of sending. */
  const waitingFor = (echoId: string) => $entries.get().filter((entry) => entry.behind === echoId);
  function again(entries: readonly Entry[]) {
    for (const { echoId, state } of entries) {
      if (state === 'sending') continue;
      change(echoId, { state: 'sending', problem: '', behind: '' });
      queue(echoId);
    }
  }

  return {
    $entries,
    send(
      conversationId: number,
      words: Pick<Outgoing, 'content' | 'private'> & Partial<Outgoing>,
      attached: readonly File[],
      afterId: number,
    ) {
      const echoId = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random().toString(36).slice(2)}`;
      const entry: Entry = {
        echoId,
        conversationId,
        content: words.content,
        private: words.private,
        contentType: words.content_type ?? 'text',
        attributes: words.content_attributes ?? {},
        fileNames: attached.map((file) => file.name),
        state: 'sending',
        uncertain: false,
        afterId,
        createdAtMs: Date.now(),
        problem: '',
        behind: '',
      };
      files.set(echoId, attached);
      $entries.set([...$entries.get(), entry]);
      queue(echoId);
    },
    /** Together with what waits behind it. */
    retry(echoId: string) {
      again($entries.get().filter((entry) => [entry.echoId, entry.behind].includes(echoId)));
    },
    /** What waits behind it waits for the first of them from now on. */
    discard(echoId: string) {
      const [first, ...rest] = waitingFor(echoId);
      drop(echoId);
      if (!first) return;
      change(first.echoId, { behind: '', problem: 'What was sent before it was discarded.' });
      for (const entry of rest) change(entry.echoId, { behind: first.echoId });
    },
    /** The stored message was seen elsewhere, before or without an answer: what waits behind it goes now. */
    settled(echoId: string) {
      if (!find(echoId)) return;
      const waiting = waitingFor(echoId);
      drop(echoId);
      again(waiting);
    },
    /** Of this desk: the words are kept for whoever comes back to it. */
    close() {
      for (const { echoId, state, uncertain } of $entries.get()) {
        if (state !== 'sending') continue;
        const [left, problem] = underWay.has(echoId)
          ? [true, 'You were signed out while it was being sent.']
          : [uncertain, 'You were signed out before it was sent.'];
        change(echoId, { state: 'failed', uncertain: left, problem });
      }
      closed = true;
    },
  };
}

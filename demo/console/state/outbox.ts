/**
 * Words that are not stored at the service yet. Shown at once, sent one after the other in each conversation, kept
 * through failure and reload. Before a second try of one that may have arrived, history is asked first. Knows no list
 * and no socket.
 */
import * as z from 'zod';
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
});

export type Outbox = ReturnType<typeof createOutbox>;

export function createOutbox(api: Api, me: number, onStored: (message: Message) => void) {
  const $entries = kept<Entry[]>('outbox', z.array(entrySchema), []);
  const files = new Map<string, readonly File[]>();
  /** What is on its way in each conversation: a slow file holds up nobody else. */
  const lines = new Map<number, Promise<void>>();

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
      return change(echoId, { state: 'failed', problem });
    }
    const answer = found.ok && !found.value ? await api.send(conversationId, message, attached) : found;
    if (answer.ok) {
      if (answer.value) onStored({ ...answer.value, echo_id: echoId });
      drop(echoId);
    } else if (find(echoId)) {
      refused ||= isUnauthorized(answer.error);
      const what = isPrivate ? 'The note was not added' : 'The reply was not sent';
      change(echoId, {
        state: 'failed',
        uncertain: entry.uncertain || isUncertain(answer.error),
        problem: sentence(what, answer.error),
      });
    }
  }

  function queue(echoId: string) {
    const id = find(echoId)?.conversationId;
    if (id === undefined) return;
    const line = (lines.get(id) ?? Promise.resolve())
      .then(() => attempt(echoId))
      .finally(() => {
        underWay.delete(echoId);
        if (lines.get(id) === line) lines.delete(id);
      });
    lines.set(id, line);
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
      };
      files.set(echoId, attached);
      $entries.set([...$entries.get(), entry]);
      queue(echoId);
    },
    retry(echoId: string) {
      change(echoId, { state: 'sending', problem: '' });
      queue(echoId);
    },
    discard: drop,
    /** The stored message was seen elsewhere, before or without an answer. */
    settled(echoId: string) {
      if (find(echoId)) drop(echoId);
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

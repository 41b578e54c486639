/**
 * What is being written, per conversation and mode: a note never becomes a reply by a slip of the mode. Kept
 * through a reload. Knows nothing of sending.
 */
import { atom, computed } from 'nanostores';
import * as z from 'zod';
import type { Question } from '../model/question.js';
import type { Message } from '../wire/schemas.js';
import { kept } from './kept.js';

export type Mode = 'reply' | 'note';

const questionSchema: z.ZodType<Question> = z.object({
  kind: z.enum(['input_select', 'form', 'input_email', 'cards', 'article', 'input_csat']),
  words: z.string().optional(),
  items: z.array(
    z.object({
      key: z.number(),
      title: z.string(),
      description: z.string(),
      link: z.string(),
      linkText: z.string(),
      picture: z.string(),
      type: z.string(),
      required: z.boolean(),
      options: z.string(),
    }),
  ),
});

const none: readonly File[] = [];

export function createDrafts() {
  const $texts = kept('drafts', z.record(z.string(), z.string()), {});
  /** By the number of the conversation. */
  const $questions = kept('questions', z.record(z.string(), questionSchema), {});
  const $mode = atom<Mode>('reply');
  const key = (conversationId: number, mode: Mode) => `${conversationId}:${mode}`;

  const read = (conversationId: number, mode: Mode) => $texts.get()[key(conversationId, mode)] ?? '';

  const $openId = atom<number | undefined>(undefined);
  /** What the next message quotes, by the number of the conversation, and the files it takes: they go with the page. */
  const $quotes = atom<Readonly<Record<number, Message | undefined>>>({});
  /** By mode, as the words are: what is meant for the team alone must not lie before the visitor. */
  const $trays = atom<Readonly<Record<string, readonly File[]>>>({});
  const $files = computed([$trays, $openId, $mode], (all, id, mode) =>
    id === undefined ? none : (all[key(id, mode)] ?? none),
  );

  return {
    $questions,
    /** @param question nothing where it was sent or discarded */
    writeQuestion(conversationId: number, question?: Question) {
      const { [conversationId]: _, ...rest } = $questions.get();
      $questions.set(question ? { ...rest, [conversationId]: question } : rest);
    },
    $quoted: computed([$quotes, $openId], (all, id) => (id === undefined ? undefined : all[id])),
    /** Of the mode that is chosen. */
    $files,
    /** Somewhere are files that no message took yet. */
    $holdsFiles: computed($trays, (all) => Object.values(all).some((files) => files.length > 0)),
    quote(quoted: Message | undefined) {
      const id = $openId.get();
      if (id !== undefined) $quotes.set({ ...$quotes.get(), [id]: quoted });
    },
    /**
     * What is quoted is as it is now, and nobody quotes what was deleted.
     * @returns whether that took the quote of the conversation that is open
     */
    heard(message: Message): boolean {
      const id = message.conversation_id;
      const quoted = $quotes.get()[id];
      if (quoted?.id !== message.id || quoted === message) return false;
      const isDeleted = message.content_attributes.deleted === true;
      $quotes.set({ ...$quotes.get(), [id]: isDeleted ? undefined : message });
      return isDeleted && id === $openId.get();
    },
    filesOf: (conversationId: number, mode: Mode) => $trays.get()[key(conversationId, mode)] ?? none,
    /** In place of those that are there. */
    attach(conversationId: number, mode: Mode, files: readonly File[]) {
      $trays.set({ ...$trays.get(), [key(conversationId, mode)]: files });
    },
    $texts,
    $mode,
    read,
    /** Another conversation begins as a reply, unless a note alone was begun there. */
    open(conversationId: number | undefined) {
      const begun = (mode: Mode) =>
        conversationId !== undefined &&
        (read(conversationId, mode) !== '' || !!$trays.get()[key(conversationId, mode)]?.length);
      $mode.set(begun('note') && !begun('reply') ? 'note' : 'reply');
      $openId.set(conversationId);
    },
    write(conversationId: number, mode: Mode, text: string) {
      const { [key(conversationId, mode)]: _, ...rest } = $texts.get();
      $texts.set(text ? { ...rest, [key(conversationId, mode)]: text } : rest);
    },
  };
}

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

interface Beside {
  quoted: Message | undefined;
  files: readonly File[];
}
const nothing: Beside = { quoted: undefined, files: [] };

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

export function createDrafts() {
  const $texts = kept('drafts', z.record(z.string(), z.string()), {});
  /** By the number of the conversation. */
  const $questions = kept('questions', z.record(z.string(), questionSchema), {});
  const $mode = atom<Mode>('reply');
  const key = (conversationId: number, mode: Mode) => `${conversationId}:${mode}`;

  const read = (conversationId: number, mode: Mode) => $texts.get()[key(conversationId, mode)] ?? '';

  /** What the next reply quotes, and the files it takes, by the number of the conversation; they go with the page. */
  const $beside = atom<Readonly<Record<number, Beside>>>({});
  const $openId = atom<number | undefined>(undefined);
  const $here = computed([$beside, $openId], (all, id) =>
    id === undefined ? nothing : (all[id] ?? nothing),
  );
  function lay(patch: Partial<Beside>) {
    const id = $openId.get();
    if (id !== undefined) $beside.set({ ...$beside.get(), [id]: { ...$here.get(), ...patch } });
  }

  return {
    $questions,
    /** @param question nothing where it was sent or discarded */
    writeQuestion(conversationId: number, question?: Question) {
      const { [conversationId]: _, ...rest } = $questions.get();
      $questions.set(question ? { ...rest, [conversationId]: question } : rest);
    },
    $quoted: computed($here, ({ quoted }) => quoted),
    $files: computed($here, ({ files }) => files),
    /** Somewhere are files that no message took yet. */
    $holdsFiles: computed($beside, (all) => Object.values(all).some(({ files }) => files.length > 0)),
    quote: (quoted: Message | undefined) => lay({ quoted }),
    attach: (files: readonly File[]) => lay({ files }),
    $texts,
    $mode,
    read,
    /** Another conversation begins as a reply, unless a note alone was begun there. */
    open(conversationId: number | undefined) {
      const begun = (mode: Mode) => conversationId !== undefined && read(conversationId, mode) !== '';
      $mode.set(begun('note') && !begun('reply') ? 'note' : 'reply');
      $openId.set(conversationId);
    },
    write(conversationId: number, mode: Mode, text: string) {
      const { [key(conversationId, mode)]: _, ...rest } = $texts.get();
      $texts.set(text ? { ...rest, [key(conversationId, mode)]: text } : rest);
    },
  };
}

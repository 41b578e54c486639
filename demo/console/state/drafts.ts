/**
 * What is being written, per conversation and mode: a note never becomes a reply by a slip of the mode. Kept
 * through a reload. Knows nothing of sending.
 */
import { atom } from 'nanostores';
import * as z from 'zod';
import type { Message } from '../wire/schemas.js';
import { kept } from './kept.js';

export type Mode = 'reply' | 'note';

export function createDrafts() {
  const $texts = kept('drafts', z.record(z.string(), z.string()), {});
  const $mode = atom<Mode>('reply');
  const key = (conversationId: number, mode: Mode) => `${conversationId}:${mode}`;

  const read = (conversationId: number, mode: Mode) => $texts.get()[key(conversationId, mode)] ?? '';

  /** What the next reply quotes, and the files it takes; they belong to one conversation and go with the page. */
  const $quoted = atom<Message | undefined>(undefined);
  const $files = atom<readonly File[]>([]);

  return {
    $quoted,
    $files,
    $texts,
    $mode,
    read,
    /** Another conversation begins as a reply, unless a note alone was begun there. */
    open(conversationId: number | undefined) {
      const begun = (mode: Mode) => conversationId !== undefined && read(conversationId, mode) !== '';
      $mode.set(begun('note') && !begun('reply') ? 'note' : 'reply');
      $quoted.set(undefined);
      $files.set([]);
    },
    write(conversationId: number, mode: Mode, text: string) {
      const { [key(conversationId, mode)]: _, ...rest } = $texts.get();
      $texts.set(text ? { ...rest, [key(conversationId, mode)]: text } : rest);
    },
  };
}

/** What this browser keeps of the visitor, told without its secrets. It knows names and sizes, and no words for them. */
import type { Scalar } from '../parley.js';
import { LEDGER } from '../storage/ledger-db.js';
import type { Session } from './session.js';

export interface Kept {
  /** Small facts below the key of this chat, wherever they are kept: the contact's key has the name ''. Sizes in bytes. */
  facts: { name: string; size: number; value: unknown }[];
  /** Messages that wait to be sent. */
  waiting: { content: string; queuedAt: number; files: { name: string; size: number }[] }[];
  /** Answers that wait to be sent with the first message. */
  about: Record<string, Scalar>;
  /** By what the page said the visitor is known. */
  identity: string | undefined;
  /** The service knows this browser by a secret key, which is kept. */
  known: boolean;
}

const bytes = (text: string) => new TextEncoder().encode(text).length;

export function kept({ local, $ledger }: Session): Kept {
  const { outbox, about, identity, sourceId } = $ledger.get();
  return {
    facts: local.all().map(({ name, text }) => ({
      name,
      size: bytes(text),
      // The contact's key opens the conversation to anyone.
      value: name && name !== LEDGER ? local.get(name) : undefined,
    })),
    waiting: outbox.map(({ content, queuedAt, files }) => ({
      content,
      queuedAt,
      files: files.map(({ name, size }) => ({ name, size })),
    })),
    about: { ...about?.contact, ...about?.conversation },
    identity,
    known: sourceId !== undefined,
  };
}

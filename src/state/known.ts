/**
 * Which facts of the visitor need not be asked for before the first words: none is, once words are there. It does not
 * know who asks, and for what.
 */
import { atom, effect } from 'nanostores';
import type { ContactFields } from '../api/inbox.js';
import { type ChatError, isNotFound } from '../errors.js';
import type { Front } from './front.js';
import type { Session } from './session.js';

/** Nobody goes by the key that was kept here: at the service, or, since another tab has asked, here either. */
export const isUnknown = (error: ChatError): boolean => isNotFound(error) || error.kind === 'gone';

/** @param fields what the host page says of the visitor now */
export function createKnown({ own, $ledger }: Session, front: Front, fields: () => ContactFields) {
  /** 0 until it is certain whether this browser's visitor has a conversation; more with all that is said of them. */
  const $certain = atom(0);
  own(
    effect(
      [$certain, $ledger],
      (certain, { conversationId, opening, outbox, about, told = [], answered = [] }) => {
        const begun = conversationId !== undefined || opening !== undefined || outbox.length > 0;
        const said = { ...fields(), ...fields().custom_attributes, ...about?.conversation };
        if (certain || begun) front.$known.set(begun ? null : [...told, ...answered, ...Object.keys(said)]);
      },
    ),
  );
  return {
    certain: () => $certain.set(1),
    /** More is said of the visitor by now. */
    learn: () => $certain.set($certain.get() && $certain.get() + 1),
  };
}

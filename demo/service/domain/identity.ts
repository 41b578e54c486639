/** Proof that a visitor is who the host page says (contract 2): HMAC-SHA256 of `identifier` with the inbox's key. */
import type { Change } from '../core.js';
import { unauthorized } from '../errors.js';
import { pairsLocked } from '../events.js';
import { hmacOf, sameSecret } from '../secrets.js';
import { first } from '../store/database.js';
import type { ContactRow, ConversationRow, InboxRow, PairRow } from '../store/rows.js';
import { announceView } from './announce.js';
import { viewConversations } from './conversations-view.js';

export interface Proof {
  identifier?: string | null | undefined;
  identifier_hash?: string | null | undefined;
}

/** @returns the identifier that is proven, or nothing when there was no proof and none is asked for */
export function checkProof(inbox: InboxRow, { identifier, identifier_hash }: Proof): string | undefined {
  if (!identifier_hash && !inbox.hmac_mandatory) return undefined;
  const expected = hmacOf(inbox.hmac_token, identifier ?? '');
  if (!identifier_hash || !sameSecret(expected, identifier_hash.toLowerCase())) {
    throw unauthorized('identifier_hash', 'Identity could not be verified', 'invalid_identifier_hash');
  }
  return identifier ?? '';
}

/**
 * A pair becomes verified only for the identifier its contact has; another one is refused. From then on this contact is
 * somebody, and whoever has only said to be that one is not: their keys are locked until they prove it, too. Else they
 * would be told of this person and could change them, and what they have begun would be found among this one's own.
 */
export async function verifyPair(
  change: Change,
  pair: PairRow,
  contact: ContactRow,
  proven: string | undefined,
): Promise<PairRow> {
  if (!proven) return pair;
  if (contact.identifier !== null && contact.identifier !== proven) {
    throw unauthorized('identifier', 'This contact has another identifier', 'invalid_identifier');
  }
  if (contact.identifier !== proven || pair.hmac_verified) return pair;
  // The one that was read may have another name by now, and whoever gives it waits for us or we for them.
  const { tx } = change;
  const verified = await first<PairRow>(
    tx,
    `update contact_inboxes set hmac_verified = true, updated_at = now()
     where id = $1
       and exists (select 1 from contacts c where c.id = contact_id and c.identifier = $2 for no key update)
     returning *`,
    [pair.id, proven],
  );
  if (!verified) return pair;
  // Afterwards: whoever has just been given one has held the contact meanwhile.
  const turned = await tx.query<PairRow>(
    `update contact_inboxes set locked = not hmac_verified, updated_at = now()
     where contact_id = $1 and not by_agent and locked = hmac_verified returning *`,
    [verified.contact_id],
  );
  const closed = turned.flatMap(({ id, locked }) => (locked ? [id] : []));
  if (closed.length) change.emit(pairsLocked(closed));
  // Agents see where nobody reads them any more, and where somebody does again.
  const theirs = await tx.query<ConversationRow>(
    'select * from conversations where contact_inbox_id = any($1::bigint[]) order by id',
    [turned.map(({ id }) => id)],
  );
  for (const view of await viewConversations(tx, theirs))
    await announceView(change, ['conversation.updated'], view, {});
  return { ...verified, locked: false };
}

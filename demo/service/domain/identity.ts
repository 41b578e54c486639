/** Proof that a visitor is who the host page says: HMAC-SHA256 of `identifier` with the inbox's key. */
import { unauthorized } from '../errors.js';
import { hmacOf, sameSecret } from '../secrets.js';
import { first, type Queries } from '../store/database.js';
import type { ContactRow, InboxRow, PairRow } from '../store/rows.js';

export interface Proof {
  identifier?: string | null | undefined;
  identifier_hash?: string | null | undefined;
}

/** @returns the identifier that is proven, or nothing when there was no proof and none is asked for */
export function checkProof(inbox: InboxRow, { identifier, identifier_hash }: Proof): string | undefined {
  if (!identifier_hash && !inbox.hmac_mandatory) return undefined;
  const expected = hmacOf(inbox.hmac_token, identifier ?? '');
  // A proof of nothing is a true one, and would let in whoever has once been given it.
  const isNobody = inbox.hmac_mandatory && !identifier;
  if (isNobody || !identifier_hash || !sameSecret(expected, identifier_hash.toLowerCase())) {
    throw unauthorized('identifier_hash', 'Identity could not be verified', 'invalid_identifier_hash');
  }
  return identifier ?? '';
}

/** A pair becomes verified only for the identifier its contact has; another one is refused. */
export async function verifyPair(
  tx: Queries,
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
  const verified = await first<PairRow>(
    tx,
    `update contact_inboxes set hmac_verified = true, claims = null, by_address = null, updated_at = now()
     where id = $1
       and exists (select 1 from contacts c where c.id = contact_id and c.identifier = $2 for no key update)
     returning *`,
    [pair.id, proven],
  );
  if (verified) await tx.query('update contacts set proven = true where id = $1', [verified.contact_id]);
  return verified ?? pair;
}

/**
 * Makes one contact of two, of which the one that goes has no identity. The survivor keeps what it has and takes what it
 * lacks, as far as there is room for it; pairs, conversations and messages move over, so tokens go on working.
 */
import { first, one, type Queries } from '../store/database.js';
import type { ContactRow } from '../store/rows.js';
import { joinedOrSecond } from './attributes.js';
import { passAvatar } from './avatars.js';
import { isInvented } from './invented-name.js';

/** What came from one contact to another. */
export interface Moved {
  goneId: number;
  pairIds: readonly number[];
  conversationIds: readonly number[];
}

export const lockContact = (tx: Queries, id: number) =>
  first<ContactRow>(tx, 'select * from contacts where id = $1 for update', [id]);

/**
 * In the order in which messages lock: conversations before contacts.
 * @returns nothing when one of them has just become somebody else
 */
export async function lockBoth(
  tx: Queries,
  goneId: number,
  survivorId: number,
): Promise<{ gone: ContactRow; survivor: ContactRow } | undefined> {
  await tx.query('select id from conversations where contact_id = $1 order by id for update', [goneId]);
  const rows = await tx.query<ContactRow>(
    'select * from contacts where id = any($1::bigint[]) order by id for update',
    [[goneId, survivorId]],
  );
  const gone = rows.find(({ id }) => id === goneId);
  const survivor = rows.find(({ id }) => id === survivorId);
  return gone && survivor && { gone, survivor };
}

/** Both are locked. What was proven with a pair was the other contact. @param only the one pair that moves, of several */
export async function movePairs(
  tx: Queries,
  goneId: number,
  contactId: number,
  only: number | null = null,
): Promise<Moved> {
  const ids = [goneId, contactId, only];
  const pairs = await tx.query<{ id: number }>(
    `update contact_inboxes set contact_id = $2, updated_at = now(), hmac_verified = false
     where contact_id = $1 and ($3::bigint is null or id = $3) returning id`,
    ids,
  );
  const conversations = await tx.query<{ id: number }>(
    `update conversations set contact_id = $2, updated_at = now()
     where contact_id = $1 and ($3::bigint is null or contact_inbox_id = $3) returning id`,
    ids,
  );
  const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);
  const moved = { goneId, pairIds: idsOf(pairs), conversationIds: idsOf(conversations) };
  // A contact writes in their own conversations alone; without these every message of all would be looked at.
  await tx.query(
    `update messages set sender_id = $2
     where sender_type = 'Contact' and sender_id = $1 and conversation_id = any($3::bigint[])`,
    [goneId, contactId, moved.conversationIds],
  );
  return moved;
}

/** The contact is locked, so it gets no more of them. */
export const hasOtherPair = async (tx: Queries, { id }: ContactRow, pairId: number) =>
  (await first(tx, 'select 1 from contact_inboxes where contact_id = $1 and id <> $2 limit 1', [
    id,
    pairId,
  ])) !== undefined;

const isNameless = ({ name }: ContactRow) => name === '' || isInvented(name);

/**
 * Both are locked.
 * @returns also the keys of pictures that nobody has any more
 */
export async function mergeContacts(
  tx: Queries,
  gone: ContactRow,
  survivor: ContactRow,
): Promise<{ joined: ContactRow; moved: Moved; keys: string[] }> {
  const moved = await movePairs(tx, gone.id, survivor.id);
  const keys = await passAvatar(tx, gone, survivor);
  await tx.query('delete from contacts where id = $1', [gone.id]);
  const joined = await one<ContactRow>(
    tx,
    `update contacts set name = $2, email = coalesce(email, $3), phone_number = coalesce(phone_number, $4),
       avatar_url = $5, last_activity_at = greatest(last_activity_at, $6), additional_attributes = $7::jsonb,
       custom_attributes = $8::jsonb, updated_at = now()
     where id = $1 returning *`,
    [
      survivor.id,
      isNameless(survivor) && !isNameless(gone) ? gone.name : survivor.name,
      gone.email,
      gone.phone_number,
      survivor.avatar_url || gone.avatar_url,
      gone.last_activity_at,
      JSON.stringify(joinedOrSecond(gone.additional_attributes, survivor.additional_attributes)),
      JSON.stringify(joinedOrSecond(gone.custom_attributes, survivor.custom_attributes)),
    ],
  );
  return { joined, moved, keys };
}

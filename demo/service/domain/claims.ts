/**
 * Whoever has only said who they are, or was found by an address alone, once somebody has proven to be that one: they
 * are a contact of their own from then on, with what was said by their keys, and whoever said a name comes back by a
 * proof of it. Else they would be told of that person and could change them, and what they have begun would be found
 * among that one's own. It does not know who asks.
 */
import type { Change } from '../core.js';
import { pairsMoved } from '../events.js';
import { first, type Queries } from '../store/database.js';
import type { ContactRow, ConversationRow, Json, PairRow } from '../store/rows.js';
import { announceContact, announceMerge, announceMoved, announceOwners } from './announce.js';
import { withoutKeys } from './attributes.js';
import { verifyPair } from './identity.js';
import { hasOtherPair, lockBoth, lockContact, mergeContacts, movePairs } from './merge.js';

export interface Holder {
  pair: PairRow;
  contact: ContactRow;
}

/** Where agents see what somebody says of themselves who has not proven it. */
const CLAIMED = 'claimed_identifier';
export const claimed = (identifier: string): Json => ({ [CLAIMED]: identifier });
export const claimOf = ({ additional_attributes: map }: ContactRow): unknown => map[CLAIMED];
export const unclaimed = (map: Json): Json => withoutKeys(map, [CLAIMED]);

/** Nobody has vouched for whoever has this key: they have said a name, or an address of somebody who was there. */
const unsure = 'coalesce(p.claims, p.by_address) is not null and not p.hmac_verified';

/** Somebody has proven to be this one, or has in a process of the version before, which does not write it down. */
export const isProven = async (tx: Queries, { id, proven }: ContactRow): Promise<boolean> =>
  proven ||
  (await first(tx, 'select 1 from contact_inboxes where contact_id = $1 and hmac_verified limit 1', [id])) !==
    undefined;

/**
 * In the order in which all else locks, keys before conversations before contacts: nothing is begun with these keys
 * meanwhile, and nobody waits for who waits for them.
 * @param pairId this one, too, wherever it is by now
 */
export async function holdClaims(tx: Queries, contactId: number, pairId = 0): Promise<void> {
  const ids = [contactId, pairId];
  const theirs = `p.id = $2 or (p.contact_id = $1 and ${unsure})`;
  await tx.query(`select p.id from contact_inboxes p where ${theirs} order by p.id for update`, ids);
  await tx.query(
    `select v.id from conversations v join contact_inboxes p on p.id = v.contact_inbox_id
     where ${theirs} order by v.id for update of v`,
    ids,
  );
}

/** As they are, and stay until this is committed. */
async function held(tx: Queries, before: Holder): Promise<Holder> {
  await holdClaims(tx, before.contact.id, before.pair.id);
  const pair = await first<PairRow>(tx, 'select * from contact_inboxes where id = $1', [before.pair.id]);
  const contact =
    pair && (await first<ContactRow>(tx, 'select * from contacts where id = $1', [pair.contact_id]));
  return pair && contact ? { pair, contact } : before;
}

/**
 * @param proven the identifier that is proven by this request
 * @param keys takes those of pictures that nobody has any more
 * @throws Refusal 401 where the contact has another identifier
 */
export async function prove(
  change: Change,
  asked: Holder,
  proven: string | undefined,
  keys: string[],
): Promise<Holder> {
  const { tx } = change;
  const holder = proven && !asked.pair.hmac_verified ? await held(tx, asked) : asked;
  const isBack = proven !== undefined && holder.contact.identifier === null && holder.pair.claims === proven;
  const { contact, pair: before } = isBack ? await comeBack(change, holder, proven, keys) : holder;
  const pair = await verifyPair(tx, before, contact, proven);
  // Afterwards: whoever has just been given one has held the contact meanwhile.
  if (pair.hmac_verified && !before.hmac_verified) await setApart(change, contact);
  return { contact, pair };
}

/** Among the keys of whom they have said to be: from a contact that is nobody else's, all that is known of it comes along. */
async function comeBack(
  change: Change,
  { pair, contact }: Holder,
  proven: string,
  keys: string[],
): Promise<Holder> {
  const { tx } = change;
  const who = [contact.account_id, proven];
  const known = await first<ContactRow>(
    tx,
    'select * from contacts where account_id = $1 and identifier = $2',
    who,
  );
  if (!known) return { pair, contact: (await nameAfter(change, contact, pair, proven)) ?? contact };
  const both = await lockBoth(tx, contact.id, known.id);
  // One of the two has just become somebody else: the next proof finds who.
  if (both?.gone.identifier !== null || both.survivor.identifier !== proven) return { pair, contact };
  const { gone, survivor } = both;
  const moved = { ...pair, contact_id: survivor.id, hmac_verified: false };
  if (await hasOtherPair(tx, gone, pair.id)) {
    await announceMoved(change, survivor, await movePairs(tx, gone.id, survivor.id, pair.id));
    await forgetClaim(change, gone, proven);
    return { pair: moved, contact: survivor };
  }
  const own = { ...gone, additional_attributes: unclaimed(gone.additional_attributes) };
  const merged = await mergeContacts(tx, own, survivor);
  keys.push(...merged.keys);
  await announceContact(change, 'contact.updated', merged.joined, survivor);
  await announceMerge(change, merged.joined, merged.moved);
  return { pair: moved, contact: merged.joined };
}

/** Those who are left have said it, too, or it was never theirs. */
async function forgetClaim(change: Change, before: ContactRow, claim: string): Promise<void> {
  const after = await first<ContactRow>(
    change.tx,
    `update contacts set additional_attributes = additional_attributes - $3::text, updated_at = now()
     where id = $1 and additional_attributes ? $3
       and not exists (select 1 from contact_inboxes where contact_id = $1 and claims = $2)
     returning *`,
    [before.id, claim, CLAIMED],
  );
  if (after) await announceContact(change, 'contact.updated', after, before);
}

/** Whoever had the name is gone, and it is theirs, unless others have a key to the same contact. */
async function nameAfter(
  change: Change,
  before: ContactRow,
  pair: PairRow,
  proven: string,
): Promise<ContactRow | undefined> {
  const { tx } = change;
  const locked = await lockContact(tx, before.id);
  if (!locked || (await hasOtherPair(tx, locked, pair.id))) return undefined;
  const named = await first<ContactRow>(
    tx,
    `update contacts set identifier = $2, contact_type = 'lead', updated_at = now(),
       additional_attributes = additional_attributes - $3::text
     where id = $1 and identifier is null returning *`,
    [before.id, proven, CLAIMED],
  );
  if (named) await announceContact(change, 'contact.updated', named, before);
  return named;
}

/** Each of them apart: none has proven to be the same as another. Their name is what they have been told already. */
async function setApart(change: Change, { id }: ContactRow): Promise<void> {
  const { tx } = change;
  await holdClaims(tx, id);
  const made = await tx.query<ContactRow & { pair_id: number }>(
    `with apart as (
       select p.id as pair_id, coalesce(p.claims, p.by_address) as claim,
         nextval(pg_get_serial_sequence('contacts', 'id')) as contact_id
       from contact_inboxes p where p.contact_id = $1 and ${unsure}),
     made as (
       insert into contacts (id, account_id, name, blocked, additional_attributes, last_activity_at)
       select a.contact_id, c.account_id, c.name, c.blocked,
         jsonb_build_object($2::text, a.claim), c.last_activity_at
       from apart a, contacts c where c.id = $1
       returning *),
     pairs as (
       update contact_inboxes p set contact_id = a.contact_id, by_address = null, updated_at = now()
       from apart a where p.id = a.pair_id),
     moved as (
       update conversations v set contact_id = a.contact_id, updated_at = now()
       from apart a where v.contact_inbox_id = a.pair_id returning v.id, v.contact_id),
     said as (
       update messages m set sender_id = v.contact_id
       from moved v where m.conversation_id = v.id and m.sender_type = 'Contact' and m.sender_id = $1)
     select made.*, a.pair_id from made join apart a on a.contact_id = made.id order by a.pair_id`,
    [id, CLAIMED],
  );
  if (!made.length) return;
  const theirs = await tx.query<Pick<ConversationRow, 'id' | 'contact_id'>>(
    'select id, contact_id from conversations where contact_id = any($1::bigint[]) order by id',
    [made.map((contact) => contact.id)],
  );
  const speaking = new Set(theirs.map(({ contact_id }) => contact_id));
  for (const { pair_id, ...contact } of made) {
    // Agents see nobody who has neither an address nor a conversation, and somebody may have made thousands of them.
    if (speaking.has(contact.id)) await announceContact(change, 'contact.created', contact);
    change.emit(pairsMoved([pair_id], contact.id));
  }
  await announceOwners(
    change,
    theirs.map((one) => one.id),
  );
}

/**
 * Contacts of the public family: found or made for a `source_id`, changed by their owner, merged when they turn
 * out to be somebody we know. Two requests with one `source_id` get one contact: the unique index decides and the
 * slower one looks again.
 */
import { type Change, type Core, commit } from '../core.js';
import { unprocessable } from '../errors.js';
import { randomToken } from '../secrets.js';
import { first, one, type Queries, withRaces } from '../store/database.js';
import type { ContactRow, InboxRow, Json, PairRow } from '../store/rows.js';
import { announceContact, announceMerge } from './announce.js';
import { checkAttributes } from './attribute-check.js';
import { deepMerge } from './attributes.js';
import { dropAvatar, keptAvatar } from './avatars.js';
import { claimed, type Holder, holdClaims, isProven, prove } from './claims.js';
import { checkProof, type Proof } from './identity.js';
import { inventedName } from './invented-name.js';
import { hasOtherPair, lockBoth, lockContact, type Moved, mergeContacts } from './merge.js';

export type { Holder } from './claims.js';

export interface ContactFields {
  name?: string | undefined;
  email?: string | undefined;
  phone_number?: string | undefined;
  avatar_url?: string | undefined;
  custom_attributes?: Json | undefined;
}

export async function findHolder(
  db: Queries,
  inbox: InboxRow,
  sourceId: string,
): Promise<Holder | undefined> {
  for (;;) {
    const pair = await first<PairRow>(
      db,
      'select * from contact_inboxes where inbox_id = $1 and source_id = $2',
      [inbox.id, sourceId],
    );
    if (!pair) return undefined;
    const contact = await first<ContactRow>(db, 'select * from contacts where id = $1', [pair.contact_id]);
    // Else it became another between the two looks, and the pair is that one's by now.
    if (contact) return { pair, contact };
  }
}

const unproven = ['email', 'phone_number'] as const;
const has = {
  identifier: 'identifier = $2',
  // As it is kept: what the database makes of other letters is its own.
  email: 'lower(email) = lower($2)',
  phone_number: 'phone_number = $2',
} as const;

async function known(
  tx: Queries,
  accountId: number,
  field: keyof typeof has,
  value: string | null | undefined,
  lock: '' | 'for share' | 'for no key update' = '',
): Promise<ContactRow | undefined> {
  if (!value) return undefined;
  const sql = `select * from contacts where account_id = $1 and ${has[field]} ${lock}`;
  return first<ContactRow>(tx, sql, [accountId, field === 'email' ? value.toLowerCase() : value]);
}

const taken = (field: (typeof unproven)[number]) =>
  unprocessable(field, 'This value belongs to another contact', 'taken');

/**
 * The contact of the account that a new key leads to. Whoever says who they are is found by that alone: what somebody
 * else has left in their name, or they themselves before, would never be theirs. And nobody who has an identity is
 * found by less, nor without a proof once somebody has proven it. Locked, which waits for who is about to change or to
 * prove it, and asks it once more.
 * @returns also whether the name is somebody else's, who has proven it
 */
async function meant(
  tx: Queries,
  accountId: number,
  fields: ContactFields & Proof,
  proven: string | undefined,
): Promise<{ contact?: ContactRow; isAnothers?: boolean; byAddress?: string | null | undefined }> {
  const there = proven && (await known(tx, accountId, 'identifier', proven));
  if (there) await holdClaims(tx, there.id);
  const named = await known(tx, accountId, 'identifier', fields.identifier, 'for no key update');
  const isAnothers = named && proven === undefined && (await isProven(tx, named));
  if (named && !isAnothers) return { contact: named };
  for (const field of unproven) {
    const other = await known(tx, accountId, field, fields[field], 'for share');
    if (!other) continue;
    if (fields.identifier || other.identifier !== null) throw taken(field);
    return { contact: other, byAddress: fields[field] };
  }
  return isAnothers ? { isAnothers } : {};
}

const typeOf = (fields: ContactFields & Proof) =>
  fields.email || fields.phone_number || fields.identifier ? 'lead' : 'visitor';

/** @param isAnothers the name is: it is kept as what they say of themselves */
async function insertContact(
  change: Change,
  accountId: number,
  fields: ContactFields & Proof,
  isAnothers: boolean | undefined,
): Promise<ContactRow> {
  const { identifier } = fields;
  await checkAttributes(change, accountId, 'contact_attribute', fields.custom_attributes ?? {});
  const contact = await one<ContactRow>(
    change.tx,
    `insert into contacts (account_id, name, email, phone_number, identifier, avatar_url, custom_attributes, contact_type,
       additional_attributes)
     values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9::jsonb) returning *`,
    [
      accountId,
      fields.name || inventedName(),
      fields.email?.toLowerCase() || null,
      fields.phone_number || null,
      (!isAnothers && identifier) || null,
      keptAvatar(change.core, fields.avatar_url ?? '', ''),
      JSON.stringify(fields.custom_attributes ?? {}),
      typeOf(isAnothers ? { ...fields, identifier: null } : fields),
      JSON.stringify(isAnothers && identifier ? claimed(identifier) : {}),
    ],
  );
  await announceContact(change, 'contact.created', contact);
  return contact;
}

/** Somebody's key in this inbox is looked at by one at a time, and what nobody shows any more goes with it. */
async function holding<H extends Holder>(
  core: Core,
  inbox: InboxRow,
  sourceId: string,
  work: (change: Change, keys: string[]) => Promise<H>,
): Promise<H> {
  let keys: string[] = [];
  const holder = await withRaces(() =>
    commit(core, `source:${inbox.id}:${sourceId}`, (change) => {
      keys = [];
      return work(change, keys);
    }),
  );
  await core.uploads.discard(keys);
  return holder;
}

export async function createContact(
  core: Core,
  inbox: InboxRow,
  fields: ContactFields & Proof & { source_id?: string | null | undefined },
): Promise<Holder> {
  const proven = checkProof(inbox, fields);
  const sourceId = fields.source_id ?? crypto.randomUUID();
  return holding(core, inbox, sourceId, async (change, keys) => {
    const { tx } = change;
    const held = await findHolder(tx, inbox, sourceId);
    if (held) return prove(change, held, proven, keys);
    const { contact: found, isAnothers, byAddress } = await meant(tx, inbox.account_id, fields, proven);
    const contact = found ?? (await insertContact(change, inbox.account_id, fields, isAnothers));
    const pair = await one<PairRow>(
      tx,
      `insert into contact_inboxes (contact_id, inbox_id, source_id, pubsub_token, claims, by_address)
       values ($1, $2, $3, $4, $5, $6) returning *`,
      [
        contact.id,
        inbox.id,
        sourceId,
        randomToken(),
        (proven === undefined && fields.identifier) || null,
        byAddress || null,
      ],
    );
    return prove(change, { contact, pair }, proven, keys);
  });
}

export async function showContact(
  core: Core,
  inbox: InboxRow,
  holder: Holder,
  proof: Proof,
): Promise<Holder> {
  const proven = checkProof(inbox, proof);
  if (!proven) return holder;
  return holding(core, inbox, holder.pair.source_id, async (change, keys) =>
    prove(change, (await findHolder(change.tx, inbox, holder.pair.source_id)) ?? holder, proven, keys),
  );
}

interface Joined {
  before: ContactRow;
  joined: ContactRow;
  /** By the last joining, which takes along what came by the one before it. */
  moved?: Moved;
  /** Of pictures that nobody has any more; their bytes can go once this is committed. */
  keys: readonly string[];
}

/**
 * The one who already has this e-mail or phone becomes our contact, unless one of the two has an identity: nobody has
 * proven the e-mail, and whoever proves the identity afterwards would read what the other one has said. Neither does
 * somebody blocked become somebody who is not: they would be free again, or have the other one blocked. And who asks
 * speaks for nobody else: a contact that others have a key to stays what it is.
 * @returns locked, and as they are now: an agent may have changed them since
 */
async function joinKnown(
  tx: Queries,
  { pair, contact: mine }: Holder,
  fields: ContactFields,
): Promise<Joined> {
  let found: Joined | undefined;
  for (const field of unproven) {
    const joined = found?.joined ?? mine;
    const other = await known(tx, joined.account_id, field, fields[field]);
    const locked = other && other.id !== joined.id && (await lockBoth(tx, joined.id, other.id));
    if (!locked) continue;
    const { gone, survivor } = locked;
    // Who had it may have given it away while we waited for them.
    if ((await known(tx, joined.account_id, field, fields[field]))?.id !== survivor.id) continue;
    const isSilenced = gone.blocked && !survivor.blocked;
    const isNamed = survivor.identifier !== null || gone.identifier !== null || pair.claims !== null;
    if (isNamed || isSilenced || (await hasOtherPair(tx, gone, pair.id))) {
      throw taken(field);
    }
    const merged = await mergeContacts(tx, gone, survivor);
    await tx.query('update contact_inboxes set by_address = $2 where id = any($1::bigint[])', [
      merged.moved.pairIds,
      fields[field],
    ]);
    found = { before: survivor, ...merged, keys: [...(found?.keys ?? []), ...merged.keys] };
  }
  if (found) return found;
  const before = await lockContact(tx, mine.id);
  if (!before) throw new Error('the contact of a pair that is locked is not there');
  return { before, joined: before, keys: [] };
}

export async function updateContact(
  core: Core,
  inbox: InboxRow,
  sourceId: string,
  fields: ContactFields & Proof,
): Promise<Holder> {
  const proven = checkProof(inbox, fields);
  return holding(core, inbox, sourceId, async (change, keys) => {
    const { tx } = change;
    // The pair first: whose pair is locked becomes nobody else meanwhile.
    const mine = 'select id from contact_inboxes where inbox_id = $1 and source_id = $2 for update';
    await tx.query(mine, [inbox.id, sourceId]);
    const found = await findHolder(tx, inbox, sourceId);
    if (!found) throw new Error('the contact vanished between two statements');
    const holder = await prove(change, found, proven, keys);
    const { before, joined, moved, keys: gone } = await joinKnown(tx, holder, fields);
    const given = fields.custom_attributes ?? {};
    await checkAttributes(change, inbox.account_id, 'contact_attribute', given, {
      kept: joined.custom_attributes,
    });
    const contact = await one<ContactRow>(
      tx,
      `update contacts set name = coalesce($2, name), email = coalesce($3, email),
         phone_number = coalesce($4, phone_number), avatar_url = coalesce($5, avatar_url),
         custom_attributes = $6::jsonb, contact_type = case when $7 = 'lead' then 'lead' else contact_type end,
         updated_at = now()
       where id = $1 returning *`,
      [
        joined.id,
        fields.name || null,
        fields.email?.toLowerCase() || null,
        fields.phone_number || null,
        fields.avatar_url ? keptAvatar(core, fields.avatar_url, joined.avatar_url) : null,
        JSON.stringify(deepMerge(joined.custom_attributes, given)),
        typeOf(fields),
      ],
    );
    const replaced = contact.avatar_url === joined.avatar_url ? [] : await dropAvatar(tx, contact.id);
    await announceContact(change, 'contact.updated', contact, before);
    if (moved) await announceMerge(change, contact, moved);
    const after = await findHolder(tx, inbox, sourceId);
    keys.push(...gone, ...replaced);
    return { contact, pair: after?.pair ?? holder.pair };
  });
}

/** What agents add, change and take away of a contact. */
import { type Change, type Core, commit } from '../core.js';
import { notFound } from '../errors.js';
import { randomToken } from '../secrets.js';
import { deadlock, one, type Queries, sqlState, uniqueViolation, withRaces } from '../store/database.js';
import type { ContactRow, InboxRow, Json, PairRow } from '../store/rows.js';
import { taken } from '../store/taken.js';
import type { StoredFile } from '../uploads.js';
import { announceContact } from './announce.js';
import { checkAttributes } from './attribute-check.js';
import { deepMerge, withoutKeys } from './attributes.js';
import { dropAvatar, keptAvatar, ownAvatar, putAvatar } from './avatars.js';
import { claimOf, unclaimed } from './claims.js';
import { lockContact } from './merge.js';

export interface ContactChange {
  name?: string | null | undefined;
  email?: string | null | undefined;
  phone_number?: string | null | undefined;
  identifier?: string | null | undefined;
  blocked?: boolean | undefined;
  avatar_url?: string | null | undefined;
  additional_attributes?: Json | undefined;
  custom_attributes?: Json | undefined;
}

const fieldOfIndex = ['email', 'phone_number', 'identifier'] as const;

/** A unique index says which field belongs to somebody else by its name alone. */
function refusalOf(error: unknown): unknown {
  if (sqlState(error) !== uniqueViolation || !(error instanceof Error)) return error;
  const field = error.message.includes('contact_inboxes')
    ? 'source_id'
    : (fieldOfIndex.find((name) => error.message.includes(`contacts_${name}`)) ?? 'base');
  return taken(field);
}

/** Since it was found it may have been merged into another. */
async function lockedOrNotFound(tx: Queries, id: number): Promise<ContactRow> {
  const contact = await lockContact(tx, id);
  if (!contact) throw notFound('id');
  return contact;
}

/** Absent fields stay, null or blank ones are cleared; the maps are merged. */
export async function changeContact(
  core: Core,
  contact: ContactRow,
  change: ContactChange,
  picture?: StoredFile,
): Promise<ContactRow> {
  let gone: string[] = [];
  const text = (value: string | null | undefined, before: string | null) =>
    value === undefined ? before : value || null;
  try {
    const carryOut = async (work: Change) => {
      const before = await lockedOrNotFound(work.tx, contact.id);
      const given = change.custom_attributes ?? {};
      await checkAttributes(work, before.account_id, 'contact_attribute', given, {
        definedOnly: true,
        kept: before.custom_attributes,
      });
      const more = change.additional_attributes ?? {};
      const additional = deepMerge(before.additional_attributes, more, 'additional_attributes');
      const picked = text(change.avatar_url, before.avatar_url) ?? '';
      const avatar = picture ? ownAvatar(picture.key) : keptAvatar(core, picked, before.avatar_url);
      // Whoever sends back the address they have read keeps the picture.
      gone = avatar === before.avatar_url ? [] : await dropAvatar(work.tx, before.id);
      if (picture) await putAvatar(work.tx, before.id, picture);
      const after = await one<ContactRow>(
        work.tx,
        `update contacts set name = $2, email = $3, phone_number = $4, identifier = $5, blocked = $6,
           avatar_url = $7, additional_attributes = $8::jsonb, custom_attributes = $9::jsonb,
           contact_type = case when contact_type = 'visitor' and coalesce($3, $4, $5) is not null
             then 'lead' else contact_type end,
           updated_at = now()
         where id = $1 returning *`,
        [
          before.id,
          text(change.name, before.name) ?? '',
          text(change.email, before.email)?.toLowerCase() ?? null,
          text(change.phone_number, before.phone_number),
          text(change.identifier, before.identifier),
          change.blocked ?? before.blocked,
          avatar,
          JSON.stringify(change.identifier ? unclaimed(additional) : additional),
          JSON.stringify(deepMerge(before.custom_attributes, given)),
        ],
      );
      // What was proven was another name, and who claimed it claims this one. Whom an agent names who was set apart for a
      // claim is known to them.
      if (after.identifier !== before.identifier) {
        const sql = `update contact_inboxes set hmac_verified = false, updated_at = now(),
            claims = case when claims = $3 then null when claims is not null then coalesce($2, claims) end
          where contact_id = $1`;
        const isNew = before.identifier === null;
        const known = isNew ? claimOf(before) : null;
        await work.tx.query(sql, [after.id, isNew ? null : after.identifier, known ?? null]);
      }
      await announceContact(work, 'contact.updated', after, before);
      return after;
    };
    const changed = await withRaces(() => commit(core, `contact:${contact.id}`, carryOut), [deadlock]);
    await core.uploads.discard(gone);
    return changed;
  } catch (error) {
    throw refusalOf(error);
  }
}

/** Somebody an agent knows of, and, where an inbox is named, the pair that lets them be talked to there. */
export async function addContact(
  core: Core,
  accountId: number,
  fields: ContactChange,
  at: { inbox: InboxRow; sourceId: string } | undefined,
): Promise<{ contact: ContactRow; pair: PairRow | undefined }> {
  try {
    return await commit(core, `contacts:${accountId}`, async (work) => {
      const given = fields.custom_attributes ?? {};
      await checkAttributes(work, accountId, 'contact_attribute', given, { definedOnly: true });
      const contact = await one<ContactRow>(
        work.tx,
        `insert into contacts (account_id, name, email, phone_number, identifier, blocked, avatar_url,
           additional_attributes, custom_attributes, contact_type)
         values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9::jsonb,
           case when coalesce($3, $4, $5) is null then 'visitor' else 'lead' end) returning *`,
        [
          accountId,
          fields.name ?? '',
          fields.email?.toLowerCase() || null,
          fields.phone_number || null,
          fields.identifier || null,
          fields.blocked ?? false,
          keptAvatar(core, fields.avatar_url ?? '', ''),
          JSON.stringify(fields.additional_attributes ?? {}),
          JSON.stringify(given),
        ],
      );
      const pair =
        at &&
        (await one<PairRow>(
          work.tx,
          `insert into contact_inboxes (contact_id, inbox_id, source_id, pubsub_token)
           values ($1, $2, $3, $4) returning *`,
          [contact.id, at.inbox.id, at.sourceId, randomToken()],
        ));
      await announceContact(work, 'contact.created', contact);
      return { contact, pair };
    });
  } catch (error) {
    throw refusalOf(error);
  }
}

export function removeContactAttributes(
  core: Core,
  contact: ContactRow,
  keys: readonly string[],
): Promise<ContactRow> {
  return commit(core, `contact:${contact.id}`, async ({ tx, ...work }) => {
    const before = await lockedOrNotFound(tx, contact.id);
    const after = await one<ContactRow>(
      tx,
      'update contacts set custom_attributes = $2::jsonb, updated_at = now() where id = $1 returning *',
      [before.id, JSON.stringify(withoutKeys(before.custom_attributes, keys))],
    );
    await announceContact({ tx, ...work }, 'contact.updated', after, before);
    return after;
  });
}

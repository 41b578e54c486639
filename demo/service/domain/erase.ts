/**
 * Takes a contact away with everything of theirs: what they and agents have said, files, keys, attributes, and what of
 * it waits for webhooks. Its lines in logs of deliveries that are through name nobody.
 */
import { type Core, commit } from '../core.js';
import { notFound } from '../errors.js';
import { deadlock, type Queries, withRaces } from '../store/database.js';
import type { ContactRow } from '../store/rows.js';
import { announceErased } from './announce.js';
import { dropAvatar } from './avatars.js';
import { lockContact } from './merge.js';
import { deliveryLane } from './webhook-events.js';

/** In the order in which messages lock. Whoever is locked gets no more conversations. */
async function lockAll(tx: Queries, contactId: number): Promise<number[]> {
  const lock = 'select id from conversations where contact_id = $1 order by id for update';
  await tx.query(lock, [contactId]);
  if (!(await lockContact(tx, contactId))) throw notFound('id');
  return (await tx.query<{ id: number }>(lock, [contactId])).map(({ id }) => id);
}

/** @throws Refusal 404 when they became one with somebody else, or were erased, meanwhile */
export async function eraseContact(core: Core, contact: ContactRow): Promise<void> {
  const erase = () =>
    commit(core, `contact:${contact.id}`, async (change) => {
      const { tx } = change;
      const conversationIds = await lockAll(tx, contact.id);
      const files = await tx.query<{ key: string }>(
        `select a.key from attachments a join messages m on m.id = a.message_id
         where m.conversation_id = any($1::bigint[])`,
        [conversationIds],
      );
      const pictures = await dropAvatar(tx, contact.id);
      await tx.query(
        `delete from webhook_deliveries where account_id = $1 and substring(lane from '[^/]*$') = any($2::text[])`,
        [contact.account_id, [...conversationIds.map(deliveryLane), `contact:${contact.id}`]],
      );
      await tx.query('delete from contacts where id = $1', [contact.id]);
      announceErased(change, contact, conversationIds);
      return [...files.map(({ key }) => key), ...pictures];
    });
  await core.uploads.discard(await withRaces(erase, [deadlock]));
}

/**
 * A message with everything its shapes show: sender, attachments, display number of its conversation. Reads in
 * batches, three statements for any number of messages.
 */
import { byId, type Queries } from '../store/database.js';
import type { AgentRow, AttachmentRow, ContactFace, ContactRow, MessageRow } from '../store/rows.js';
import { agentsOf } from './agent-rows.js';

export type Sender = { type: 'contact'; contact: ContactFace } | { type: 'user'; user: AgentRow };

export interface MessageView {
  message: MessageRow;
  displayId: number;
  sender: Sender | undefined;
  attachments: AttachmentRow[];
}

const idsOf = (messages: readonly MessageRow[], type: MessageRow['sender_type']) => [
  ...new Set(messages.flatMap((m) => (m.sender_type === type && m.sender_id !== null ? [m.sender_id] : []))),
];

async function withContacts(
  db: Queries,
  messages: readonly MessageRow[],
): Promise<{ messages: readonly MessageRow[]; contacts: Map<number, ContactRow> }> {
  const contactsOf = async (ids: readonly number[]) =>
    byId(
      ids.length
        ? await db.query<ContactRow>('select * from contacts where id = any($1::bigint[])', [ids])
        : [],
    );
  const ids = idsOf(messages, 'Contact');
  const contacts = await contactsOf(ids);
  if (ids.every((id) => contacts.has(id))) return { messages, contacts };
  // Some became another between the two looks, and what they wrote is that one's by now.
  const now = byId(
    await db.query<Pick<MessageRow, 'id' | 'sender_id'>>(
      'select id, sender_id from messages where id = any($1::bigint[])',
      [messages.map(({ id }) => id)],
    ),
  );
  const again = messages.map((message) => ({ ...message, ...now.get(message.id) }));
  return { messages: again, contacts: await contactsOf(idsOf(again, 'Contact')) };
}

export async function viewMessages(
  db: Queries,
  asked: readonly MessageRow[],
  displayIds: ReadonlyMap<number, number>,
): Promise<MessageView[]> {
  if (asked.length === 0) return [];
  const accountId = asked[0]?.account_id ?? 0;
  const { messages, contacts } = await withContacts(db, asked);
  const userIds = idsOf(messages, 'User');
  const users = byId(userIds.length ? await agentsOf(db, accountId, userIds) : []);
  const attachments = await db.query<AttachmentRow>(
    'select * from attachments where message_id = any($1::bigint[]) order by id',
    [messages.map((message) => message.id)],
  );
  const files = new Map<number, AttachmentRow[]>(messages.map(({ id }) => [id, []]));
  for (const attachment of attachments) files.get(attachment.message_id)?.push(attachment);
  return messages.map((message) => {
    const contact = message.sender_type === 'Contact' ? contacts.get(message.sender_id ?? 0) : undefined;
    const user = message.sender_type === 'User' ? users.get(message.sender_id ?? 0) : undefined;
    return {
      message,
      displayId: displayIds.get(message.conversation_id) ?? 0,
      sender: contact ? { type: 'contact', contact } : user ? { type: 'user', user } : undefined,
      attachments: files.get(message.id) ?? [],
    };
  });
}

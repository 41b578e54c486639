/** Puts messages into the table: what people write, and the lines the service writes itself. */
import type { Change } from '../core.js';
import { one } from '../store/database.js';
import type { AgentRow, ConversationRow, Json, MessageRow } from '../store/rows.js';
import type { StoredFile } from '../uploads.js';
import { announceMessage } from './announce.js';
import type { MessageView } from './messages-view.js';

export interface MessageFields {
  content: string | null;
  /** 0 incoming, 1 outgoing, 2 activity, 3 template. */
  type: MessageRow['message_type'];
  contentType?: string;
  contentAttributes?: Json;
  private?: boolean;
  echoId?: string | undefined;
  /** Whoever the conversation's contact is by then, an agent, or the service itself. */
  sender: 'contact' | 'nobody' | AgentRow;
}

/** What somebody writes. */
export interface NewMessage extends MessageFields {
  type: 0 | 1;
  sender: 'contact' | AgentRow;
  files: readonly StoredFile[];
}

/** What is written of a message; the rest the table knows. */
export const messageColumns = `account_id, inbox_id, conversation_id, content, message_type, content_type,
  content_attributes, private, echo_id, sender_type, sender_id`;

function senderOf(
  conversation: ConversationRow,
  sender: MessageFields['sender'],
): readonly [MessageRow['sender_type'], MessageRow['sender_id']] {
  if (sender === 'nobody') return [null, null];
  if (sender === 'contact') return ['Contact', conversation.contact_id];
  return ['User', sender.id];
}

/** Whether the one who writes now wrote this as well. */
export function isOwn(
  conversation: ConversationRow,
  sender: NewMessage['sender'],
  stored: MessageRow,
): boolean {
  const [type, id] = senderOf(conversation, sender);
  return stored.sender_type === type && stored.sender_id === id;
}

export function insertMessage(
  change: Change,
  conversation: ConversationRow,
  message: MessageFields,
): Promise<MessageRow> {
  return one<MessageRow>(
    change.tx,
    `insert into messages (${messageColumns})
     values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, $10, $11) returning *`,
    [
      conversation.account_id,
      conversation.inbox_id,
      conversation.id,
      message.content,
      message.type,
      message.contentType ?? 'text',
      JSON.stringify(message.contentAttributes ?? {}),
      message.private ?? false,
      change.core.forgetEchoId ? null : (message.echoId ?? null),
      ...senderOf(conversation, message.sender),
    ],
  );
}

/** A system line (type 2): agents read it, contacts never do. */
export async function addActivity(
  change: Change,
  conversation: ConversationRow,
  content: string,
): Promise<void> {
  const row = await insertMessage(change, conversation, { content, type: 2, sender: 'nobody' });
  await announceMessage(change, 'message.created', row);
}

/** An automatic message (type 3), or a rule's own (type 1): from nobody, for the contact. */
export async function addAutomatic(
  change: Change,
  conversation: ConversationRow,
  message: Omit<MessageFields, 'sender' | 'echoId'>,
): Promise<MessageView> {
  const row = await insertMessage(change, conversation, { ...message, sender: 'nobody' });
  await change.tx.query('update conversations set last_activity_at = $2, updated_at = now() where id = $1', [
    conversation.id,
    row.created_at,
  ]);
  return announceMessage(change, 'message.created', row);
}

/**
 * Messages nobody types: the greeting, the out-of-office notice, the satisfaction survey. Each has its own rule about
 * when it is said, and all are said in the transaction that made them due.
 */
import type { Change } from '../core.js';
import { first, one } from '../store/database.js';
import type { ContactRow, ConversationRow, InboxRow } from '../store/rows.js';
import { isOpen, startOfDay } from './business-hours.js';
import { addAutomatic } from './message-rows.js';

interface Said {
  template: boolean;
  template_today: boolean;
  outgoing: boolean;
  agent_lately: boolean;
}

const inboxOf = ({ tx }: Change, conversation: ConversationRow) =>
  one<InboxRow>(tx, 'select * from inboxes where id = $1', [conversation.inbox_id]);

const isBlocked = async ({ tx }: Change, conversation: ConversationRow) =>
  (await one<ContactRow>(tx, 'select * from contacts where id = $1', [conversation.contact_id])).blocked;

/** Each by an index, and read no further than it must be, however long the conversation is. */
export const saidSql = `
  with template as not materialized (
    select created_at from messages where conversation_id = $1 and message_type = 3),
  outgoing as not materialized (
    select sender_type, created_at from messages where conversation_id = $1 and message_type = 1 and not private)
  select exists (select 1 from template) as template,
    exists (select 1 from template where created_at >= $2) as template_today,
    exists (select 1 from outgoing) as outgoing,
    exists (select 1 from outgoing
      where sender_type = 'User' and created_at > now() - interval '5 minutes') as agent_lately`;

/** After the message of a contact who is not blocked: out-of-office first, so that both are never said at once. */
export async function answerAutomatically(
  change: Change,
  conversation: ConversationRow,
  inbox: InboxRow,
): Promise<void> {
  const greeting = inbox.greeting_enabled && inbox.greeting_message.trim() !== '';
  const now = new Date();
  const away = inbox.out_of_office_message.trim() !== '' && !isOpen(inbox, now);
  if (!greeting && !away) return;
  const said = await one<Said>(change.tx, saidSql, [conversation.id, startOfDay(inbox.timezone, now)]);
  if (away && !said.template_today && !said.agent_lately) {
    await addAutomatic(change, conversation, { type: 3, content: inbox.out_of_office_message });
  } else if (greeting && !said.template && !said.outgoing) {
    await addAutomatic(change, conversation, { type: 3, content: inbox.greeting_message });
  }
}

const asks = (kind: string) => `${kind} = 'input_csat' and message_type in (1, 3) and not private`;
/** Over `messages`: what asks the contact how it was, whether the service sent it or an agent. */
export const isSurvey = asks('content_type');
/** Also one that was deleted since. */
const wasSurvey = asks('coalesce(deleted_content_type, content_type)');

/** Once per conversation, when it is resolved. */
export async function askForRating(change: Change, conversation: ConversationRow): Promise<void> {
  const inbox = await inboxOf(change, conversation);
  if (!inbox.csat_survey_enabled || (await isBlocked(change, conversation))) return;
  const sql = `select id from messages where conversation_id = $1 and ${wasSurvey} limit 1`;
  if (await first(change.tx, sql, [conversation.id])) return;
  await addAutomatic(change, conversation, {
    type: 3,
    content: 'Please rate the conversation',
    contentType: 'input_csat',
    contentAttributes: { display_type: 'emoji' },
  });
}

/**
 * Finds what the path of a public request names. The `source_id` is the whole proof of who asks, so a wrong one
 * and a foreign one look the same: 404.
 */
import { findHolder, type Holder } from '../../domain/contacts.js';
import { notFound, tooMany } from '../../errors.js';
import { first, type Queries } from '../../store/database.js';
import type { ConversationRow, InboxRow, MessageRow } from '../../store/rows.js';
import type { Call } from '../endpoint.js';
import { idOf } from '../fields.js';

export const inboxPath = '/public/api/v1/inboxes/:inbox_identifier';
export const contactPath = `${inboxPath}/contacts/:contact_identifier`;
export const conversationPath = `${contactPath}/conversations/:conversation_id`;

type AnyCall = Pick<Call<never, never>, 'core' | 'param' | 'perContact'>;

/** What cannot be in a text column names nothing. */
export const textParam = (call: Pick<AnyCall, 'param'>, name: string) => {
  const text = call.param(name);
  return text.includes('\0') ? '' : text;
};

export async function inboxOf(call: AnyCall): Promise<InboxRow> {
  const identifier = textParam(call, 'inbox_identifier');
  const inbox = await first<InboxRow>(call.core.db, 'select * from inboxes where identifier = $1', [
    identifier,
  ]);
  if (!inbox) throw notFound('inbox_identifier');
  return inbox;
}

export async function contactOf(call: AnyCall): Promise<Holder & { inbox: InboxRow }> {
  const inbox = await inboxOf(call);
  const holder = await findHolder(call.core.db, inbox, textParam(call, 'contact_identifier'));
  if (!holder) throw notFound('contact_identifier');
  const wait = call.perContact.take(String(holder.pair.id));
  if (wait) throw tooMany(wait);
  return { ...holder, inbox };
}

const ownConversations = `(contact_inbox_id = $1 or ($2::boolean and contact_id = $3))`;
const ownParams = ({ pair, contact }: Holder) => [pair.id, pair.hmac_verified, contact.id];

const HELD = 20;

/** Oldest first, and some at a time: nobody bounds how many they are, nor how much is kept with each. */
export async function* allConversations(db: Queries, holder: Holder): AsyncGenerator<ConversationRow> {
  let rows: ConversationRow[] = [];
  do {
    rows = await db.query<ConversationRow>(
      `select * from conversations where ${ownConversations} and id > $4 order by id limit ${HELD}`,
      [...ownParams(holder), rows.at(-1)?.id ?? 0],
    );
    yield* rows;
  } while (rows.length === HELD);
}

export async function conversationOf(
  call: AnyCall,
): Promise<Holder & { inbox: InboxRow; conversation: ConversationRow }> {
  const scope = await contactOf(call);
  const id = idOf(call.param('conversation_id'));
  const conversation =
    id === undefined
      ? undefined
      : await first<ConversationRow>(
          call.core.db,
          `select * from conversations where ${ownConversations} and account_id = $4 and display_id = $5`,
          [...ownParams(scope), scope.inbox.account_id, id],
        );
  if (!conversation) throw notFound('conversation_id');
  return { ...scope, conversation };
}

export async function messageOf(call: AnyCall): Promise<{ message: MessageRow }> {
  const { conversation } = await conversationOf(call);
  const id = idOf(call.param('message_id'));
  const message =
    id === undefined
      ? undefined
      : await first<MessageRow>(
          call.core.db,
          'select * from messages where conversation_id = $1 and id = $2 and not private and message_type <> 2',
          [conversation.id, id],
        );
  if (!message) throw notFound('message_id');
  return { message };
}

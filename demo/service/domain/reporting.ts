/** Measures conversations as they go: first response, reply time, resolution, each in plain and in working seconds. */
import type { Change } from '../core.js';
import { one } from '../store/database.js';
import { askedOnce, writtenAtEnd } from '../store/per-transaction.js';
import type { ConversationRow, InboxRow, MessageRow } from '../store/rows.js';
import { businessSeconds } from './business-hours.js';

export type ReportingName = 'first_response' | 'reply_time' | 'resolution';

const inboxOf = askedOnce((tx, id) => one<InboxRow>(tx, 'select * from inboxes where id = $1', [id]));

interface Measured {
  account_id: number;
  conversation_id: number;
  inbox_id: number;
  user_id: number | null;
  name: ReportingName;
  value: number;
  value_in_business_hours: number;
  event_start_time: Date;
  event_end_time: Date;
}

const record = writtenAtEnd<Measured>(async (tx, rows) => {
  await tx.query(
    `insert into reporting_events (account_id, conversation_id, inbox_id, user_id, name, value,
       value_in_business_hours, event_start_time, event_end_time)
     select account_id, conversation_id, inbox_id, user_id, name, value,
       value_in_business_hours, event_start_time, event_end_time
     from json_to_recordset($1::json) as m (n integer, account_id bigint, conversation_id bigint,
       inbox_id bigint, user_id bigint, name text, value double precision,
       value_in_business_hours double precision, event_start_time timestamptz, event_end_time timestamptz)
     order by n`,
    [JSON.stringify(rows.map((row, n) => ({ n, ...row })))],
  );
});

export async function measure(
  change: Change,
  name: ReportingName,
  conversation: ConversationRow,
  userId: number | null,
  from: Date,
  to: Date,
): Promise<void> {
  const inbox = await inboxOf(change.tx, conversation.inbox_id);
  record(change, {
    account_id: conversation.account_id,
    conversation_id: conversation.id,
    inbox_id: conversation.inbox_id,
    user_id: userId,
    name,
    value: Math.max(0, (to.getTime() - from.getTime()) / 1000),
    value_in_business_hours: businessSeconds(inbox, from, to),
    event_start_time: from,
    event_end_time: to,
  });
}

/** What an agent's answer measures: the first one how long it took, a later one how long somebody waited. */
export async function measureAnswer(
  change: Change,
  before: ConversationRow,
  message: MessageRow,
): Promise<void> {
  const { created_at: at, sender_id: by } = message;
  if (before.first_reply_created_at === null) {
    await measure(change, 'first_response', before, by, before.created_at, at);
  } else if (before.waiting_since) {
    await measure(change, 'reply_time', before, by, before.waiting_since, at);
  }
}

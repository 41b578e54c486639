/**
 * Lists among a million. Conversations: an index for each way to ask, and numbers that are kept instead of counted: a
 * change adds a line of plus or minus one, so that no two writers wait for each other, and `jobs/counts.ts` sums lines
 * up. A message changes neither, so it costs neither.
 */
import type { Migration } from '../migration.js';

const groups = 'account_id, inbox_id, status, assignee_id';
const added = (row: string, by: number) =>
  `insert into conversation_counts (${groups}, number)
   select ${groups}, ${by} * count(*) from ${row} group by ${groups};`;

export const lists0021: Migration = {
  name: '0021-lists',
  statements: [
    'drop index conversations_list',
    'create index conversations_by_status on conversations (account_id, status, last_activity_at desc, id desc)',
    'create index conversations_by_age on conversations (account_id, last_activity_at desc, id desc)',
    `create index conversations_by_assignee on conversations
       (account_id, assignee_id, status, last_activity_at desc, id desc)`,
    `create index conversations_by_inbox on conversations
       (account_id, inbox_id, status, last_activity_at desc, id desc)`,
    `create table conversation_counts (
      account_id bigint not null,
      inbox_id bigint not null,
      status text not null,
      assignee_id bigint,
      number bigint not null
    )`,
    `create index conversation_counts_account on conversation_counts (account_id) include (status, assignee_id, inbox_id, number)`,
    `insert into conversation_counts (${groups}, number)
      select ${groups}, count(*) from conversations group by ${groups}`,
    `create function count_added_conversations() returns trigger language plpgsql as $$
      begin ${added('added', 1)} return null; end $$`,
    `create function count_gone_conversations() returns trigger language plpgsql as $$
      begin ${added('gone', -1)} return null; end $$`,
    `create function count_moved_conversation() returns trigger language plpgsql as $$
      begin
        insert into conversation_counts (${groups}, number) values
          (old.account_id, old.inbox_id, old.status, old.assignee_id, -1),
          (new.account_id, new.inbox_id, new.status, new.assignee_id, 1);
        return null;
      end $$`,
    `create trigger count_added after insert on conversations
      referencing new table as added for each statement execute function count_added_conversations()`,
    `create trigger count_gone after delete on conversations
      referencing old table as gone for each statement execute function count_gone_conversations()`,
    `create trigger count_moved after update of status, assignee_id, inbox_id, account_id on conversations
      for each row when (old.status is distinct from new.status or old.assignee_id is distinct from new.assignee_id
        or old.inbox_id <> new.inbox_id or old.account_id <> new.account_id)
      execute function count_moved_conversation()`,
    // Room in each page for the next version of a row: a message then need not touch the indexes of its contact.
    'alter table contacts set (fillfactor = 85)',
    `create index contacts_resolved on contacts (account_id, id desc) where coalesce(identifier, '') <> ''
      or coalesce(email, '') <> '' or coalesce(phone_number, '') <> ''`,
  ],
};

/** What a change changed: field → [before, after], in the words of the API. Pure. */
import type { Core } from '../core.js';
import type { ContactRow, ConversationRow } from '../store/rows.js';
import { avatarAddress } from './avatars.js';
import { secondsOrNull } from './shapes-shared.js';

export type Changed = Record<string, readonly [unknown, unknown]>;

function difference(before: Record<string, unknown>, after: Record<string, unknown>): Changed {
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  return Object.fromEntries(changed.map(([name, value]) => [name, [before[name], value] as const]));
}

const watchedConversation = (row: ConversationRow) => ({
  status: row.status,
  assignee_id: row.assignee_id,
  team_id: row.team_id,
  priority: row.priority,
  snoozed_until: secondsOrNull(row.snoozed_until),
  label_list: row.labels,
  custom_attributes: row.custom_attributes,
  first_reply_created_at: secondsOrNull(row.first_reply_created_at),
  waiting_since: secondsOrNull(row.waiting_since),
});

export const conversationChanges = (before: ConversationRow, after: ConversationRow): Changed =>
  difference(watchedConversation(before), watchedConversation(after));

const watchedContact = (core: Core, row: ContactRow) => ({
  name: row.name,
  email: row.email,
  phone_number: row.phone_number,
  identifier: row.identifier,
  blocked: row.blocked,
  avatar: avatarAddress(core, row.avatar_url),
  contact_type: row.contact_type,
  additional_attributes: row.additional_attributes,
  custom_attributes: row.custom_attributes,
});

export const contactChanges = (core: Core, before: ContactRow, after: ContactRow): Changed =>
  difference(watchedContact(core, before), watchedContact(core, after));

/** As webhooks tell it: what each was, and what it is. */
export const changedAttributes = (changed: Changed) =>
  Object.entries(changed).map(([name, [previous, current]]) => ({
    [name]: { previous_value: previous, current_value: current },
  }));

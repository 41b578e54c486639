/** What rules may know of a conversation, its contact and the message that set them off, by the rules' own keys. */

import type { Json, MessageRow } from '../../store/rows.js';
import type { Changed } from '../changes.js';
import type { ConversationView } from '../conversations-view.js';
import type { Facts } from './judge.js';

const typeNames = { 0: 'incoming', 1: 'outgoing', 2: 'activity', 3: 'template' } as const;

const within = (map: Json, key: string): unknown => (Object.hasOwn(map, key) ? map[key] : undefined);
const inside = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;

/** Of several what was not there before, and none where some only went. */
const added = ([before, after]: readonly [unknown, unknown]): readonly unknown[] =>
  Array.isArray(before) && Array.isArray(after) ? after.filter((one) => !before.includes(one)) : [after];

export function factsOf(
  { conversation, contact }: ConversationView,
  message: MessageRow | undefined,
  changed: Changed,
): Facts {
  const page = conversation.additional_attributes;
  const place = contact.additional_attributes;
  const standard: Record<string, unknown> = {
    content: message?.content,
    // By name or by number, as the specification has it.
    message_type: message && [typeNames[message.message_type], message.message_type],
    private_note: message?.private,
    status: conversation.status,
    assignee_id: conversation.assignee_id,
    team_id: conversation.team_id,
    priority: conversation.priority,
    inbox_id: conversation.inbox_id,
    labels: conversation.labels,
    conversation_language: within(page, 'conversation_language'),
    browser_language: inside(within(page, 'browser'), 'browser_language'),
    referer: within(page, 'referer'),
    mail_subject: within(page, 'mail_subject'),
    name: contact.name,
    email: contact.email,
    phone_number: contact.phone_number,
    identifier: contact.identifier,
    country_code: within(place, 'country_code') ?? contact.country_code,
    city: within(place, 'city'),
    company: within(place, 'company'),
    blocked: contact.blocked,
  };
  // A word that both know, such as `city`, is the contact's own attribute where the standard one is not set.
  const named = (key: string) =>
    (Object.hasOwn(standard, key) ? standard[key] : undefined) ??
    within(conversation.custom_attributes, key) ??
    within(contact.custom_attributes, key);
  return {
    now: new Date(),
    of(key) {
      const value = named(key);
      return Array.isArray(value) ? value : [value];
    },
    changedTo(key) {
      const name = key === 'labels' ? 'label_list' : key;
      const own = Object.hasOwn(changed, name) ? changed[name] : undefined;
      if (own) return added(own);
      const [before, after] = changed.custom_attributes ?? [];
      const now = inside(after, key);
      return JSON.stringify(inside(before, key)) === JSON.stringify(now) ? undefined : [now];
    },
  };
}

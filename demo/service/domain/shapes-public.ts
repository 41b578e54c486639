/** Answers of the public family. A contact's tokens are in `publicPair` alone. */
import type { Core } from '../core.js';
import type { ContactRow, ConversationRow, InboxRow, PairRow } from '../store/rows.js';
import type { MessageView } from './messages-view.js';
import { iso, isoOrNull, optionalParts, seconds, secondsOr0 } from './shapes-shared.js';

export const publicInbox = (inbox: InboxRow) => ({
  identifier: inbox.identifier,
  identity_validation_enabled: inbox.hmac_mandatory,
  name: inbox.name,
  timezone: inbox.timezone,
  working_hours: inbox.working_hours,
  working_hours_enabled: inbox.working_hours_enabled,
  csat_survey_enabled: inbox.csat_survey_enabled,
  greeting_enabled: inbox.greeting_enabled,
});

export const publicPair = (pair: PairRow, contact: ContactRow) => ({
  source_id: pair.source_id,
  pubsub_token: pair.pubsub_token,
  id: contact.id,
  name: contact.name,
  email: contact.email,
  phone_number: contact.phone_number,
});

/** All of a contact, as whoever has its `source_id` may read it. */
export const publicContact = (contact: ContactRow) => ({
  id: contact.id,
  name: contact.name,
  email: contact.email,
  phone_number: contact.phone_number,
  identifier: contact.identifier,
  blocked: contact.blocked,
  additional_attributes: contact.additional_attributes,
  custom_attributes: contact.custom_attributes,
  contact_type: contact.contact_type,
  country_code: contact.country_code,
  last_activity_at: isoOrNull(contact.last_activity_at),
  created_at: iso(contact.created_at),
  updated_at: iso(contact.updated_at),
  last_name: contact.last_name,
  middle_name: contact.middle_name,
  location: contact.location,
  account_id: contact.account_id,
  company_id: null,
  label_list: [],
});

export const publicMessage = (core: Core, view: MessageView) => ({
  id: view.message.id,
  content: view.message.content,
  message_type: view.message.message_type,
  content_type: view.message.content_type,
  content_attributes: view.message.content_attributes,
  created_at: seconds(view.message.created_at),
  conversation_id: view.displayId,
  ...optionalParts(core, view),
});

/** Without its messages, which may be many. */
export const publicConversation = (conversation: ConversationRow, contact: ContactRow) => ({
  id: conversation.display_id,
  uuid: conversation.uuid,
  inbox_id: conversation.inbox_id,
  contact_last_seen_at: secondsOr0(conversation.contact_last_seen_at),
  status: conversation.status,
  agent_last_seen_at: secondsOr0(conversation.agent_last_seen_at),
  contact: publicContact(contact),
});

/**
 * The rows as both databases give them: `bigint` as number, `timestamptz` as Date, `jsonb` parsed; and the words that a
 * column may have, where others ask for them.
 */
export type Json = Record<string, unknown>;
export const roles = ['administrator', 'agent'] as const;
export type Role = (typeof roles)[number];
export const availabilities = ['online', 'busy', 'offline'] as const;
export const conversationStatuses = ['open', 'resolved', 'pending', 'snoozed'] as const;
export type ConversationStatus = (typeof conversationStatuses)[number];
export const priorities = ['low', 'medium', 'high', 'urgent'] as const;
export type Priority = (typeof priorities)[number];
/** These two in the reference's order: it takes their numbers, too. */
export const attributeModels = ['conversation_attribute', 'contact_attribute'] as const;
export const attributeTypes = [
  'text',
  'number',
  'currency',
  'percent',
  'link',
  'date',
  'list',
  'checkbox',
] as const;
export type MessageStatus = 'sent' | 'delivered' | 'read' | 'failed';

export interface UserRow {
  id: number;
  name: string;
  display_name: string | null;
  email: string;
  avatar_url: string;
  availability: (typeof availabilities)[number];
  pubsub_token: string;
  created_at: Date;
}

export interface MembershipRow {
  account_id: number;
  account_name: string;
  user_id: number;
  role: Role;
  auto_offline: boolean;
  active_at: Date | null;
}

/** A user as seen inside one account. */
export interface AgentRow extends UserRow {
  account_id: number;
  role: Role;
  auto_offline: boolean;
}

/** With the whole of their membership. */
export interface MemberRow extends UserRow, MembershipRow {}

export interface TeamRow {
  id: number;
  account_id: number;
  name: string;
  description: string;
  allow_auto_assign: boolean;
}

export interface WorkingHours {
  day_of_week: number;
  closed_all_day: boolean;
  open_hour: number | null;
  open_minutes: number | null;
  close_hour: number | null;
  close_minutes: number | null;
  open_all_day: boolean;
}

export interface InboxRow {
  id: number;
  account_id: number;
  identifier: string;
  name: string;
  hmac_token: string;
  hmac_mandatory: boolean;
  timezone: string;
  working_hours: WorkingHours[];
  working_hours_enabled: boolean;
  out_of_office_message: string;
  csat_survey_enabled: boolean;
  greeting_enabled: boolean;
  greeting_message: string;
  lock_to_single_conversation: boolean;
  allow_messages_after_resolved: boolean;
  enable_auto_assignment: boolean;
}

export interface DefinitionRow {
  id: number;
  account_id: number;
  attribute_display_name: string;
  attribute_display_type: (typeof attributeTypes)[number];
  attribute_description: string;
  attribute_key: string;
  attribute_model: (typeof attributeModels)[number];
  attribute_values: string[];
  regex_pattern: string | null;
  regex_cue: string | null;
  default_value: string | null;
  created_at: Date;
  updated_at: Date;
}

export interface ContactRow {
  id: number;
  account_id: number;
  name: string;
  middle_name: string;
  last_name: string;
  email: string | null;
  phone_number: string | null;
  identifier: string | null;
  blocked: boolean;
  /** Somebody has proven to be this one, be it under a name of before. */
  proven: boolean;
  contact_type: string;
  location: string;
  country_code: string;
  avatar_url: string;
  additional_attributes: Json;
  custom_attributes: Json;
  last_activity_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** What others are shown of a contact. */
export type ContactFace = Pick<
  ContactRow,
  | 'id'
  | 'name'
  | 'email'
  | 'phone_number'
  | 'identifier'
  | 'blocked'
  | 'avatar_url'
  | 'additional_attributes'
  | 'custom_attributes'
>;

/** The pair of a contact and an inbox: what a `source_id` names. */
export interface PairRow {
  id: number;
  contact_id: number;
  inbox_id: number;
  source_id: string;
  pubsub_token: string;
  hmac_verified: boolean;
  /** The identifier that whoever has this key has said to be theirs, and has not proven. */
  claims: string | null;
  /** The e-mail address or number by which alone it was joined to somebody who was there already. */
  by_address: string | null;
  created_at: Date;
  updated_at: Date;
}

export interface ConversationRow {
  id: number;
  account_id: number;
  display_id: number;
  uuid: string;
  inbox_id: number;
  contact_id: number;
  contact_inbox_id: number;
  assignee_id: number | null;
  team_id: number | null;
  status: ConversationStatus;
  priority: Priority | null;
  labels: string[];
  additional_attributes: Json;
  custom_attributes: Json;
  contact_last_seen_at: Date | null;
  agent_last_seen_at: Date | null;
  assignee_last_seen_at: Date | null;
  first_reply_created_at: Date | null;
  waiting_since: Date | null;
  snoozed_until: Date | null;
  last_activity_at: Date;
  created_at: Date;
  updated_at: Date;
}

export interface MessageRow {
  id: number;
  account_id: number;
  inbox_id: number;
  conversation_id: number;
  content: string | null;
  message_type: 0 | 1 | 2 | 3;
  content_type: string;
  content_attributes: Json;
  private: boolean;
  status: MessageStatus;
  echo_id: string | null;
  source_id: string | null;
  sender_type: 'Contact' | 'User' | null;
  sender_id: number | null;
  created_at: Date;
  updated_at: Date;
}

export interface AttachmentRow {
  id: number;
  account_id: number;
  message_id: number;
  key: string;
  file_name: string;
  file_type: string;
  content_type: string;
  extension: string | null;
  file_size: number;
  width: number | null;
  height: number | null;
}

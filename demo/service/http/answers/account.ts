/** Answers of the account API: people, contacts, inboxes, definitions. Conversations have their own file. */
import { z } from 'zod';
import { attributeModels, attributeTypes } from '../../store/rows.js';
import {
  availability,
  channelType,
  count,
  freeMap,
  id,
  idOrNull,
  instant,
  never,
  neverText,
  role,
  seconds,
  text,
  textOrNull,
  workingHours,
} from './parts.js';

const agentFields = {
  id,
  account_id: id,
  availability_status: availability,
  auto_offline: z.boolean(),
  confirmed: z.boolean(),
  email: text,
  available_name: text,
  name: text,
  role,
  thumbnail: text,
  custom_role_id: never,
};

export const agent = z.strictObject(agentFields).meta({ id: 'Agent' });

const membership = z
  .strictObject({
    id,
    name: text,
    status: text,
    active_at: instant.nullable(),
    role,
    permissions: z.array(text),
    availability,
    availability_status: availability,
    auto_offline: z.boolean(),
    custom_role_id: never,
    custom_role: never,
  })
  .meta({ id: 'Membership' });

const withoutSecret = z.literal('').meta({ description: 'Always empty: a secret is never shown' });

export const assignee = z
  .strictObject({
    ...agentFields,
    inviter_id: idOrNull,
    access_token: withoutSecret,
    avatar_url: text,
    display_name: text,
    message_signature: text,
    hmac_identifier: withoutSecret,
    provider: text,
    pubsub_token: withoutSecret,
    uid: text,
    type: text,
    ui_settings: freeMap,
    custom_attributes: freeMap,
    accounts: z.array(membership).length(1).meta({ description: 'This account alone' }),
  })
  .meta({ id: 'Assignee' });

export const profile = z
  .strictObject({
    id,
    account_id: idOrNull,
    name: text,
    available_name: text,
    display_name: text,
    email: text,
    uid: text,
    avatar_url: text,
    role: role.nullable(),
    pubsub_token: text.min(1).meta({ description: 'Opens the socket of this user' }),
    type: z.literal('user'),
    confirmed: z.boolean(),
    provider: text,
    ui_settings: freeMap,
    custom_attributes: freeMap,
    accounts: z.array(membership),
  })
  .meta({ id: 'Profile' });

export const contactInbox = z
  .strictObject({
    source_id: text,
    inbox: z.strictObject({
      id,
      avatar_url: text,
      channel_id: id,
      name: text,
      channel_type: channelType,
      provider: neverText,
    }),
  })
  .meta({ id: 'ContactInbox' });

const contactFields = {
  id,
  name: text,
  email: textOrNull,
  phone_number: textOrNull,
  identifier: textOrNull,
  blocked: z.boolean(),
  thumbnail: text,
  availability_status: z.enum(['online', 'offline']),
  additional_attributes: freeMap,
  custom_attributes: freeMap,
  last_activity_at: seconds.nullable(),
  created_at: seconds,
};

export const contactMeta = z.strictObject(contactFields).meta({ id: 'ConversationContact' });
export const contact = z
  .strictObject({ ...contactFields, contact_inboxes: z.array(contactInbox) })
  .meta({ id: 'Contact' });

const listedContact = z
  .strictObject({ ...contactFields, contact_inboxes: z.array(contactInbox).optional() })
  .meta({ id: 'ListedContact' });

export const contactPage = z
  .strictObject({
    meta: z.strictObject({
      count: count.meta({ description: 'Of all pages' }),
      current_page: z.string().regex(/^[1-9]\d*$/),
    }),
    payload: z.array(listedContact).max(15),
  })
  .meta({ id: 'ContactPage' });

export const inbox = z
  .strictObject({
    id,
    channel_id: id,
    name: text,
    website_url: neverText,
    channel_type: channelType,
    avatar_url: text,
    widget_color: neverText,
    website_token: neverText,
    web_widget_script: neverText,
    welcome_title: neverText,
    welcome_tagline: neverText,
    greeting_enabled: z.boolean(),
    greeting_message: text,
    working_hours_enabled: z.boolean(),
    working_hours: z.array(workingHours).length(7),
    out_of_office_message: text,
    timezone: text,
    enable_auto_assignment: z.boolean(),
    enable_email_collect: z.boolean(),
    csat_survey_enabled: z.boolean(),
    allow_messages_after_resolved: z.boolean(),
    lock_to_single_conversation: z.boolean(),
    hmac_mandatory: z.boolean(),
    auto_assignment_config: freeMap,
    selected_feature_flags: z.array(text),
    callback_webhook_url: neverText,
    sender_name_type: text,
    business_name: neverText,
    reply_time: neverText,
    messaging_service_sid: neverText,
    phone_number: neverText,
    medium: neverText,
    provider: neverText,
    inbox_identifier: text.meta({ description: 'The name of the inbox in paths of the public family' }),
    webhook_url: textOrNull,
    additional_attributes: freeMap,
    hmac_token: text.optional().meta({ description: 'The key of identity validation, for administrators' }),
  })
  .meta({ id: 'Inbox' });

export const attributeDefinition = z
  .strictObject({
    id,
    attribute_display_name: text,
    attribute_display_type: z.enum(attributeTypes),
    attribute_description: text,
    attribute_key: text,
    attribute_model: z.enum(attributeModels),
    attribute_values: text.meta({ description: 'The choices of a list: JSON text of an array of texts' }),
    regex_pattern: textOrNull,
    regex_cue: textOrNull,
    default_value: textOrNull,
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'AttributeDefinition' });

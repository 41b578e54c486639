/** Every field of every resource of the specification, and what it may be. */
export type Kind = 'integer' | 'number' | 'string' | 'boolean' | 'object' | 'array' | 'iso' | 'null';

/** What a field may be. A text of a contact or a definition that was never given is null; others are empty. */
export type FieldTable = Readonly<Record<string, readonly Kind[]>>;

const integer = ['integer'] as const;
const number = ['number'] as const;
const string = ['string'] as const;
const boolean = ['boolean'] as const;
const object = ['object'] as const;
const array = ['array'] as const;
const iso = ['iso'] as const;
const never = ['null'] as const;
const textOrNull = ['string', 'null'] as const;
const integerOrNull = ['integer', 'null'] as const;
const isoOrNull = ['iso', 'null'] as const;

const all = (names: string, kinds: readonly Kind[]) =>
  Object.fromEntries(names.split(' ').map((name) => [name, kinds]));

const agentFields: FieldTable = {
  ...all('id account_id', integer),
  ...all('availability_status email available_name name thumbnail role', string),
  ...all('auto_offline confirmed', boolean),
  custom_role_id: never,
};

export const fields: Readonly<Record<string, FieldTable>> = {
  'contact (account)': {
    ...all('id created_at', integer),
    ...all('name thumbnail availability_status', string),
    ...all('email phone_number identifier', textOrNull),
    blocked: boolean,
    ...all('additional_attributes custom_attributes', object),
    last_activity_at: integerOrNull,
    contact_inboxes: array,
  },
  'contact inbox': { source_id: string, inbox: object },
  'inbox of a contact inbox': {
    ...all('id channel_id', integer),
    ...all('avatar_url name channel_type provider', string),
  },
  'contact (public)': {
    ...all('id account_id', integer),
    ...all('name contact_type country_code last_name middle_name location', string),
    ...all('email phone_number identifier', textOrNull),
    blocked: boolean,
    ...all('additional_attributes custom_attributes', object),
    last_activity_at: isoOrNull,
    ...all('created_at updated_at', iso),
    company_id: never,
    label_list: array,
  },
  'conversation (public)': {
    ...all('id inbox_id contact_last_seen_at agent_last_seen_at', integer),
    ...all('uuid status', string),
    messages: array,
    contact: object,
  },
  'message (public)': {
    ...all('id message_type created_at conversation_id', integer),
    content: textOrNull,
    content_type: string,
    content_attributes: object,
    attachments: array,
    sender: object,
  },
  attachment: {
    ...all('id message_id account_id file_size width height', integer),
    ...all('file_type extension data_url thumb_url fallback_title', string),
  },
  'sender (contact)': {
    id: integer,
    ...all('name thumbnail type', string),
    ...all('email phone_number identifier', textOrNull),
    blocked: boolean,
    ...all('additional_attributes custom_attributes', object),
  },
  'sender (agent)': {
    id: integer,
    ...all('name avatar_url thumbnail available_name availability_status type', string),
  },
  'message (account)': {
    ...all('id account_id inbox_id conversation_id message_type created_at updated_at sender_id', integer),
    ...all('content status content_type sender_type processed_message_content', string),
    private: boolean,
    source_id: textOrNull,
    ...all('content_attributes external_source_ids additional_attributes sentiment', object),
    ...all('conversation attachment sender', object),
  },
  'conversation (account)': {
    ...all('id account_id inbox_id agent_last_seen_at assignee_last_seen_at contact_last_seen_at', integer),
    ...all('created_at updated_at timestamp first_reply_created_at last_activity_at', integer),
    ...all('waiting_since snoozed_until', integer),
    ...all('uuid status', string),
    ...all('messages labels sla_events', array),
    ...all('additional_attributes custom_attributes applied_sla last_non_activity_message meta', object),
    ...all('can_reply muted', boolean),
    unread_count: integer,
    priority: textOrNull,
    sla_policy_id: never,
  },
  'meta of a conversation': { ...all('sender assignee', object), channel: string, hmac_verified: boolean },
  'meta.sender of a conversation': {
    ...all('id created_at', integer),
    ...all('availability_status name thumbnail', string),
    ...all('email phone_number identifier', textOrNull),
    blocked: boolean,
    ...all('additional_attributes custom_attributes', object),
    last_activity_at: integerOrNull,
  },
  'meta.assignee of a conversation': {
    ...agentFields,
    inviter_id: never,
    ...all('access_token avatar_url display_name message_signature hmac_identifier provider', string),
    ...all('pubsub_token uid type', string),
    ...all('ui_settings custom_attributes', object),
    accounts: array,
  },
  membership: {
    id: integer,
    ...all('name status availability availability_status role', string),
    active_at: isoOrNull,
    permissions: array,
    auto_offline: boolean,
    ...all('custom_role_id custom_role', never),
  },
  'conversation counts': all('mine_count unassigned_count assigned_count all_count', integer),
  'meta of a message list': {
    labels: array,
    ...all('additional_attributes contact assignee', object),
    ...all('agent_last_seen_at assignee_last_seen_at', isoOrNull),
  },
  'assignee of a message list': agentFields,
  inbox: {
    ...all('id channel_id', integer),
    ...all('name channel_type avatar_url greeting_message out_of_office_message timezone', string),
    sender_name_type: string,
    ...all('website_url widget_color website_token web_widget_script welcome_title welcome_tagline', string),
    ...all('messaging_service_sid phone_number medium provider', string),
    ...all('callback_webhook_url business_name reply_time', string),
    ...all('enable_auto_assignment greeting_enabled working_hours_enabled enable_email_collect', boolean),
    ...all('csat_survey_enabled allow_messages_after_resolved lock_to_single_conversation', boolean),
    hmac_mandatory: boolean,
    auto_assignment_config: object,
    ...all('selected_feature_flags working_hours', array),
  },
  'working hours': {
    day_of_week: integer,
    ...all('open_hour open_minutes close_hour close_minutes', integerOrNull),
    ...all('closed_all_day open_all_day', boolean),
  },
  'attribute definition': {
    id: integer,
    ...all('attribute_display_name attribute_display_type attribute_description attribute_key', string),
    ...all('attribute_model attribute_values', string),
    ...all('regex_pattern regex_cue default_value', textOrNull),
    ...all('created_at updated_at', iso),
  },
  'contact list meta': { count: integer, current_page: string },
  'reporting event': {
    ...all('id account_id conversation_id inbox_id', integer),
    user_id: integerOrNull,
    name: string,
    ...all('value value_in_business_hours', number),
    ...all('event_start_time event_end_time created_at updated_at', iso),
  },
  'reporting list meta': all('count current_page total_pages', integer),
  'automation rule': {
    ...all('id account_id created_on', integer),
    ...all('name description event_name', string),
    ...all('conditions actions', array),
    active: boolean,
  },
  'condition of a rule': {
    ...all('attribute_key filter_operator', string),
    values: array,
    query_operator: textOrNull,
  },
  'action of a rule': { action_name: string, action_params: array },
  webhook: {
    ...all('id account_id', number),
    ...all('url name', string),
    subscriptions: array,
    secret: textOrNull,
  },
  'team summary row': {
    ...all('id conversations_count resolved_conversations_count', number),
    ...all('avg_resolution_time avg_first_response_time avg_reply_time', ['number', 'null']),
  },
  error: { description: string, errors: array },
  'entry of an error': all('field message code', string),
};

/** Named by the specification for senders and files of kinds that cannot arise here. */
export const cannotArise = {
  attachment: ['transcribed_text', 'coordinates_lat', 'coordinates_long', 'meta'],
  sender: ['description', 'created_at'],
} as const;

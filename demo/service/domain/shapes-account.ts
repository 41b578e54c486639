/** Answers of the account API. Never an access or socket token. */
import type { Core } from '../core.js';
import { contactName, userName } from '../events.js';
import type {
  AgentRow,
  ContactRow,
  ConversationRow,
  InboxRow,
  Json,
  MemberRow,
  MembershipRow,
  PairRow,
  UserRow,
} from '../store/rows.js';
import { avatarAddress } from './avatars.js';
import type { ListedView } from './conversation-list.js';
import type { ConversationView } from './conversations-view.js';
import type { MessageView } from './messages-view.js';
import {
  attachmentShape,
  isoOrNull,
  optionalParts,
  seconds,
  secondsOr0,
  secondsOrNull,
  teamShape,
} from './shapes-shared.js';

export const channelType = 'Channel::Api';

/** What a message tells about its conversation. */
export interface MessageContext {
  conversation: Pick<ConversationRow, 'assignee_id' | 'last_activity_at'>;
  pair: Pick<PairRow, 'source_id'>;
  unread: number;
}

const messageConversation = ({ conversation, pair, unread }: MessageContext) => ({
  assignee_id: conversation.assignee_id,
  unread_count: unread,
  last_activity_at: seconds(conversation.last_activity_at),
  contact_inbox: { source_id: pair.source_id },
});

export function accountMessage(core: Core, view: MessageView, context: MessageContext) {
  const { message } = view;
  const first = view.attachments[0];
  return {
    id: message.id,
    account_id: message.account_id,
    inbox_id: message.inbox_id,
    conversation_id: view.displayId,
    content: message.content ?? '',
    message_type: message.message_type,
    created_at: seconds(message.created_at),
    updated_at: seconds(message.updated_at),
    private: message.private,
    status: message.status,
    source_id: message.source_id,
    content_type: message.content_type,
    content_attributes: message.content_attributes,
    sender_type: message.sender_type,
    sender_id: message.sender_id,
    external_source_ids: {},
    additional_attributes: {},
    processed_message_content: message.content ?? '',
    sentiment: {},
    conversation: messageConversation(context),
    ...(first ? { attachment: attachmentShape(core, first) } : {}),
    ...optionalParts(core, view),
  };
}

export const accountContact = (core: Core, contact: ContactRow) => ({
  id: contact.id,
  name: contact.name,
  email: contact.email,
  phone_number: contact.phone_number,
  identifier: contact.identifier,
  blocked: contact.blocked,
  thumbnail: avatarAddress(core, contact.avatar_url),
  availability_status: core.presence.has(contact.account_id, contactName(contact.id)) ? 'online' : 'offline',
  additional_attributes: contact.additional_attributes,
  custom_attributes: contact.custom_attributes,
  last_activity_at: secondsOrNull(contact.last_activity_at),
  created_at: seconds(contact.created_at),
});

export const contactInbox = (pair: PairRow, inbox: InboxRow) => ({
  source_id: pair.source_id,
  inbox: {
    id: inbox.id,
    avatar_url: '',
    channel_id: inbox.id,
    name: inbox.name,
    channel_type: channelType,
    provider: '',
  },
});

/** As they say they are, but for whoever goes offline by themselves and has gone. */
const availabilityOf = (
  { presence }: Core,
  member: { account_id: number; auto_offline: boolean; availability: UserRow['availability'] },
  userId: number,
) =>
  member.auto_offline && !presence.has(member.account_id, userName(userId)) ? 'offline' : member.availability;

export const agentShape = (core: Core, user: AgentRow) => ({
  id: user.id,
  account_id: user.account_id,
  availability_status: availabilityOf(core, user, user.id),
  auto_offline: user.auto_offline,
  confirmed: true,
  email: user.email,
  available_name: user.display_name || user.name,
  name: user.name,
  role: user.role,
  thumbnail: user.avatar_url,
  custom_role_id: null,
});

export const membershipShape = (core: Core, member: MembershipRow & Pick<UserRow, 'availability'>) => ({
  id: member.account_id,
  name: member.account_name,
  status: 'active',
  active_at: isoOrNull(member.active_at),
  role: member.role,
  permissions: [member.role],
  availability: member.availability,
  availability_status: availabilityOf(core, member, member.user_id),
  auto_offline: member.auto_offline,
  custom_role_id: null,
  custom_role: null,
});

/** The specified fields that hold secrets stay, and stay empty; other accounts of this person are not told. */
const assigneeShape = (core: Core, user: MemberRow) => ({
  ...agentShape(core, user),
  inviter_id: null,
  access_token: '',
  avatar_url: user.avatar_url,
  display_name: user.display_name || user.name,
  message_signature: '',
  hmac_identifier: '',
  provider: 'email',
  pubsub_token: '',
  uid: user.email,
  type: 'user',
  ui_settings: {},
  custom_attributes: {},
  accounts: [membershipShape(core, user)],
});

const contextOf = ({ conversation, pair, unread }: ConversationView): MessageContext => ({
  conversation,
  pair,
  unread,
});

export function accountConversation(core: Core, view: ConversationView) {
  const { conversation } = view;
  const last = view.last ? accountMessage(core, view.last, contextOf(view)) : null;
  return {
    id: conversation.display_id,
    account_id: conversation.account_id,
    inbox_id: conversation.inbox_id,
    uuid: conversation.uuid,
    messages: last ? [last] : [],
    additional_attributes: conversation.additional_attributes,
    custom_attributes: conversation.custom_attributes,
    agent_last_seen_at: secondsOr0(conversation.agent_last_seen_at),
    assignee_last_seen_at: secondsOr0(conversation.assignee_last_seen_at),
    contact_last_seen_at: secondsOr0(conversation.contact_last_seen_at),
    created_at: seconds(conversation.created_at),
    updated_at: seconds(conversation.updated_at),
    timestamp: seconds(conversation.last_activity_at),
    first_reply_created_at: secondsOr0(conversation.first_reply_created_at),
    last_activity_at: seconds(conversation.last_activity_at),
    snoozed_until: secondsOr0(conversation.snoozed_until),
    waiting_since: secondsOr0(conversation.waiting_since),
    can_reply: true,
    muted: view.contact.blocked,
    labels: conversation.labels,
    status: conversation.status,
    unread_count: view.unread,
    last_non_activity_message: last,
    priority: conversation.priority,
    sla_policy_id: null,
    applied_sla: {},
    sla_events: [],
    meta: {
      sender: accountContact(core, view.contact),
      channel: channelType,
      ...(view.assignee ? { assignee: assigneeShape(core, view.assignee) } : {}),
      team: view.team ? teamShape(view.team) : null,
      hmac_verified: view.pair.hmac_verified,
    },
  };
}

export const listedConversation = (core: Core, view: ListedView) => ({
  ...accountConversation(core, view),
  ...(view.found ? { found_message: accountMessage(core, view.found, contextOf(view)) } : {}),
});

export const messageListMeta = (core: Core, view: ConversationView, contactInboxes: Json[]) => ({
  labels: view.conversation.labels,
  additional_attributes: view.conversation.additional_attributes,
  contact: { payload: [{ ...accountContact(core, view.contact), contact_inboxes: contactInboxes }] },
  ...(view.assignee ? { assignee: agentShape(core, view.assignee) } : {}),
  agent_last_seen_at: isoOrNull(view.conversation.agent_last_seen_at),
  assignee_last_seen_at: isoOrNull(view.conversation.assignee_last_seen_at),
});

export const accountInbox = (inbox: InboxRow, role: AgentRow['role']) => ({
  id: inbox.id,
  channel_id: inbox.id,
  name: inbox.name,
  website_url: '',
  channel_type: channelType,
  avatar_url: '',
  widget_color: '',
  website_token: '',
  web_widget_script: '',
  welcome_title: '',
  welcome_tagline: '',
  greeting_enabled: inbox.greeting_enabled,
  greeting_message: inbox.greeting_message,
  working_hours_enabled: inbox.working_hours_enabled,
  working_hours: inbox.working_hours,
  out_of_office_message: inbox.out_of_office_message,
  timezone: inbox.timezone,
  enable_auto_assignment: inbox.enable_auto_assignment,
  enable_email_collect: false,
  csat_survey_enabled: inbox.csat_survey_enabled,
  allow_messages_after_resolved: inbox.allow_messages_after_resolved,
  lock_to_single_conversation: inbox.lock_to_single_conversation,
  hmac_mandatory: inbox.hmac_mandatory,
  auto_assignment_config: {},
  selected_feature_flags: [],
  callback_webhook_url: '',
  sender_name_type: 'friendly',
  business_name: '',
  reply_time: '',
  messaging_service_sid: '',
  phone_number: '',
  medium: '',
  provider: '',
  inbox_identifier: inbox.identifier,
  webhook_url: null,
  additional_attributes: {},
  ...(role === 'administrator' ? { hmac_token: inbox.hmac_token } : {}),
});

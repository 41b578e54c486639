/**
 * What frames carry. One shape goes to contacts and agents alike, so nothing in here may be a secret: the pair
 * travels without its `pubsub_token`.
 */
import type { Core } from '../core.js';
import type { AgentRow, MessageRow } from '../store/rows.js';
import type { ConversationView } from './conversations-view.js';
import type { MessageView } from './messages-view.js';
import { accountMessage, channelType, type MessageContext } from './shapes-account.js';
import {
  contactSender,
  iso,
  seconds,
  secondsOr0,
  secondsOrNull,
  teamShape,
  userSender,
} from './shapes-shared.js';

export const eventMessage = (core: Core, view: MessageView, context: MessageContext) => {
  const { attachment: _first, ...shape } = { attachment: undefined, ...accountMessage(core, view, context) };
  // What has no words has them empty where it is asked for, and none where it is told.
  const { content } = view.message;
  return { ...shape, content, processed_message_content: content, updated_at: iso(view.message.updated_at) };
};

export function eventConversation(core: Core, view: ConversationView) {
  const { conversation, pair } = view;
  const context = { conversation, pair, unread: view.unread };
  return {
    id: conversation.display_id,
    account_id: conversation.account_id,
    inbox_id: conversation.inbox_id,
    additional_attributes: conversation.additional_attributes,
    custom_attributes: conversation.custom_attributes,
    can_reply: true,
    channel: channelType,
    contact_inbox: {
      id: pair.id,
      contact_id: pair.contact_id,
      inbox_id: pair.inbox_id,
      source_id: pair.source_id,
      hmac_verified: pair.hmac_verified,
      created_at: iso(pair.created_at),
      updated_at: iso(pair.updated_at),
    },
    messages: view.lastPublic ? [eventMessage(core, view.lastPublic, context)] : [],
    labels: conversation.labels,
    meta: {
      sender: contactSender(core, view.contact),
      assignee: view.assignee ? userSender(view.assignee) : null,
      assignee_type: view.assignee ? 'User' : null,
      team: view.team ? teamShape(view.team) : null,
      hmac_verified: pair.hmac_verified,
    },
    status: conversation.status,
    priority: conversation.priority,
    snoozed_until: secondsOrNull(conversation.snoozed_until),
    first_reply_created_at: secondsOrNull(conversation.first_reply_created_at),
    unread_count: view.unread,
    waiting_since: secondsOr0(conversation.waiting_since),
    agent_last_seen_at: secondsOr0(conversation.agent_last_seen_at),
    contact_last_seen_at: secondsOr0(conversation.contact_last_seen_at),
    last_activity_at: seconds(conversation.last_activity_at),
    timestamp: seconds(conversation.last_activity_at),
    created_at: seconds(conversation.created_at),
    updated_at: conversation.updated_at.getTime() / 1000,
  };
}

export const performer = (agent: AgentRow | undefined) => (agent ? { performer: userSender(agent) } : {});

/** Contacts hear of messages that are neither private nor system lines. */
export const isForContact = (message: MessageRow) => !message.private && message.message_type !== 2;

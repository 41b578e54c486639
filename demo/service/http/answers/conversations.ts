/** Answers of the account API that show conversations and their messages. */
import { z } from 'zod';
import { agent, assignee, contact, contactMeta } from './account.js';
import { team } from './organisation.js';
import {
  attachment,
  channelType,
  count,
  freeMap,
  id,
  idOrNull,
  instant,
  messageType,
  never,
  optionalParts,
  priority,
  seconds,
  secondsOr0,
  status,
  text,
  textOrNull,
} from './parts.js';

export const accountMessage = z
  .strictObject({
    id,
    account_id: id,
    inbox_id: id,
    conversation_id: id,
    content: text.meta({ description: 'Empty where there is a file alone' }),
    message_type: messageType,
    created_at: seconds,
    updated_at: seconds,
    private: z.boolean(),
    status: z.enum(['sent', 'delivered', 'read', 'failed']),
    source_id: textOrNull,
    content_type: text,
    content_attributes: freeMap,
    sender_type: z.enum(['Contact', 'User']).nullable(),
    sender_id: idOrNull,
    external_source_ids: freeMap,
    additional_attributes: freeMap,
    processed_message_content: text,
    sentiment: freeMap,
    conversation: z.strictObject({
      assignee_id: idOrNull,
      unread_count: count.max(10),
      last_activity_at: seconds,
      contact_inbox: z.strictObject({ source_id: text }),
    }),
    attachment: attachment.optional().meta({ description: 'The first of the attachments' }),
    ...optionalParts,
  })
  .meta({ id: 'Message' });

export const accountConversation = z
  .strictObject({
    id: id.meta({ description: 'The number of the conversation in its account' }),
    account_id: id,
    inbox_id: id,
    uuid: z.uuid(),
    messages: z.array(accountMessage).max(1).meta({ description: 'The last message alone' }),
    additional_attributes: freeMap,
    custom_attributes: freeMap,
    agent_last_seen_at: secondsOr0,
    assignee_last_seen_at: secondsOr0,
    contact_last_seen_at: secondsOr0,
    created_at: seconds,
    updated_at: seconds,
    timestamp: seconds,
    first_reply_created_at: secondsOr0,
    last_activity_at: seconds,
    snoozed_until: secondsOr0,
    waiting_since: secondsOr0,
    can_reply: z.boolean(),
    muted: z.boolean(),
    labels: z.array(text),
    status,
    unread_count: count.max(10).meta({ description: 'Stops at 10' }),
    last_non_activity_message: accountMessage.nullable(),
    priority,
    sla_policy_id: never,
    applied_sla: freeMap,
    sla_events: z.array(freeMap),
    meta: z.strictObject({
      sender: contactMeta,
      channel: channelType,
      assignee: assignee.optional(),
      team: team.nullable(),
      hmac_verified: z.boolean(),
    }),
  })
  .meta({ id: 'Conversation' });

export const counts = z
  .strictObject({
    mine_count: count,
    unassigned_count: count,
    assigned_count: count,
    all_count: count,
  })
  .meta({ id: 'ConversationCounts' });

const listed = accountConversation
  .extend({
    found_message: accountMessage.optional().meta({
      description: 'The newest message with the words; in answers to a search alone',
    }),
  })
  .meta({ id: 'ListedConversation' });

export const conversationPage = z
  .strictObject({
    data: z.strictObject({ meta: counts, payload: z.array(listed).max(1000) }),
  })
  .meta({ id: 'ConversationPage' });

export const messagePage = z
  .strictObject({
    meta: z.strictObject({
      labels: z.array(text),
      additional_attributes: freeMap,
      contact: z.strictObject({ payload: z.array(contact).length(1) }),
      assignee: agent.optional(),
      agent_last_seen_at: instant.nullable(),
      assignee_last_seen_at: instant.nullable(),
    }),
    payload: z.array(accountMessage).max(1000).meta({ description: 'Oldest first' }),
  })
  .meta({ id: 'MessagePage' });

export const statusChange = z
  .strictObject({
    meta: z.strictObject({}),
    payload: z.strictObject({
      success: z.literal(true),
      conversation_id: id,
      current_status: status,
      snoozed_until: seconds.nullable(),
    }),
  })
  .meta({ id: 'StatusChange' });

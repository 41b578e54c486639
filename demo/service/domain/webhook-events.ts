/** Which webhook event carries what, from the same views the sockets get. */
import type { Change, Core } from '../core.js';
import { one } from '../store/database.js';
import { askedOnce } from '../store/per-transaction.js';
import type { AgentRow, ContactFace, ContactRow } from '../store/rows.js';
import { avatarAddress } from './avatars.js';
import { type Changed, changedAttributes } from './changes.js';
import type { ConversationView } from './conversations-view.js';
import { enqueueForWebhooks } from './delivery-queue.js';
import type { MessageView, Sender } from './messages-view.js';
import { eventConversation } from './shapes-realtime.js';
import { attachmentShape, iso } from './shapes-shared.js';

const typeNames = { 0: 'incoming', 1: 'outgoing', 2: 'activity', 3: 'template' } as const;

const accountOf = askedOnce((tx, id) =>
  one<{ id: number; name: string }>(tx, 'select id, name from accounts where id = $1', [id]),
);

const contactPayload = (core: Core, account: object, contact: ContactFace) => ({
  account,
  additional_attributes: contact.additional_attributes,
  avatar: avatarAddress(core, contact.avatar_url),
  custom_attributes: contact.custom_attributes,
  email: contact.email,
  id: contact.id,
  identifier: contact.identifier,
  name: contact.name,
  phone_number: contact.phone_number,
  thumbnail: avatarAddress(core, contact.avatar_url),
  blocked: contact.blocked,
});

const agentPayload = (agent: AgentRow) => ({
  id: agent.id,
  name: agent.name,
  email: agent.email,
  type: 'user',
});

function senderPayload(core: Core, account: object, sender: Sender | undefined) {
  if (!sender) return null;
  return sender.type === 'contact'
    ? contactPayload(core, account, sender.contact)
    : agentPayload(sender.user);
}

export const deliveryLane = (conversationId: number) => `conversation:${conversationId}`;

const aboutConversation = ({ conversation }: ConversationView, event: string) => ({
  accountId: conversation.account_id,
  inboxId: conversation.inbox_id,
  event,
  lane: deliveryLane(conversation.id),
});

export async function messagePayload(change: Change, view: MessageView, scene: ConversationView) {
  const { message } = view;
  const account = await accountOf(change.tx, message.account_id);
  return {
    account,
    additional_attributes: {},
    content_attributes: message.content_attributes,
    content_type: message.content_type,
    content: message.content,
    conversation: eventConversation(change.core, scene),
    created_at: iso(message.created_at),
    id: message.id,
    inbox: { id: scene.inbox.id, name: scene.inbox.name },
    message_type: typeNames[message.message_type],
    private: message.private,
    sender: senderPayload(change.core, account, view.sender),
    source_id: message.source_id,
    ...(view.attachments.length
      ? { attachments: view.attachments.map((attachment) => attachmentShape(change.core, attachment)) }
      : {}),
  };
}

export async function conversationPayload(change: Change, scene: ConversationView) {
  const account = await accountOf(change.tx, scene.conversation.account_id);
  return { ...eventConversation(change.core, scene), account };
}

/** System lines stay in the house; private notes and templates are told. */
export async function hookMessage(
  change: Change,
  event: 'message_created' | 'message_updated',
  view: MessageView,
  scene: ConversationView,
): Promise<void> {
  if (view.message.message_type === 2) return;
  await enqueueForWebhooks(change, aboutConversation(scene, event), () =>
    messagePayload(change, view, scene),
  );
}

/** Where nothing changed there is nothing to tell. */
export async function hookConversation(
  change: Change,
  event: 'conversation_created' | 'conversation_updated' | 'conversation_status_changed',
  scene: ConversationView,
  changed: Changed = {},
): Promise<void> {
  if (event !== 'conversation_created' && Object.keys(changed).length === 0) return;
  await enqueueForWebhooks(change, aboutConversation(scene, event), async () => ({
    ...(await conversationPayload(change, scene)),
    ...(event === 'conversation_created' ? {} : { changed_attributes: changedAttributes(changed) }),
  }));
}

export async function hookContact(
  change: Change,
  event: 'contact_created' | 'contact_updated',
  contact: ContactRow,
  changed: Changed = {},
): Promise<void> {
  if (event === 'contact_updated' && Object.keys(changed).length === 0) return;
  const about = { accountId: contact.account_id, event, lane: `contact:${contact.id}` };
  await enqueueForWebhooks(change, about, async () => ({
    ...contactPayload(change.core, await accountOf(change.tx, contact.account_id), contact),
    ...(event === 'contact_updated' ? { changed_attributes: changedAttributes(changed) } : {}),
  }));
}

export async function hookTyping(
  change: Change,
  status: 'on' | 'off',
  scene: ConversationView,
  typist: { contact: ContactRow } | { agent: AgentRow; isPrivate: boolean },
): Promise<void> {
  const about = aboutConversation(scene, `conversation_typing_${status}`);
  await enqueueForWebhooks(change, about, async () => {
    const account = await accountOf(change.tx, scene.conversation.account_id);
    return {
      user:
        'agent' in typist ? agentPayload(typist.agent) : contactPayload(change.core, account, typist.contact),
      conversation: eventConversation(change.core, scene),
      is_private: 'agent' in typist && typist.isPrivate,
    };
  });
}

/** What a visitor's page tells about itself. */
export async function hookWidget(
  change: Change,
  visitor: {
    pair: { id: number; source_id: string };
    contact: ContactRow;
    inbox: { id: number; name: string };
  },
  current: ConversationView | undefined,
  eventInfo: Record<string, unknown>,
): Promise<void> {
  const { pair, contact, inbox } = visitor;
  const event = 'webwidget_triggered';
  const about = { accountId: contact.account_id, inboxId: inbox.id, event, lane: `contact:${contact.id}` };
  await enqueueForWebhooks(change, about, async () => {
    const account = await accountOf(change.tx, contact.account_id);
    return {
      id: pair.id,
      contact: contactPayload(change.core, account, contact),
      inbox: { id: inbox.id, name: inbox.name },
      account,
      current_conversation: current ? eventConversation(change.core, current) : null,
      source_id: pair.source_id,
      event_info: eventInfo,
    };
  });
}

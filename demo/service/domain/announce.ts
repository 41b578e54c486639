/**
 * Who hears what: sockets, webhooks and rules. Builds events inside the transaction that caused them, so a frame
 * shows what that very commit stored. Does not send: `commit` and the jobs do.
 */
import type { Change, Core } from '../core.js';
import {
  accountTopic,
  agentsTopic,
  contactName,
  inboxTopic,
  pairsMoved,
  pairTopic,
  type ServiceEvent,
  userName,
} from '../events.js';
import type { AgentRow, ContactRow, ConversationRow, MessageRow } from '../store/rows.js';
import { type Changed, contactChanges, conversationChanges } from './changes.js';
import { type ConversationView, viewConversation, viewConversations } from './conversations-view.js';
import type { Moved } from './merge.js';
import { type MessageView, viewMessages } from './messages-view.js';
import { eventOfStatus, queueForRules } from './rule-queue.js';
import { accountContact, type MessageContext } from './shapes-account.js';
import { eventConversation, eventMessage, isForContact, performer } from './shapes-realtime.js';
import { contactSender, userSender } from './shapes-shared.js';
import { hookContact, hookConversation, hookMessage, hookTyping } from './webhook-events.js';

/** Outside these events are spelt with an underscore. */
const hookNames = {
  'message.created': 'message_created',
  'message.updated': 'message_updated',
  'conversation.created': 'conversation_created',
  'conversation.updated': 'conversation_updated',
  'conversation.status_changed': 'conversation_status_changed',
  'contact.created': 'contact_created',
  'contact.updated': 'contact_updated',
} as const;

/** Whoever may read what happens in an inbox. */
const staffTopics = ({ account_id, inbox_id }: Pick<ConversationRow, 'account_id' | 'inbox_id'>) => [
  accountTopic(account_id),
  inboxTopic(inbox_id),
];

/** The conversation's own pair and every verified pair of the contact: whoever may read it hears of it. */
async function contactTopics(change: Change, { pair }: ConversationView): Promise<string[]> {
  const pairs = await change.tx.query<{ id: number }>(
    'select id from contact_inboxes where contact_id = $1 and (hmac_verified or id = $2) order by id',
    [pair.contact_id, pair.id],
  );
  return pairs.map(({ id }) => pairTopic(id));
}

interface About {
  echoId?: string | undefined;
  agent?: AgentRow | undefined;
  previous?(message: MessageRow): Changed;
}

/** @param contact the topics of the contact, who does not hear everything */
export function messageEvent(
  core: Core,
  name: 'message.created' | 'message.updated',
  view: MessageView,
  context: MessageContext,
  contact: readonly string[],
  about: About,
): ServiceEvent {
  const staff = staffTopics(view.message);
  return {
    topics: isForContact(view.message) ? [...staff, ...contact] : staff,
    name,
    data: {
      ...eventMessage(core, view, context),
      ...(about.echoId === undefined ? {} : { echo_id: about.echoId }),
      ...(about.previous ? { previous_changes: about.previous(view.message) } : {}),
      ...performer(about.agent),
    },
  };
}

/** All of one conversation. */
export async function announceMessages(
  change: Change,
  name: 'message.created' | 'message.updated',
  messages: readonly MessageRow[],
  about: About = {},
): Promise<MessageView[]> {
  const [head] = messages;
  if (!head) return [];
  const scene = await viewConversation(change.tx, head.conversation_id);
  const displayIds = new Map([[head.conversation_id, scene.conversation.display_id]]);
  const views = await viewMessages(change.tx, messages, displayIds);
  const contact = await contactTopics(change, scene);
  for (const view of views) {
    change.emit(messageEvent(change.core, name, view, scene, contact, about));
    await hookMessage(change, hookNames[name], view, scene);
    // Only what people write: neither system lines nor automatic messages.
    if (name === 'message.created' && view.message.message_type <= 1) {
      await queueForRules(change, 'message_created', scene.conversation, { messageId: view.message.id });
    }
  }
  return views;
}

export async function announceMessage(
  change: Change,
  name: 'message.created' | 'message.updated',
  message: MessageRow,
  about: About = {},
): Promise<MessageView> {
  const [view] = await announceMessages(change, name, [message], about);
  if (!view) throw new Error('a message of the transaction is not there');
  return view;
}

type ConversationEvent = 'conversation.created' | 'conversation.updated' | 'conversation.status_changed';

async function tellRules(
  change: Change,
  name: ConversationEvent,
  { conversation }: ConversationView,
  changed: Changed,
): Promise<void> {
  if (name === 'conversation.created') await queueForRules(change, 'conversation_created', conversation);
  const moved = eventOfStatus[conversation.status];
  if (name === 'conversation.status_changed' && moved) {
    await queueForRules(change, moved, conversation, { changed });
  }
  if (name === 'conversation.updated' && Object.keys(changed).length > 0) {
    await queueForRules(change, 'conversation_updated', conversation, { changed });
  }
}

interface AboutConversation {
  agent?: AgentRow | undefined;
  /** The row as it was: what differs is told to webhooks and rules. */
  before?: ConversationRow;
}

export async function announceConversation(
  change: Change,
  names: readonly ConversationEvent[],
  conversationId: number,
  about: AboutConversation = {},
): Promise<void> {
  await announceView(change, names, await viewConversation(change.tx, conversationId), about);
}

export async function announceView(
  change: Change,
  names: readonly ConversationEvent[],
  view: ConversationView,
  { agent, before }: AboutConversation,
): Promise<void> {
  const staff = staffTopics(view.conversation);
  const topics = [...staff, ...(await contactTopics(change, view))];
  const data = { ...eventConversation(change.core, view), ...performer(agent) };
  const changed = before ? conversationChanges(before, view.conversation) : {};
  for (const name of names) {
    change.emit({ topics, name, data });
    await hookConversation(change, hookNames[name], view, changed);
    await tellRules(change, name, view, changed);
  }
  if (changed.assignee_id) change.emit({ topics: staff, name: 'assignee.changed', data });
  if (changed.team_id) change.emit({ topics: staff, name: 'team.changed', data });
}

/** For agents only. */
export async function announceRead(change: Change, conversationId: number): Promise<void> {
  const view = await viewConversation(change.tx, conversationId);
  change.emit({
    topics: staffTopics(view.conversation),
    name: 'conversation.read',
    data: eventConversation(change.core, view),
  });
}

/**
 * Contacts belong to the account: all its agents hear of them.
 * @param before without one, the contact is new
 */
export async function announceContact(
  change: Change,
  name: 'contact.created' | 'contact.updated',
  contact: ContactRow,
  before?: ContactRow,
): Promise<void> {
  change.emit({
    topics: [accountTopic(contact.account_id), agentsTopic(contact.account_id)],
    name,
    data: { ...accountContact(change.core, contact), account_id: contact.account_id },
  });
  const changed = before ? contactChanges(change.core, before, contact) : {};
  await hookContact(change, hookNames[name], contact, changed);
}

/** Of somebody who is no more agents hear the number alone, with those of their conversations. */
export function announceErased(
  change: Change,
  { id, account_id }: ContactRow,
  conversationIds: readonly number[],
): void {
  change.emit({
    topics: [accountTopic(account_id), agentsTopic(account_id)],
    name: 'contact.deleted',
    data: { id, account_id, conversation_ids: conversationIds },
  });
}

/** Two contacts became one: agents hear who it is now. */
export async function announceMerge(change: Change, contact: ContactRow, moved: Moved): Promise<void> {
  const { core } = change;
  const { account_id } = contact;
  if (core.presence.has(account_id, contactName(moved.goneId)))
    core.presence.beat(account_id, contactName(contact.id));
  const topics = [accountTopic(account_id), agentsTopic(account_id)];
  change.emit({ topics, name: 'contact.merged', data: { ...accountContact(core, contact), account_id } });
  await announceMoved(change, contact, moved);
}

/** The sockets of the pairs that moved speak for this one from now on. */
export async function announceMoved(
  change: Change,
  contact: ContactRow,
  { pairIds, conversationIds }: Omit<Moved, 'goneId'>,
): Promise<void> {
  change.emit(pairsMoved(pairIds, contact.id));
  await announceOwners(change, conversationIds);
}

/** Agents hear whose each of these conversations is by now. */
export async function announceOwners(change: Change, conversationIds: readonly number[]): Promise<void> {
  const { core, tx } = change;
  const rows = await tx.query<ConversationRow>(
    'select * from conversations where id = any($1::bigint[]) order by id',
    [conversationIds],
  );
  for (const view of await viewConversations(tx, rows)) {
    const staff = staffTopics(view.conversation);
    change.emit({ topics: staff, name: 'conversation.contact_changed', data: eventConversation(core, view) });
    await announceView(change, ['conversation.updated'], view, {});
  }
}

export async function announceTyping(
  change: Change,
  status: 'on' | 'off',
  conversationId: number,
  typist: { contact: ContactRow } | { agent: AgentRow; isPrivate: boolean },
): Promise<void> {
  const view = await viewConversation(change.tx, conversationId);
  const byAgent = 'agent' in typist;
  const staff = staffTopics(view.conversation);
  change.emit({
    topics: byAgent ? [...staff, pairTopic(view.pair.id)] : staff,
    ...(byAgent ? { except: userName(typist.agent.id) } : {}),
    name: `conversation.typing_${status}`,
    data: {
      account_id: view.conversation.account_id,
      conversation: eventConversation(change.core, view),
      user: byAgent ? userSender(typist.agent) : contactSender(change.core, typist.contact),
      is_private: byAgent && typist.isPrivate,
      ...(byAgent ? performer(typist.agent) : {}),
    },
  });
  await hookTyping(change, status, view, typist);
}

/**
 * What a message does to its conversation, the same for one that is written alone and for those that are written
 * together. Knows no table but the conversation's row.
 */
import type { ConversationRow } from '../store/rows.js';
import type { NewMessage } from './message-rows.js';

export interface Effect {
  /** The contact's word, and the contact is not blocked. */
  heard: boolean;
  /** A contact's word reopens a conversation that is resolved or asleep, but not for somebody blocked. */
  reopens: boolean;
  /** From here on, or from before, the contact waits for an answer. */
  waits: boolean;
  /** An agent's word to the contact. */
  replies: boolean;
  /** The same, to somebody who waited. */
  answers: boolean;
}

export function effectOf(
  { type, sender, private: isPrivate }: NewMessage,
  conversation: ConversationRow,
  isBlocked: boolean,
): Effect {
  const incoming = type === 0;
  const heard = incoming && !isBlocked;
  const replies = type === 1 && sender !== 'contact' && !isPrivate;
  return {
    heard,
    reopens: heard && ['resolved', 'snoozed'].includes(conversation.status),
    // Nobody waits in what stays resolved.
    waits: incoming && !(isBlocked && conversation.status === 'resolved'),
    replies,
    answers: replies && (conversation.first_reply_created_at === null || conversation.waiting_since !== null),
  };
}

/** The assignments of an `update conversations c`, each name an expression of SQL. @param at when it was written */
export const moved = (at: string, waits: string, replies: string): string => `
  last_activity_at = ${at}, updated_at = now(),
  waiting_since = case when ${waits} then coalesce(c.waiting_since, ${at}) when ${replies} then null
    else c.waiting_since end,
  first_reply_created_at = case when ${replies} then coalesce(c.first_reply_created_at, ${at})
    else c.first_reply_created_at end`;

/**
 * A conversation, over REST and over the socket. `id` is the display number that paths want.
 * @see `PublicConversation` in the service's /openapi.json
 */
import * as z from 'zod/mini';
import { int, number, text } from './kinds.js';
import { messageSchema } from './message.js';

const seconds = z.catch(z.number(), 0);

/** Without its messages, which may be many. */
const standing = {
  id: int,
  /** By its number; its name is the public one. */
  inbox_id: number,
  /** `open`, `resolved`, `pending` or `snoozed`. */
  status: text,
  /** Unix seconds; 0 means never. */
  contact_last_seen_at: seconds,
  agent_last_seen_at: seconds,
};
export const standingSchema = z.object(standing);
export type Standing = z.infer<typeof standingSchema>;

export const conversationSchema = z.object({
  ...standing,
  messages: z.catch(z.array(messageSchema), []),
});
export type Conversation = z.infer<typeof conversationSchema>;

export const conversationsSchema = z.array(conversationSchema);

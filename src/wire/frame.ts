/**
 * Socket frames: the ActionCable vocabulary, and below it one schema per event. An event or frame
 * we do not know is not an error: it reads as `undefined`, and has still proved that the line lives.
 * @see demo/service/cable.ts, demo/service/events.ts
 */
import * as z from 'zod/mini';
import { conversationSchema, standingSchema } from './conversation.js';
import { mapOf, text } from './kinds.js';
import { messageSchema, senderSchema } from './message.js';

const frameSchema = z.object({
  type: text,
  identifier: text,
  reason: text,
  reconnect: z.catch(z.optional(z.boolean()), undefined),
  message: z.optional(z.unknown()),
});
export type Frame = z.infer<typeof frameSchema>;

/** @param data the text of a socket frame, whatever it is. */
export function readFrame(data: unknown): Frame | undefined {
  if (typeof data !== 'string' || data.length > 5_000_000) return undefined;
  try {
    return frameSchema.safeParse(JSON.parse(data)).data;
  } catch {
    return undefined;
  }
}

const typing = z.object({
  conversation: standingSchema,
  user: z.catch(z.nullish(senderSchema), null),
  is_private: z.catch(z.boolean(), false),
});

const named = <N extends string, T extends z.ZodMiniType>(events: N[], data: T) =>
  z.object({ event: z.literal(events), data });

const ofMessage = named(['message.created', 'message.updated'], messageSchema);
const ofConversation = named(
  ['conversation.created', 'conversation.updated', 'conversation.status_changed'],
  conversationSchema,
);
const ofTyping = named(['conversation.typing_on', 'conversation.typing_off'], typing);
/** Who of the team is there, by their number: `online`, `busy` or `offline`. Who is not told is not there. */
const ofPresence = named(['presence.update'], z.object({ users: mapOf<unknown>(() => true) }));
export type ChatEvent = z.infer<
  typeof ofMessage | typeof ofConversation | typeof ofTyping | typeof ofPresence
>;

/** @param message the `message` of an application frame. */
export const readEvent = (message: unknown): ChatEvent | undefined =>
  ofMessage.safeParse(message).data ??
  ofConversation.safeParse(message).data ??
  ofTyping.safeParse(message).data ??
  ofPresence.safeParse(message).data;

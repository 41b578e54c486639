/**
 * A table from event name to schema. An event we do not know, or cannot read, is `undefined` and no error: the
 * page reads everything again through the account API after each subscription.
 * @see demo/service/events.ts
 */
import * as z from 'zod';
import {
  changedMessageSchema,
  contactSchema,
  conversationSchema,
  messageSchema,
  personSchema,
} from './schemas.js';

const typingSchema = z.object({
  conversation: z.object({ id: z.int() }),
  user: personSchema,
  is_private: z.boolean().catch(false),
});
export type TypingEvent = z.infer<typeof typingSchema>;

const eventSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('message.created'), data: messageSchema }),
  z.object({ event: z.literal('message.updated'), data: changedMessageSchema }),
  z.object({ event: z.literal('conversation.created'), data: conversationSchema }),
  z.object({ event: z.literal('conversation.updated'), data: conversationSchema }),
  z.object({ event: z.literal('conversation.status_changed'), data: conversationSchema }),
  z.object({ event: z.literal('conversation.read'), data: conversationSchema }),
  z.object({ event: z.literal('conversation.typing_on'), data: typingSchema }),
  z.object({ event: z.literal('conversation.typing_off'), data: typingSchema }),
  z.object({ event: z.literal('contact.updated'), data: contactSchema }),
  /** Who two are by now; of the other one nobody tells. */
  z.object({ event: z.literal('contact.merged'), data: contactSchema }),
  z.object({ event: z.literal('contact.deleted'), data: z.object({ conversation_ids: z.array(z.int()) }) }),
  z.object({
    event: z.literal('presence.update'),
    /** `contacts` maps a contact's id to `online`, `users` an agent's to `online`, `busy` or `offline`. */
    data: z.object({
      contacts: z.record(z.string(), z.string()).catch({}),
      users: z.record(z.string(), z.string()).catch({}),
    }),
  }),
]);
export type DeskEvent = z.infer<typeof eventSchema>;

/** @param message the `message` of an application frame. */
export function readEvent(message: unknown): DeskEvent | undefined {
  return eventSchema.safeParse(message).data;
}

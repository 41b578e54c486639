/**
 * A message as the service gives it, over REST and over the socket. Strict about what decides (`id`,
 * `message_type`); every other field reads as absent when it is not what it should be, so that one odd field
 * never costs the visitor a message.
 * @see `PublicMessage` in the service's /openapi.json
 */
import * as z from 'zod/mini';
import { int, map, nullishText, number, text } from './kinds.js';

export const senderSchema = z.object({
  id: number,
  name: text,
  available_name: text,
  avatar_url: text,
  thumbnail: text,
  /** `contact`, `user`, `agent_bot` or `captain_assistant`. */
  type: text,
});
export type Sender = z.infer<typeof senderSchema>;

export const attachmentSchema = z.object({
  id: z.number(),
  file_type: text,
  data_url: text,
  thumb_url: text,
  extension: text,
  fallback_title: text,
  /** Bytes. */
  file_size: number,
  width: number,
  height: number,
  coordinates_lat: number,
  coordinates_long: number,
  transcribed_text: text,
  /** Of a contact: names, as far as they are known. */
  meta: map,
});
export type Attachment = z.infer<typeof attachmentSchema>;

/** In the place of one that nobody can read: the others of its message stand. */
const unreadable: Attachment = { id: 0, meta: {} };

export const messageSchema = z.object({
  /** Global; order of a conversation is order of `id`. */
  id: int,
  content: nullishText,
  /** 0 incoming (the contact's), 1 outgoing (an agent's), 2 activity, 3 template (automatic). */
  message_type: z.literal([0, 1, 2, 3]),
  content_type: text,
  content_attributes: map,
  /** Unix seconds by the service's clock. */
  created_at: z.catch(z.number(), 0),
  /** The display number of the conversation. */
  conversation_id: number,
  inbox_id: number,
  /** Only over the socket: ISO 8601. */
  updated_at: text,
  private: z.catch(z.optional(z.boolean()), undefined),
  /** Only over the socket: `sent`, `delivered`, `read`, `failed`. */
  status: text,
  /** Our name for it; the reference deployment gives it once, in the creation frame. */
  echo_id: text,
  sender: z.catch(z.nullish(senderSchema), null),
  attachments: z.catch(z.optional(z.array(z.catch(attachmentSchema, unreadable))), undefined),
});

export type Message = z.infer<typeof messageSchema>;

/** A page of history: one unreadable message spoils it, because absence from a page is used as proof. */
export const messagesSchema = z.array(messageSchema);

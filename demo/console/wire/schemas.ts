/**
 * What the account API and the agents' socket send, as far as this page uses it. Strict about what decides (`id`,
 * `status`, `message_type`), tolerant about the rest; unknown fields are dropped. Knows no route.
 * @see `Conversation`, `Message` and `Contact` in /openapi.json
 */
import * as z from 'zod';

// Without this zod probes `Function`, which a strict Content-Security-Policy reports as a violation.
z.config({ jitless: true });

const text = z.string().nullish().catch(undefined);
const number = z.number().nullish().catch(undefined);
/** Unix seconds; 0 means never. */
const seconds = z.number().catch(0);
const map = z.record(z.string(), z.unknown()).catch({});

export const statusSchema = z.enum(['open', 'resolved', 'pending', 'snoozed']);
export type Status = z.infer<typeof statusSchema>;

export const contactSchema = z.object({
  id: z.int(),
  name: text,
  email: text,
  phone_number: text,
  identifier: text,
  blocked: z.boolean().catch(false),
  thumbnail: text,
  custom_attributes: map,
  additional_attributes: map,
  last_activity_at: seconds,
  created_at: seconds,
});
export type Contact = z.infer<typeof contactSchema>;

/** Whoever wrote or types: contact, agent or bot. */
export const personSchema = z.object({
  id: z.int().nullish().catch(undefined),
  name: text,
  available_name: text,
  /** `contact`, `user`, `agent_bot` … */
  type: text,
});

export const attachmentSchema = z.object({
  id: z.int(),
  file_type: text,
  data_url: text,
  thumb_url: text,
  extension: text,
  fallback_title: text,
  file_size: number,
  /** Pixels, of a picture. */
  width: number,
  height: number,
});
export type Attachment = z.infer<typeof attachmentSchema>;

export const messageSchema = z.object({
  /** Global; the order of a conversation is the order of `id`. */
  id: z.int(),
  /** The display number of the conversation. */
  conversation_id: z.int(),
  content: text,
  /** 0 incoming, 1 outgoing, 2 activity, 3 template (automatic). */
  message_type: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  created_at: seconds,
  private: z.boolean().catch(false),
  /** `sent`, `delivered`, `read`, `failed`. */
  status: text,
  /** `text`, `input_select`, `form`, `cards` … */
  content_type: z.string().catch('text'),
  content_attributes: map,
  echo_id: text,
  sender: personSchema.nullish().catch(undefined),
  /** `User`, `Contact`; stays where the sender is gone. */
  sender_type: text,
  attachments: z.array(attachmentSchema).catch([]),
});
export type Message = z.infer<typeof messageSchema>;
/** As the socket tells a change. */
export const changedMessageSchema = messageSchema.extend({
  updated_at: text,
  previous_changes: z
    .object({ content_attributes: z.tuple([map, map]).optional().catch(undefined) })
    .catch({}),
});
export type ChangedMessage = z.infer<typeof changedMessageSchema>;

export const conversationSchema = z.object({
  id: z.int(),
  inbox_id: z.int().catch(0),
  status: statusSchema,
  priority: text,
  labels: z.array(z.string()).catch([]),
  snoozed_until: z.number().nullish().catch(undefined),
  waiting_since: seconds,
  unread_count: z.int().catch(0),
  created_at: seconds,
  last_activity_at: seconds,
  contact_last_seen_at: seconds,
  agent_last_seen_at: seconds,
  messages: z.array(messageSchema).catch([]),
  last_non_activity_message: messageSchema.nullish().catch(undefined),
  /** The newest with the words, where there was a search; not every service tells it. */
  found_message: messageSchema.nullish().catch(undefined),
  custom_attributes: map,
  additional_attributes: map,
  meta: z
    .object({
      sender: contactSchema.nullish().catch(undefined),
      assignee: personSchema.nullish().catch(undefined),
      team: z.object({ id: z.int(), name: z.string() }).nullish().catch(undefined),
    })
    .catch({ sender: undefined, assignee: undefined }),
});
export type Conversation = z.infer<typeof conversationSchema>;

const countsSchema = z.object({
  mine_count: z.int(),
  unassigned_count: z.int(),
  assigned_count: z.int(),
  all_count: z.int(),
});
export type Counts = z.infer<typeof countsSchema>;

export const availabilitySchema = z.enum(['online', 'busy', 'offline']);
export type Availability = z.infer<typeof availabilitySchema>;

export const profileSchema = z.object({
  id: z.int(),
  name: text,
  available_name: text,
  pubsub_token: z.string().min(1),
  accounts: z
    .array(
      z.object({
        id: z.int(),
        name: text,
        role: z.enum(['administrator', 'agent']).catch('agent'),
        availability: availabilitySchema.catch('online'),
      }),
    )
    .min(1),
});
export type Profile = z.infer<typeof profileSchema>;

export const conversationListSchema = z.object({ data: z.object({ payload: z.array(conversationSchema) }) });
export const countsAnswerSchema = z.object({ meta: countsSchema });
export const messageListSchema = z.object({ payload: z.array(messageSchema) });
export const toggledSchema = z.object({ payload: z.object({ current_status: statusSchema }) });
export const labelsAnswerSchema = z.object({ payload: z.array(z.string()) });
/** An answer whose body does not matter. */
export const doneSchema = z.unknown();

/** The specified error body and the shapes the reference deployment sends instead. */
export const errorBodySchema = z.object({
  description: text,
  message: text,
  error: text,
  errors: z.array(z.object({ field: text, message: text })).catch([]),
});

/**
 * Pieces that several answers share, as schemas: times, free maps, files, people. Closed objects, so that a field
 * nobody described is found by the tests; they are the source of the published description, and change no answer.
 */
import { z } from 'zod';
import { availabilities, conversationStatuses, priorities, roles } from '../../store/rows.js';

export const id = z.int().min(0);
export const count = z.int().min(0);
export const seconds = z.int().min(0).meta({ description: 'Unix time in seconds' });
/** Conversation times are 0 as long as they were never set. */
export const secondsOr0 = z.int().min(0).meta({ description: 'Unix time in seconds, 0 for never' });
export const instant = z.iso.datetime().meta({ description: 'ISO 8601, UTC' });
export const freeMap = z.record(z.string(), z.unknown());
export const text = z.string();
export const textOrNull = z.string().nullable();
export const idOrNull = id.nullable();
/** Numbers and objects that the specification names and nothing here ever has. */
export const never = z.null();
/** Texts that the specification names and an inbox of the API kind never has. */
export const neverText = z.literal('').meta({ description: 'Always empty: an inbox of this kind has none' });

export const errorBody = z
  .strictObject({
    description: z.string().min(1),
    errors: z
      .array(
        z.strictObject({
          field: z
            .string()
            .min(1)
            .meta({ description: 'The field, parameter or header at fault, or "base"' }),
          message: z.string().min(1),
          code: z.string().min(1).meta({ description: 'For programs, such as required or too_long' }),
        }),
      )
      .min(1),
  })
  .meta({ id: 'Error' });

export const status = z.enum(conversationStatuses);
export const priority = z.enum(priorities).nullable();
export const availability = z.enum(availabilities);
export const role = z.enum(roles);
export const messageType = z
  .literal([0, 1, 2, 3])
  .meta({ description: '0 incoming, 1 outgoing, 2 activity, 3 template' });
export const channelType = z.literal('Channel::Api');

export const workingHours = z
  .strictObject({
    day_of_week: z.int().min(0).max(6).meta({ description: '0 is Sunday' }),
    closed_all_day: z.boolean(),
    open_hour: z.int().min(0).max(23).nullable(),
    open_minutes: z.int().min(0).max(59).nullable(),
    close_hour: z.int().min(0).max(23).nullable(),
    close_minutes: z.int().min(0).max(59).nullable(),
    open_all_day: z.boolean(),
  })
  .meta({ id: 'WorkingHours' });

export const attachment = z
  .strictObject({
    id,
    message_id: id,
    account_id: id,
    file_type: z.enum(['image', 'audio', 'video', 'file']),
    extension: textOrNull,
    data_url: z.url(),
    thumb_url: text.meta({ description: 'Empty unless it is a picture' }),
    file_size: count,
    width: count.nullable(),
    height: count.nullable(),
    fallback_title: text,
    transcribed_text: text.optional().meta({ description: 'Sound only' }),
    coordinates_lat: z.number().optional().meta({ description: 'Places only, which nobody can send here' }),
    coordinates_long: z.number().optional().meta({ description: 'Places only, which nobody can send here' }),
    meta: freeMap.optional().meta({ description: 'Contact cards only, which nobody can send here' }),
  })
  .meta({ id: 'Attachment' });

const contactSender = z
  .strictObject({
    additional_attributes: freeMap,
    custom_attributes: freeMap,
    email: textOrNull,
    id,
    identifier: textOrNull,
    name: text,
    phone_number: textOrNull,
    thumbnail: text,
    blocked: z.boolean(),
    type: z.literal('contact'),
  })
  .meta({ id: 'ContactSender' });

const userSender = z
  .strictObject({
    id,
    name: text,
    available_name: text,
    avatar_url: text,
    type: z.literal('user'),
    availability_status: availability,
    thumbnail: text,
  })
  .meta({ id: 'UserSender' });

export const sender = z.union([contactSender, userSender]).meta({ id: 'Sender' });

/** Absent, not empty, when there is nothing to say. */
export const optionalParts = {
  echo_id: text.optional().meta({ description: 'What its sender called it' }),
  attachments: z.array(attachment).min(1).optional(),
  sender: sender.optional(),
};

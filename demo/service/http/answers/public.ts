/** Answers of the public family. */
import { z } from 'zod';
import {
  freeMap,
  id,
  instant,
  messageType,
  never,
  optionalParts,
  seconds,
  secondsOr0,
  status,
  text,
  textOrNull,
  workingHours,
} from './parts.js';

export const publicInbox = z
  .strictObject({
    identifier: text,
    identity_validation_enabled: z.boolean(),
    name: text,
    timezone: text,
    working_hours: z.array(workingHours).length(7),
    working_hours_enabled: z.boolean(),
    csat_survey_enabled: z.boolean(),
    greeting_enabled: z.boolean(),
  })
  .meta({ id: 'PublicInbox' });

const pairFields = {
  source_id: text.min(1).meta({ description: 'The key of the contact in this inbox: keep it secret' }),
  pubsub_token: text.min(1).meta({ description: 'Opens the socket of this contact: keep it secret' }),
  id,
  name: text,
  email: textOrNull,
  phone_number: textOrNull,
};

const contactFields = {
  id,
  name: text,
  email: textOrNull,
  phone_number: textOrNull,
  identifier: textOrNull,
  blocked: z.boolean(),
  additional_attributes: freeMap,
  custom_attributes: freeMap,
  contact_type: z.enum(['visitor', 'lead', 'customer']),
  country_code: text,
  last_activity_at: instant.nullable(),
  created_at: instant,
  updated_at: instant,
  last_name: text,
  middle_name: text,
  location: text,
  account_id: id,
  company_id: never,
  label_list: z.array(text),
};

export const publicPair = z.strictObject(pairFields).meta({ id: 'ContactTokens' });
const publicContact = z.strictObject(contactFields).meta({ id: 'PublicContact' });
export const publicContactWithTokens = z
  .strictObject({ ...contactFields, ...pairFields })
  .meta({ id: 'PublicContactWithTokens' });

export const publicMessage = z
  .strictObject({
    id,
    content: textOrNull,
    message_type: messageType,
    content_type: text,
    content_attributes: freeMap,
    created_at: seconds,
    conversation_id: id.meta({ description: 'The number of the conversation in its account' }),
    ...optionalParts,
  })
  .meta({ id: 'PublicMessage' });

export const publicConversation = z
  .strictObject({
    id: id.meta({ description: 'The number of the conversation in its account' }),
    uuid: z.uuid(),
    inbox_id: id,
    contact_last_seen_at: secondsOr0,
    status,
    agent_last_seen_at: secondsOr0,
    messages: z.array(publicMessage),
    contact: publicContact,
  })
  .meta({ id: 'PublicConversation' });

/**
 * The contact, as create and show answer. `pubsub_token` opens the socket; keep it in memory only.
 * @see `createPublicContact`, `showPublicContact` in the service's /openapi.json
 */
import * as z from 'zod/mini';
import { filled, nullishText } from './kinds.js';

export const contactSchema = z.object({
  source_id: filled,
  pubsub_token: filled,
  name: nullishText,
  email: nullishText,
  phone_number: nullishText,
});
export type Contact = z.infer<typeof contactSchema>;

/**
 * What the service tells about an inbox without credentials, as far as it is read here.
 * @see `showPublicInbox` in the service's /openapi.json
 */
import * as z from 'zod/mini';
import { int } from './kinds.js';

/** Who says another one has said none. */
const upTo = (max: number) => {
  const fits = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max;
  return z.catch(z.nullish(z.custom<number>(fits)), null);
};
const hour = upTo(24);
const minutes = upTo(59);
const flag = z.catch(z.boolean(), false);

export const inboxSchema = z.object({
  timezone: z.catch(z.string(), 'UTC'),
  working_hours_enabled: flag,
  /** Seven entries; `day_of_week` 0 is Sunday; a closed day has null hours. */
  working_hours: z.catch(
    z.array(
      z.object({
        day_of_week: int,
        closed_all_day: flag,
        open_all_day: flag,
        open_hour: hour,
        open_minutes: minutes,
        close_hour: hour,
        close_minutes: minutes,
      }),
    ),
    [],
  ),
  identity_validation_enabled: flag,
});
export type Inbox = z.infer<typeof inboxSchema>;

/** The account API as the console uses it. Knows no store and repeats nothing. */
import * as z from 'zod';
import { administrationApi } from './api/administration.js';
import { asker, call } from './api/call.js';
import { contactApi } from './api/contacts.js';
import { conversationApi } from './api/conversations.js';
import { teamSummarySchema } from './wire/admin.js';
import { type Availability, doneSchema, profileSchema } from './wire/schemas.js';

export type { Filters } from './api/conversations.js';

/** Who the token belongs to. Errors: `http` 401 unknown token. */
export const getProfile = (token: string) => call(token, profileSchema, '/api/v1/profile');

export type Api = ReturnType<typeof createApi>;

/** @param onUnauthorized called whenever the service no longer accepts the token. */
export function createApi(token: string, accountId: number, onUnauthorized: () => void) {
  const ask = asker(token, `/api/v1/accounts/${accountId}`, onUnauthorized);
  const askForMe = asker(token, '/api/v1/profile', onUnauthorized);
  const ask2 = asker(token, `/api/v2/accounts/${accountId}`, onUnauthorized);
  return {
    ...conversationApi(ask),
    contacts: contactApi(ask),
    ...administrationApi(ask),
    setAvailability: (availability: Availability) =>
      askForMe(doneSchema, '/availability', {
        method: 'POST',
        body: { availability, account_id: accountId },
      }),
    teamSummaries: (query: { since: number; until: number; business_hours: string }) =>
      ask2(z.array(teamSummarySchema), '/summary_reports/team', { query }),
  };
}

/** Answers of the account API about how an account organises its work: teams, labels, canned answers. */
import { z } from 'zod';
import { agent } from './account.js';
import { id, instant, text, textOrNull } from './parts.js';

const teamFields = {
  id,
  name: text,
  description: text,
  allow_auto_assign: z.boolean(),
  account_id: id,
};

export const team = z.strictObject(teamFields).meta({ id: 'Team' });
export const teamWithMembership = z
  .strictObject({ ...teamFields, is_member: z.boolean().meta({ description: 'Whether you are in it' }) })
  .meta({ id: 'TeamWithMembership' });

export const newAgent = agent
  .extend({
    access_token: text
      .optional()
      .meta({ description: 'Told once, when the user is new or was in no account any more' }),
  })
  .meta({ id: 'NewAgent' });

export const members = z.strictObject({ payload: z.array(agent) });

export const label = z
  .strictObject({
    id,
    title: text,
    description: text,
    color: text,
    show_on_sidebar: z.boolean(),
  })
  .meta({ id: 'Label' });

export const cannedResponse = z
  .strictObject({
    id,
    account_id: id,
    short_code: text,
    content: text,
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'CannedResponse' });

export const survey = z
  .strictObject({
    id,
    csat_survey_response: z
      .strictObject({ rating: z.int().min(1).max(5).optional(), feedback_message: textOrNull.optional() })
      .nullable(),
    inbox_avatar_url: text,
    conversation_id: id,
    created_at: z.int().min(0),
  })
  .meta({ id: 'Survey' });

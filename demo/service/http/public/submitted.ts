/** Answers to interactive messages, and the day after which a survey takes none. */
import { z } from 'zod';
import { tellable } from '../../domain/attributes.js';
import { unprocessable } from '../../errors.js';
import type { MessageRow } from '../../store/rows.js';
import { limitedText } from '../fields.js';

/** An object or a list is no answer: it vanishes, as every other name does. */
const scalar = z.preprocess(
  (value) => (typeof value === 'object' && value !== null ? undefined : value),
  z.union([limitedText(5000), z.number(), z.boolean(), z.null()]).optional(),
);
const survey = z.object({
  rating: z.number().int().min(1).max(5).optional(),
  feedback_message: limitedText(5000).nullish(),
});

const answer = z.object({
  name: scalar.optional(),
  title: scalar.optional(),
  value: scalar.optional(),
  csat_survey_response: survey.optional(),
});
/** One, or one for each field of a form. */
export const submitted = tellable(
  z.union(
    [z.array(answer).max(200), answer],
    'must be an answer, such as {"value": "blue"}, or a list of them',
  ),
);
export const submittedSurvey = z.object({ csat_survey_response: survey });

const surveyDays = 14;
const dayMs = 86_400_000;

const dayOf = (ms: number) => Math.floor(ms / dayMs);

/** Days of the calendar, UTC; day 14 is still in time. */
export function refuseLate(message: MessageRow): void {
  const days = dayOf(Date.now()) - dayOf(message.created_at.getTime());
  if (message.content_type !== 'input_csat' || days <= surveyDays) return;
  const text = `You cannot update the CSAT survey after ${surveyDays} days`;
  throw unprocessable('submitted_values', text, 'too_late');
}

/** Answers to interactive messages, and the day after which a survey takes none. */
import { z } from 'zod';
import { unprocessable } from '../../errors.js';
import type { MessageRow } from '../../store/rows.js';
import { limitedText } from '../fields.js';

const scalar = z.union([limitedText(5000), z.number(), z.boolean(), z.null()]);
const survey = z.object({
  rating: z.number().int().min(1).max(5).optional(),
  feedback_message: limitedText(5000).nullish(),
});

export const submitted = z.object({
  name: scalar.optional(),
  title: scalar.optional(),
  value: scalar.optional(),
  csat_survey_response: survey.optional(),
});
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

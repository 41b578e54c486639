/**
 * What the account API tells of an account's own things, as far as this page uses it. Knows no route.
 * @see "Account API" in /docs
 */
import * as z from 'zod';
import { contactSchema } from './schemas.js';

const text = z.string().nullish().catch(undefined);
const words = z.string().catch('');
const flag = z.boolean().catch(false);

export const contactPageSchema = z.object({
  meta: z.object({ count: z.int(), current_page: z.coerce.number().int() }),
  payload: z.array(contactSchema),
});

export const agentSchema = z.object({
  id: z.int(),
  name: words,
  available_name: words,
  email: words,
  role: z.enum(['administrator', 'agent']).catch('agent'),
  availability_status: words,
  /** Told once, when the person is new. */
  access_token: z.string().optional(),
});
export type Agent = z.infer<typeof agentSchema>;

export const teamSchema = z.object({
  id: z.int(),
  name: z.string(),
  description: words,
  allow_auto_assign: flag,
});
export type Team = z.infer<typeof teamSchema>;

export const labelSchema = z.object({
  id: z.int(),
  title: z.string(),
  description: words,
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i)
    .catch('#1f93ff'),
});
export type Label = z.infer<typeof labelSchema>;

export const cannedSchema = z.object({ id: z.int(), short_code: z.string(), content: z.string() });
export type Canned = z.infer<typeof cannedSchema>;

const workingDaySchema = z.object({
  day_of_week: z.int().min(0).max(6),
  closed_all_day: z.boolean(),
  open_all_day: z.boolean(),
  open_hour: z.int().nullable(),
  open_minutes: z.int().nullable(),
  close_hour: z.int().nullable(),
  close_minutes: z.int().nullable(),
});
export type WorkingDay = z.infer<typeof workingDaySchema>;

export const inboxSchema = z.object({
  id: z.int(),
  name: z.string(),
  channel_type: words,
  inbox_identifier: words,
  greeting_enabled: flag,
  greeting_message: words,
  working_hours_enabled: flag,
  working_hours: z.array(workingDaySchema),
  out_of_office_message: words,
  timezone: words,
  csat_survey_enabled: flag,
  hmac_mandatory: flag,
  hmac_token: text,
  lock_to_single_conversation: flag,
});
export type Inbox = z.infer<typeof inboxSchema>;

export const attributeTypes = [
  'text',
  'number',
  'currency',
  'percent',
  'link',
  'date',
  'list',
  'checkbox',
] as const;

/** The specification says text, so the service writes the list as JSON. */
const listText = z
  .preprocess((value) => {
    try {
      return JSON.parse(String(value));
    } catch {
      return undefined;
    }
  }, z.array(z.string()))
  .catch([]);

export const definitionSchema = z.object({
  id: z.int(),
  attribute_display_name: z.string(),
  attribute_display_type: z.enum(attributeTypes),
  attribute_description: words,
  attribute_key: z.string(),
  attribute_values: listText,
  regex_pattern: text,
  regex_cue: text,
  default_value: text,
});
export type Definition = z.infer<typeof definitionSchema>;

const scalar = z.union([z.string(), z.number(), z.boolean()]);

const conditionSchema = z.object({
  attribute_key: z.string(),
  filter_operator: z.string(),
  values: z.array(scalar).catch([]),
  query_operator: z.enum(['and', 'or']).nullish().catch(null),
});
export type Condition = z.infer<typeof conditionSchema>;

const actionSchema = z.object({ action_name: z.string(), action_params: z.array(scalar).catch([]) });
export type Action = z.infer<typeof actionSchema>;

export const ruleSchema = z.object({
  id: z.int(),
  name: z.string(),
  description: words,
  event_name: z.string(),
  conditions: z.array(conditionSchema),
  actions: z.array(actionSchema),
  active: z.boolean(),
});
export type Rule = z.infer<typeof ruleSchema>;

export const webhookSchema = z.object({
  id: z.int(),
  url: z.string(),
  name: words,
  subscriptions: z.array(z.string()),
  /** Told once, when the webhook is made. */
  secret: text,
});
export type Webhook = z.infer<typeof webhookSchema>;

const deliverySchema = z.object({
  id: z.int(),
  delivery: z.string(),
  event: z.string(),
  state: z.enum(['waiting', 'delivered', 'dead']),
  attempts: z.int(),
  response_status: z.int().nullable(),
  error: text,
  next_attempt_at: text,
  created_at: text,
  finished_at: text,
});
export type Delivery = z.infer<typeof deliverySchema>;

const pageMeta = z.object({ count: z.int(), current_page: z.int(), total_pages: z.int() });
export const deliveryPageSchema = z.object({ meta: pageMeta, payload: z.array(deliverySchema) });

const reportingEventSchema = z.object({
  id: z.int(),
  name: z.string(),
  /** Seconds. */
  value: z.number(),
  value_in_business_hours: z.number(),
  conversation_id: z.int(),
  user_id: z.int().nullable(),
  event_end_time: z.string(),
});
export type ReportingEvent = z.infer<typeof reportingEventSchema>;
export const reportingPageSchema = z.object({ meta: pageMeta, payload: z.array(reportingEventSchema) });

const average = z.number().nullable();
export const teamSummarySchema = z.object({
  id: z.int(),
  conversations_count: z.int(),
  resolved_conversations_count: z.int(),
  avg_resolution_time: average,
  avg_first_response_time: average,
  avg_reply_time: average,
});
export type TeamSummary = z.infer<typeof teamSummarySchema>;

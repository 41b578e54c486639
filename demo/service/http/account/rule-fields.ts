/** What somebody may write into a rule. */
import { z } from 'zod';
import { ruleEvents } from '../../domain/rule-queue.js';
import { operators } from '../../domain/rules/rule.js';
import { priorities } from '../../store/rows.js';
import { limitedText, rowId, shortText, title, webAddress } from '../fields.js';

const valueless: readonly string[] = ['is_present', 'is_not_present', 'attribute_changed'];
const scalar = z.union([limitedText(1500), z.number(), z.boolean()]);

const condition = z
  .object({
    attribute_key: shortText.min(1, 'must not be empty'),
    filter_operator: z.enum(operators),
    values: z.array(scalar).max(100).default([]),
    query_operator: z
      .preprocess(
        (value) => (typeof value === 'string' ? value.toLowerCase() || null : value),
        z.enum(['and', 'or']).nullish(),
      )
      .transform((value) => value ?? null),
  })
  .refine(({ filter_operator: operator, values }) => values.length > 0 || valueless.includes(operator), {
    error: 'names no value',
    path: ['values'],
    params: { code: 'required' },
  });

const params = <Schema extends z.ZodType>(one: Schema) => z.array(one);
const noParams = z.array(z.unknown()).max(0, 'takes nothing').default([]);
const rowOrNil = z.union([
  rowId,
  z.literal('nil'),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
]);
const words = limitedText(150_000).refine((text) => text.trim() !== '', {
  error: 'must not be blank',
  params: { code: 'required' },
});

const action = z.discriminatedUnion('action_name', [
  z.object({ action_name: z.literal('add_label'), action_params: params(title).min(1, 'names no label') }),
  z.object({ action_name: z.literal('assign_team'), action_params: params(rowOrNil).length(1) }),
  z.object({ action_name: z.literal('assign_agent'), action_params: params(rowOrNil).length(1) }),
  z.object({ action_name: z.literal('send_message'), action_params: params(words).length(1) }),
  z.object({ action_name: z.literal('resolve_conversation'), action_params: noParams }),
  z.object({ action_name: z.enum(['snooze_conversation', 'snooze']), action_params: noParams }),
  z.object({ action_name: z.enum(['mute_conversation', 'mute']), action_params: noParams }),
  z.object({
    action_name: z.literal('change_priority'),
    action_params: params(z.enum([...priorities, 'nil'])).length(1),
  }),
  z.object({ action_name: z.literal('send_webhook_event'), action_params: params(webAddress).length(1) }),
]);

export const ruleFields = {
  name: title,
  description: limitedText(1000).default(''),
  event_name: z.enum(ruleEvents),
  conditions: z.array(condition).max(50),
  actions: z.array(action).min(1, 'does nothing').max(50),
  active: z.boolean().default(true),
};

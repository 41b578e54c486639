/** Answers of the account API about what happens by itself, and what was measured: webhooks, rules, reports. */
import { z } from 'zod';
import { count, id, idOrNull, instant, seconds, text, textOrNull } from './parts.js';

const webhookFields = {
  id,
  url: text,
  name: text,
  subscriptions: z.array(text),
  secret: textOrNull.meta({ description: 'Signs deliveries; told when the webhook is made or changed' }),
  account_id: id,
  inbox_id: idOrNull,
};

export const webhook = z.strictObject(webhookFields).meta({ id: 'Webhook' });
/** The specified webhook and the envelope that was observed, at once. */
export const answeredWebhook = z
  .strictObject({ ...webhookFields, payload: z.strictObject({ webhook }) })
  .meta({ id: 'AnsweredWebhook' });
export const webhookList = z.strictObject({ payload: z.strictObject({ webhooks: z.array(webhook) }) });

export const delivery = z
  .strictObject({
    id,
    delivery: z.uuid(),
    event: text,
    state: z.enum(['waiting', 'delivered', 'dead']),
    attempts: count,
    response_status: z.int().nullable(),
    error: textOrNull,
    next_attempt_at: instant.nullable(),
    created_at: instant.nullable(),
    finished_at: instant.nullable(),
  })
  .meta({ id: 'Delivery' });

const pageMeta = z.strictObject({ count, current_page: z.int().min(1), total_pages: count });
export const deliveryPage = z.strictObject({ meta: pageMeta, payload: z.array(delivery) });

export const automationRule = z
  .strictObject({
    id,
    account_id: id,
    name: text,
    description: text,
    event_name: text,
    conditions: z.array(
      z.strictObject({
        attribute_key: text,
        filter_operator: text,
        values: z.array(z.unknown()).optional(),
        query_operator: textOrNull.optional(),
      }),
    ),
    actions: z.array(z.strictObject({ action_name: text, action_params: z.array(z.unknown()).optional() })),
    created_on: seconds,
    active: z.boolean(),
  })
  .meta({ id: 'AutomationRule' });

const reportingEvent = z
  .strictObject({
    id,
    account_id: id,
    name: text,
    value: z.number(),
    value_in_business_hours: z.number(),
    conversation_id: id,
    inbox_id: idOrNull,
    user_id: idOrNull,
    event_start_time: instant,
    event_end_time: instant,
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'ReportingEvent' });
export const reportingPage = z.strictObject({ meta: pageMeta, payload: z.array(reportingEvent).max(25) });

const average = z.number().nullable().meta({ description: 'Seconds; null when there is nothing to tell' });
export const teamSummary = z
  .strictObject({
    id: id.meta({ description: 'The team' }),
    conversations_count: count,
    resolved_conversations_count: count,
    avg_resolution_time: average,
    avg_first_response_time: average,
    avg_reply_time: average,
  })
  .meta({ id: 'TeamSummary' });

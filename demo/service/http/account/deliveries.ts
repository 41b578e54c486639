/**
 * The log of what was sent, newest first: for a webhook and for a rule alike. What is dead can be tried again; it
 * keeps its delivery id, by which a receiver knows it from a new one.
 */
import { z } from 'zod';
import { isoOrNull } from '../../domain/shapes-shared.js';
import { notFound } from '../../errors.js';
import { first, one } from '../../store/database.js';
import { delivery as deliveryAnswer, deliveryPage } from '../answers/automation.js';
import { endpoint } from '../define-endpoint.js';
import { idOf, pageText } from '../fields.js';
import { accountPath, administratorOf, rowOf } from './scope.js';

interface DeliveryRow {
  id: number;
  uuid: string;
  event: string;
  state: 'waiting' | 'delivered' | 'dead';
  attempts: number;
  response_status: number | null;
  error: string | null;
  next_attempt_at: Date;
  created_at: Date;
  finished_at: Date | null;
}

const pageSize = 25;

const shape = (row: DeliveryRow) => ({
  id: row.id,
  delivery: row.uuid,
  event: row.event,
  state: row.state,
  attempts: row.attempts,
  response_status: row.response_status,
  error: row.error,
  next_attempt_at: row.state === 'waiting' ? isoOrNull(row.next_attempt_at) : null,
  created_at: isoOrNull(row.created_at),
  finished_at: isoOrNull(row.finished_at),
});

const senders = [
  { table: 'webhooks', name: 'webhook_id', column: 'webhook_id' },
  { table: 'automation_rules', name: 'automation_rule_id', column: 'automation_rule_id' },
] as const;

const listEndpoints = senders.map(({ table, name, column }) =>
  endpoint({
    methods: ['get'],
    path: `${accountPath}/${table}/:${name}/deliveries`,
    told: {
      name: table === 'webhooks' ? 'listWebhookDeliveries' : 'listRuleDeliveries',
      summary: 'What was sent, and how it went, newest first',
      result: { json: deliveryPage },
      refuses: [403],
    },
    query: z.object({ state: z.enum(['waiting', 'delivered', 'dead']).optional(), page: pageText }),
    async answer(call) {
      const agent = await administratorOf(call);
      const { id } = await rowOf<{ id: number }>(call, agent, table, name);
      const { state, page } = call.query();
      const where = `${column} = $1 and ($2::text is null or state = $2)`;
      const params = [id, state ?? null];
      const { count } = await one<{ count: number }>(
        call.core.db,
        `select count(*) as count from webhook_deliveries where ${where}`,
        params,
      );
      const rows = await call.core.db.query<DeliveryRow>(
        `select * from webhook_deliveries where ${where} order by id desc limit ${pageSize} offset $3`,
        [...params, (page - 1) * pageSize],
      );
      const meta = { count, current_page: page, total_pages: Math.ceil(count / pageSize) };
      return call.http.json({ meta, payload: rows.map(shape) });
    },
  }),
);

const retryEndpoints = senders.map(({ table, name, column }) =>
  endpoint({
    methods: ['post'],
    path: `${accountPath}/${table}/:${name}/deliveries/:delivery_id/retry`,
    told: {
      name: table === 'webhooks' ? 'retryWebhookDelivery' : 'retryRuleDelivery',
      summary: 'Tries a dead delivery again',
      result: { json: z.strictObject({ payload: deliveryAnswer }) },
      refuses: [403],
    },
    async answer(call) {
      const agent = await administratorOf(call);
      const sender = await rowOf<{ id: number }>(call, agent, table, name);
      const id = idOf(call.param('delivery_id'));
      const row =
        id === undefined
          ? undefined
          : await first<DeliveryRow>(
              call.core.db,
              `update webhook_deliveries set state = 'waiting', attempts = 0, queued_at = now(),
                 next_attempt_at = now(), finished_at = null, leased_until = null
               where ${column} = $1 and id = $2 and state = 'dead' returning *`,
              [sender.id, id],
            );
      if (!row) throw notFound('delivery_id', 'No such dead delivery');
      call.core.wake();
      return call.http.json({ payload: shape(row) });
    },
  }),
);

export const deliveryEndpoints = [...listEndpoints, ...retryEndpoints];

/** Where events are sent, for administrators alone. The secret is told to whoever makes one or changes it, in no list. */
import { z } from 'zod';
import { forgetAll, forgetUnasked } from '../../domain/forget-deliveries.js';
import { notFound } from '../../errors.js';
import { randomToken } from '../../secrets.js';
import { first, one, type Queries } from '../../store/database.js';
import { refuseTaken, taken } from '../../store/taken.js';
import { answeredWebhook, webhookList } from '../answers/automation.js';
import { endpoint } from '../define-endpoint.js';
import { limitedText, rowId, webAddress } from '../fields.js';
import { accountPath, administratorOf, rowOf, still } from './scope.js';

interface WebhookRow {
  id: number;
  account_id: number;
  inbox_id: number | null;
  url: string;
  name: string;
  subscriptions: string[];
  secret: string;
}

const kinds = [
  'conversation_created',
  'conversation_status_changed',
  'conversation_updated',
  'message_created',
  'message_updated',
  'contact_created',
  'contact_updated',
  'webwidget_triggered',
  'conversation_typing_on',
  'conversation_typing_off',
] as const;
const standard = kinds.filter((kind) => !kind.startsWith('conversation_typing'));

const webhooksPath = `${accountPath}/webhooks`;
const webhookPath = `${webhooksPath}/:webhook_id`;

const subscriptions = z
  .array(z.enum(kinds))
  .min(1, 'names no event')
  .transform((names) => [...new Set(names)])
  .nullish();
const wrapped = z.looseObject({ webhook: z.looseObject({}) });
/** The fields may come under `webhook`; those beside it go first. */
const lifted = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => {
    const { data } = wrapped.safeParse(value);
    return data ? { ...data.webhook, ...data } : value;
  }, schema);
const fields = { name: limitedText(255).optional(), subscriptions, inbox_id: rowId.nullish() };

const shape = (row: WebhookRow, secret: string | null = null) => ({
  id: row.id,
  url: row.url,
  name: row.name,
  subscriptions: row.subscriptions,
  secret,
  account_id: row.account_id,
  inbox_id: row.inbox_id,
});

/** Both answers at once: the specified webhook, and the envelope that was observed. */
const answered = (webhook: ReturnType<typeof shape>) => ({ ...webhook, payload: { webhook } });

async function ownInbox(
  call: { core: { db: Parameters<typeof first>[0] } },
  accountId: number,
  id: number | null | undefined,
): Promise<void> {
  if (id === null || id === undefined) return;
  const sql = 'select id from inboxes where account_id = $1 and id = $2';
  if (!(await first(call.core.db, sql, [accountId, id]))) throw notFound('inbox_id');
}

/** While nothing has been changed; two at once are left to the index. */
async function refuseOthers(db: Queries, accountId: number, id: number, url: string): Promise<void> {
  const sql = 'select 1 from webhooks where account_id = $1 and url = $2 and id <> $3';
  if (await first(db, sql, [accountId, url, id])) throw taken('url');
}

export const webhookEndpoints = [
  endpoint({
    methods: ['get'],
    path: webhooksPath,
    told: {
      name: 'listWebhooks',
      summary: 'Where events are sent',
      result: { json: webhookList },
      refuses: [403],
    },
    async answer(call) {
      const agent = await administratorOf(call);
      const rows = await call.core.db.query<WebhookRow>(
        'select * from webhooks where account_id = $1 order by id',
        [agent.account_id],
      );
      return call.http.json({ payload: { webhooks: rows.map((row) => shape(row)) } });
    },
  }),
  endpoint({
    methods: ['post'],
    path: webhooksPath,
    told: {
      name: 'createWebhook',
      summary: 'Sends events somewhere',
      about:
        'The fields may come under webhook, too. The secret that signs the deliveries is told in this answer and in that of a change. A delivery is a POST of JSON with X-Service-Delivery, which is the same each time it is tried, X-Service-Timestamp in seconds, and X-Service-Signature: sha256= and the HMAC-SHA256 of the timestamp, a dot and the body, in hexadecimal digits. Any 2xx takes it. Without an answer within five seconds, and after 408, 425, 429 or 5xx, it is tried again, ten times in about an hour; after anything else, or when it has waited for seven days, it is given up.',
      result: { json: answeredWebhook },
      refuses: [403],
    },
    body: lifted(z.object({ url: webAddress, ...fields })),
    async answer(call) {
      const agent = await administratorOf(call);
      const given = await call.body();
      await ownInbox(call, agent.account_id, given.inbox_id);
      const secret = randomToken(32);
      const row = await refuseTaken('url', () =>
        one<WebhookRow>(
          call.core.db,
          `insert into webhooks (account_id, inbox_id, url, name, subscriptions, secret)
           values ($1, $2, $3, $4, $5::jsonb, $6) returning *`,
          [
            agent.account_id,
            given.inbox_id ?? null,
            given.url,
            given.name ?? '',
            JSON.stringify(given.subscriptions ?? standard),
            secret,
          ],
        ),
      );
      return call.http.json(answered(shape(row, secret)));
    },
  }),
  endpoint({
    methods: ['patch', 'put'],
    path: webhookPath,
    told: {
      name: 'changeWebhook',
      summary: 'Changes a webhook',
      about:
        'The fields may come under webhook, too. What waits to be sent and is subscribed to no more, or is of another inbox than the one asked for now, is not sent.',
      result: { json: answeredWebhook },
      refuses: [403],
    },
    body: lifted(z.object({ url: webAddress.optional(), ...fields })),
    async answer(call) {
      const agent = await administratorOf(call);
      const { id } = await rowOf<WebhookRow>(call, agent, 'webhooks', 'webhook_id');
      const given = await call.body();
      await ownInbox(call, agent.account_id, given.inbox_id);
      const change = (url: string | undefined) => (tx: Queries) =>
        first<WebhookRow>(
          tx,
          `update webhooks set url = coalesce($2, url), name = coalesce($3, name),
             subscriptions = coalesce($4::jsonb, subscriptions),
             inbox_id = case when $6 then $5::bigint else inbox_id end, updated_at = now()
           where id = $1 returning *`,
          [
            id,
            url ?? null,
            given.name ?? null,
            given.subscriptions ? JSON.stringify(given.subscriptions) : null,
            given.inbox_id ?? null,
            given.inbox_id !== undefined,
          ],
        );
      const { db } = call.core;
      if (given.subscriptions || given.inbox_id) {
        if (given.url) await refuseOthers(db, agent.account_id, id, given.url);
        await still('webhook_id', db.transaction(change(undefined)));
        await forgetUnasked(call.core, id);
      }
      // Last: whoever is at the new address hears nothing of what is asked for no more.
      const row = await still(
        'webhook_id',
        refuseTaken('url', () => db.transaction(change(given.url))),
      );
      return call.http.json(answered(shape(row, row.secret)));
    },
  }),
  endpoint({
    methods: ['delete'],
    path: webhookPath,
    told: {
      name: 'deleteWebhook',
      summary: 'Deletes a webhook',
      result: { empty: true },
      refuses: [403],
    },
    async answer(call) {
      const agent = await administratorOf(call);
      const { id } = await rowOf<WebhookRow>(call, agent, 'webhooks', 'webhook_id');
      // Until it is gone it is told nothing more. Should the process die meanwhile, that is how it stays: a webhook
      // without events, which can be deleted again.
      await call.core.db.query(`update webhooks set subscriptions = '[]', updated_at = now() where id = $1`, [
        id,
      ]);
      await forgetUnasked(call.core, id);
      await forgetAll(call.core, id);
      await call.core.db.query('delete from webhooks where id = $1', [id]);
      return call.http.body(null, 200);
    },
  }),
];

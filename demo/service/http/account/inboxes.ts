/**
 * The inboxes an agent may see, and what administrators tell them: greeting, working hours, survey, identity.
 * Only an administrator sees the key for identity validation.
 */
import { z } from 'zod';
import { createInbox } from '../../domain/accounts.js';
import { isTimezone } from '../../domain/business-hours.js';
import { accountInbox } from '../../domain/shapes-account.js';
import { randomToken } from '../../secrets.js';
import { one, type Queries } from '../../store/database.js';
import type { InboxRow } from '../../store/rows.js';
import { inbox as shape } from '../answers/account.js';
import { endpoint } from '../define-endpoint.js';
import { flag, idOf, limitedText, title } from '../fields.js';
import {
  accountPath,
  administratorOf,
  agentOf,
  inboxOf,
  rowOf,
  visibleInboxes,
  visibleParams,
} from './scope.js';

const inboxesPath = `${accountPath}/inboxes`;
const inboxPath = `${inboxesPath}/:inbox_id`;
const hour = z.number().int().min(0).max(23).nullish();
const minutes = z.number().int().min(0).max(59).nullish();

const day = z
  .object({
    day_of_week: z.number().int().min(0).max(6),
    closed_all_day: flag.default(false),
    open_all_day: flag.default(false),
    open_hour: hour,
    open_minutes: minutes,
    close_hour: hour,
    close_minutes: minutes,
  })
  .superRefine((entry, context) => {
    if (entry.closed_all_day || entry.open_all_day) return;
    const issue = (field: string, message: string, code: string) =>
      context.addIssue({ code: 'custom', path: [field], message, params: { code } });
    for (const field of ['open_hour', 'close_hour'] as const) {
      if (typeof entry[field] !== 'number') return issue(field, 'is needed on an open day', 'required');
    }
    const at = (h?: number | null, m?: number | null) => (h ?? 0) * 60 + (m ?? 0);
    if (at(entry.open_hour, entry.open_minutes) >= at(entry.close_hour, entry.close_minutes)) {
      issue('close_hour', 'must be after the opening', 'invalid_value');
    }
  })
  .transform((entry) => {
    const open = !entry.closed_all_day && !entry.open_all_day;
    return {
      day_of_week: entry.day_of_week,
      closed_all_day: entry.closed_all_day,
      open_hour: open ? (entry.open_hour ?? null) : null,
      open_minutes: open ? (entry.open_minutes ?? 0) : null,
      close_hour: open ? (entry.close_hour ?? null) : null,
      close_minutes: open ? (entry.close_minutes ?? 0) : null,
      open_all_day: entry.open_all_day,
    };
  });

/** Whoever names one here would else wait for events that never come. */
const noWebhook = z
  .string()
  .refine((text) => text === '', 'is not taken here: make a webhook with the inbox_id of this inbox')
  .meta({ maxLength: 0 })
  .nullish();

/** Where the reference has what is not of every kind of inbox. */
const channel = z.object({ webhook_url: noWebhook, hmac_mandatory: flag.optional() });

const settings = z.object({
  webhook_url: noWebhook,
  channel: channel.optional(),
  name: title.optional(),
  greeting_enabled: flag.optional(),
  greeting_message: limitedText(5000).optional(),
  working_hours_enabled: flag.optional(),
  working_hours: z.array(day).max(7).optional(),
  out_of_office_message: limitedText(5000).optional(),
  timezone: z.string().refine(isTimezone, { error: 'is not a time zone such as Europe/Paris' }).optional(),
  csat_survey_enabled: flag.optional(),
  hmac_mandatory: flag.optional(),
  lock_to_single_conversation: flag.optional(),
  allow_messages_after_resolved: flag.optional(),
  enable_auto_assignment: flag.optional(),
});
type Settings = z.infer<typeof settings>;

/** What is not named stays; working hours are replaced day by day. */
async function change(tx: Queries, id: number, to: Settings): Promise<InboxRow> {
  const before = await one<InboxRow>(tx, 'select * from inboxes where id = $1 for update', [id]);
  const days = new Map(before.working_hours.map((entry) => [entry.day_of_week, entry]));
  for (const entry of to.working_hours ?? []) days.set(entry.day_of_week, entry);
  const after = { ...before, ...to.channel, ...to };
  return one<InboxRow>(
    tx,
    `update inboxes set name = $2, greeting_enabled = $3, greeting_message = $4, working_hours_enabled = $5,
       working_hours = $6::jsonb, out_of_office_message = $7, timezone = $8, csat_survey_enabled = $9,
       hmac_mandatory = $10, lock_to_single_conversation = $11, allow_messages_after_resolved = $12,
       enable_auto_assignment = $13 where id = $1 returning *`,
    [
      id,
      after.name,
      after.greeting_enabled,
      after.greeting_message,
      after.working_hours_enabled,
      JSON.stringify([...days.values()].sort((a, b) => a.day_of_week - b.day_of_week)),
      after.out_of_office_message,
      after.timezone,
      after.csat_survey_enabled,
      after.hmac_mandatory,
      after.lock_to_single_conversation,
      after.allow_messages_after_resolved,
      after.enable_auto_assignment,
    ],
  );
}

export const inboxEndpoints = [
  endpoint({
    methods: ['get'],
    path: inboxesPath,
    told: {
      name: 'listInboxes',
      summary: 'The inboxes an agent may see, by name',
      result: { json: z.strictObject({ payload: z.array(shape) }) },
    },
    async answer(call) {
      const agent = await agentOf(call);
      const inboxes = await call.core.db.query<InboxRow>(
        `select * from inboxes where ${visibleInboxes} order by name, id`,
        visibleParams(agent),
      );
      return call.http.json({ payload: inboxes.map((inbox) => accountInbox(inbox, agent.role)) });
    },
  }),
  endpoint({
    methods: ['post'],
    path: inboxesPath,
    told: {
      name: 'createInbox',
      summary: 'Makes an inbox of the API kind',
      result: { json: shape },
      refuses: [403],
    },
    body: settings.extend({
      name: title,
      channel: channel.extend({ type: z.literal('api') }),
    }),
    async answer(call) {
      const agent = await administratorOf(call);
      const to = await call.body();
      const inbox = await call.core.db.transaction(async (tx) => {
        const named = { identifier: randomToken(), name: to.name };
        const id = await createInbox(tx, agent.account_id, named);
        await tx.query('insert into inbox_members (inbox_id, user_id) values ($1, $2)', [id, agent.id]);
        return change(tx, id, to);
      });
      return call.http.json(accountInbox(inbox, agent.role));
    },
  }),
  endpoint({
    methods: ['get'],
    path: inboxPath,
    told: {
      name: 'showInbox',
      summary: 'One inbox',
      result: { json: shape },
    },
    async answer(call) {
      const agent = await agentOf(call);
      const inbox = await inboxOf(call, agent, idOf(call.param('inbox_id')));
      return call.http.json(accountInbox(inbox, agent.role));
    },
  }),
  endpoint({
    methods: ['patch', 'put'],
    path: inboxPath,
    told: {
      name: 'changeInbox',
      summary: 'Changes the settings of an inbox',
      about: 'What is not named stays; working hours are replaced day by day.',
      result: { json: shape },
      refuses: [403],
    },
    body: settings,
    async answer(call) {
      const agent = await administratorOf(call);
      const { id } = await rowOf<InboxRow>(call, agent, 'inboxes', 'inbox_id');
      const to = await call.body();
      const inbox = await call.core.db.transaction((tx) => change(tx, id, to));
      return call.http.json(accountInbox(inbox, agent.role));
    },
  }),
];

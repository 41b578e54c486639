/** What was measured: the events one by one, and each team's averages. */
import { z } from 'zod';
import { iso } from '../../domain/shapes-shared.js';
import { forbidden } from '../../errors.js';
import { one } from '../../store/database.js';
import { reportingPage, teamSummary } from '../answers/automation.js';
import { endpoint } from '../define-endpoint.js';
import { name as eventName, flag, idText, pageText } from '../fields.js';
import { accountPath, administratorOf } from './scope.js';

interface ReportingRow {
  id: number;
  account_id: number;
  name: string;
  value: number;
  value_in_business_hours: number;
  conversation_id: number;
  inbox_id: number;
  user_id: number | null;
  event_start_time: Date;
  event_end_time: Date;
  created_at: Date;
  updated_at: Date;
}

interface TeamSummary {
  id: number;
  conversations_count: number;
  resolved_conversations_count: number;
  avg_resolution_time: number | null;
  avg_first_response_time: number | null;
  avg_reply_time: number | null;
}

const pageSize = 25;
/** Unix seconds as text. */
const instantText = z
  .string()
  .regex(/^\d{1,11}$/, 'is not a Unix timestamp in seconds')
  .transform(Number);
const range = { since: instantText.optional(), until: instantText.optional() };

/** Both ends belong to the range; `until` names a whole second. */
const within = (column: string, since: number, until: number) =>
  `($${since}::float8 is null or ${column} >= to_timestamp($${since}))
   and ($${until}::float8 is null or ${column} < to_timestamp($${until} + 1))`;

const matching = `r.account_id = $1 and ${within('r.created_at', 2, 3)}
  and ($4::bigint is null or r.inbox_id = $4) and ($5::bigint is null or r.user_id = $5)
  and ($6::text is null or r.name = $6)`;

const summarySql = `
  select t.id,
    (select count(*) from conversations c where c.account_id = $1 and c.team_id = t.id and ${within('c.created_at', 2, 3)})
      as conversations_count,
    count(distinct r.conversation_id) filter (where r.name = 'resolution') as resolved_conversations_count,
    avg(r.seconds) filter (where r.name = 'resolution') as avg_resolution_time,
    avg(r.seconds) filter (where r.name = 'first_response') as avg_first_response_time,
    avg(r.seconds) filter (where r.name = 'reply_time') as avg_reply_time
  from teams t
  left join (
    select e.*, c.team_id, case when $4::boolean then e.value_in_business_hours else e.value end as seconds
    from reporting_events e join conversations c on c.id = e.conversation_id
    where e.account_id = $1 and ${within('e.created_at', 2, 3)}) r on r.team_id = t.id
  where t.account_id = $1 group by t.id order by t.id`;

export const reportEndpoints = [
  endpoint({
    methods: ['get'],
    path: `${accountPath}/reporting_events`,
    told: {
      name: 'listReportingEvents',
      summary: 'What was measured, newest first, 25 a page',
      result: { json: reportingPage },
      refuses: [403],
    },
    query: z.object({
      ...range,
      page: pageText,
      inbox_id: idText.optional(),
      user_id: idText.optional(),
      name: eventName,
    }),
    async answer(call) {
      const agent = await administratorOf(call);
      const { since, until, page, inbox_id: inboxId, user_id: userId, name } = call.query();
      const params = [
        agent.account_id,
        since ?? null,
        until ?? null,
        inboxId ?? null,
        userId ?? null,
        name ?? null,
      ];
      const { count } = await one<{ count: number }>(
        call.core.db,
        `select count(*) as count from reporting_events r where ${matching}`,
        params,
      );
      const rows = await call.core.db.query<ReportingRow>(
        `select r.id, r.account_id, r.name, r.value, r.value_in_business_hours, c.display_id as conversation_id,
           r.inbox_id, r.user_id, r.event_start_time, r.event_end_time, r.created_at, r.updated_at
         from reporting_events r join conversations c on c.id = r.conversation_id
         where ${matching} order by r.created_at desc, r.id desc limit ${pageSize} offset $7`,
        [...params, (page - 1) * pageSize],
      );
      const meta = { count, current_page: page, total_pages: Math.ceil(count / pageSize) };
      const payload = rows.map((row) => ({
        ...row,
        event_start_time: iso(row.event_start_time),
        event_end_time: iso(row.event_end_time),
        created_at: iso(row.created_at),
        updated_at: iso(row.updated_at),
      }));
      return call.http.json({ meta, payload });
    },
  }),
  endpoint({
    methods: ['get'],
    path: '/api/v2/accounts/:account_id/summary_reports/team',
    told: {
      name: 'summarizeTeams',
      summary: 'How the teams do',
      about: 'With business_hours the times count open hours alone.',
      result: { json: z.array(teamSummary) },
      refuses: [403],
    },
    query: z.object({ ...range, business_hours: flag.default(false) }),
    async answer(call) {
      // All others answer 404 to who does not belong to it.
      const outside = () => forbidden('account_id', 'Only who belongs to the account may do this');
      const agent = await administratorOf(call, outside);
      const { since, until, business_hours: inHours } = call.query();
      const rows = await call.core.db.query<TeamSummary>(summarySql, [
        agent.account_id,
        since ?? null,
        until ?? null,
        inHours,
      ]);
      return call.http.json(rows);
    },
  }),
];

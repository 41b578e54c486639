/** Reports: what was measured, by day, by team, and one by one. Administrators alone see it. */

import { useMemo, useState } from 'preact/hooks';
import { ok } from '../../errors.js';
import { byDay, lastDays, type Measure, meanOf, measures, span, spanSteps } from '../../model/report.js';
import type { Desk } from '../../state/desk.js';
import type { ReportingEvent, TeamSummary } from '../../wire/admin.js';
import { Select, Switch } from '../kit/fields.js';
import { Card, Empty, PageFrame, Problem } from '../kit/page.js';
import { Table } from '../kit/table.js';
import { useAnswer } from '../kit/use-answer.js';
import { fullTime } from '../times.js';
import { useShelf } from '../use-shelf.js';
import { Chart } from './chart.js';

const ranges = [
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
  ['90', 'Last 90 days'],
] as const;
const none: readonly ReportingEvent[] = [];
const PAGES = 40;
const AT_ONCE = 5;

/** Newest first; at most PAGES pages of them, and how many there are. */
async function readEvents(desk: Desk, query: Record<string, string | number | undefined>) {
  const first = await desk.api.reportingEvents({ ...query, page: 1 });
  if (!first.ok) return first;
  const events = [...first.value.payload];
  const last = Math.min(PAGES, first.value.meta.total_pages);
  for (let page = 2; page <= last; page += AT_ONCE) {
    const wanted = Array.from({ length: Math.min(AT_ONCE, last - page + 1) }, (_, index) => page + index);
    const answers = await Promise.all(
      wanted.map((number) => desk.api.reportingEvents({ ...query, page: number })),
    );
    for (const answer of answers) {
      if (!answer.ok) return answer;
      events.push(...answer.value.payload);
    }
  }
  return ok({ events, count: first.value.meta.count });
}

export function ReportsPage({ desk }: { desk: Desk }) {
  const [range, setRange] = useState('30');
  const [inboxId, setInboxId] = useState('');
  const [agentId, setAgentId] = useState('');
  const [inHours, setInHours] = useState(false);
  const inboxes = useShelf(desk.shelves.inboxes) ?? [];
  const agents = useShelf(desk.shelves.agents) ?? [];
  const days = useMemo(() => lastDays(Number(range), Date.now()), [range]);
  const since = days[0] ?? 0;
  const until = (days.at(-1) ?? 0) + 86_400;

  const found = useAnswer(`${range}|${inboxId}|${agentId}`, () =>
    readEvents(desk, { since, until, inbox_id: inboxId, user_id: agentId }),
  );
  const teams = useAnswer(`${range}|${inHours}`, () =>
    desk.api.teamSummaries({ since, until, business_hours: String(inHours) }),
  );
  const events = found.value?.events ?? none;
  const byDays = useMemo(() => byDay(events, days, inHours), [events, days, inHours]);
  const amounts = useMemo(
    () => measures.map(([name]) => ({ label: counted[name], values: byDays.map((day) => day.counts[name]) })),
    [byDays],
  );
  const times = useMemo(
    () => measures.map(([name, label]) => ({ label, values: byDays.map((day) => day.averages[name]) })),
    [byDays],
  );
  const left = (found.value?.count ?? 0) - events.length;

  return (
    <main class="page">
      <PageFrame title="Reports" lead="How quickly visitors are answered, and how much is going on.">
        <div class="toolbar">
          <Select label="Time" choices={ranges} value={range} onChange={setRange} />
          <Select
            label="Inbox"
            choices={[['', 'All'], ...inboxes.map(({ id, name }) => [String(id), name] as const)]}
            value={inboxId}
            onChange={setInboxId}
          />
          <Select
            label="Agent"
            choices={[['', 'All'], ...agents.map(({ id, name }) => [String(id), name] as const)]}
            value={agentId}
            onChange={setAgentId}
          />
          <Switch label="Working hours only" value={inHours} onChange={setInHours} />
        </div>
        {found.problem && <Problem text={found.problem} onRetry={found.reload} />}
        {teams.problem && <Problem text={teams.problem} onRetry={teams.reload} />}
        <dl class="figures">
          {measures.map(([name, label]) => (
            <div key={name}>
              <dt>{name === 'resolution' ? 'Time to resolution' : `Time to ${label.toLowerCase()}`}</dt>
              <dd>{span(meanOf(events, name, inHours))}</dd>
            </div>
          ))}
          <div>
            <dt>Resolved</dt>
            <dd>{found.value ? events.filter((event) => event.name === 'resolution').length : '–'}</dd>
          </div>
        </dl>
        {left > 0 && (
          <p class="hint">
            Drawn from the newest {events.length} of {found.value?.count} measurements.
          </p>
        )}
        <div class="charts">
          <Card title="How much">
            <Chart label="Measurements a day" kind="bars" days={days} lines={amounts} show={plain} />
          </Card>
          <Card title="How quickly">
            <Chart
              label="Average times a day"
              kind="lines"
              days={days}
              lines={times}
              show={span}
              steps={spanSteps}
            />
          </Card>
        </div>
        <Teams desk={desk} rows={teams.value} />
        <Recent events={found.value?.events} agents={agents} inHours={inHours} />
      </PageFrame>
    </main>
  );
}

const plain = (value: number | null) => (value === null ? '–' : String(value));

const counted: Record<Measure, string> = {
  first_response: 'First responses',
  reply_time: 'Replies',
  resolution: 'Resolutions',
};

/** @param rows nothing as long as they are not known */
function Teams({ desk, rows }: { desk: Desk; rows: readonly TeamSummary[] | undefined }) {
  const teams = useShelf(desk.shelves.teams) ?? [];
  return (
    <Card title="Teams">
      {rows?.length === 0 && (
        <Empty title="No team yet">
          <a href="#/settings/teams">Make one</a> to compare them.
        </Empty>
      )}
      {!!rows?.length && (
        <Table
          label="Teams"
          look="numbers"
          columns={['Team', 'Conversations', 'Resolved', 'First response', 'Reply', 'Resolution']}
        >
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <bdi>{teams.find(({ id }) => id === row.id)?.name ?? `Team ${row.id}`}</bdi>
              </th>
              <td>{row.conversations_count}</td>
              <td>{row.resolved_conversations_count}</td>
              <td>{span(row.avg_first_response_time)}</td>
              <td>{span(row.avg_reply_time)}</td>
              <td>{span(row.avg_resolution_time)}</td>
            </tr>
          ))}
        </Table>
      )}
    </Card>
  );
}

interface RecentProps {
  /** Nothing as long as they are not known. */
  events: readonly ReportingEvent[] | undefined;
  agents: readonly { id: number; name: string }[];
  inHours: boolean;
}

function Recent({ events, agents, inHours }: RecentProps) {
  const names = new Map<string, string>(measures);
  return (
    <Card title="Lately">
      {events?.length === 0 && <Empty title="Nothing was measured">Answer a visitor, and it will be.</Empty>}
      {!!events?.length && (
        <Table label="Measurements" columns={['What', 'Took', 'Conversation', 'Agent', 'When']}>
          {events.slice(0, 15).map((event) => (
            <tr key={event.id}>
              <th scope="row">{names.get(event.name) ?? event.name}</th>
              <td>{span(inHours ? event.value_in_business_hours : event.value)}</td>
              <td>
                <a href={`#/${event.conversation_id}`}>#{event.conversation_id}</a>
              </td>
              <td>
                <bdi>{agents.find(({ id }) => id === event.user_id)?.name ?? '–'}</bdi>
              </td>
              <td>{fullTime(Date.parse(event.event_end_time))}</td>
            </tr>
          ))}
        </Table>
      )}
    </Card>
  );
}

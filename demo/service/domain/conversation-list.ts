/** The agents' list of conversations: its filters, counts, pages of 25, newest activity first or another order. */
import { one, type Queries } from '../store/database.js';
import type { AgentRow, ConversationRow, ConversationStatus, MessageRow } from '../store/rows.js';
import { type ConversationView, viewConversations } from './conversations-view.js';
import { type MessageView, viewMessages } from './messages-view.js';

const pageSize = 25;
/** For who asks for all that was changed lately, which comes in no pages. */
const mostAtOnce = 1000;

export interface ListFilter {
  status: ConversationStatus | 'all';
  q?: string | undefined;
  inboxId?: number | undefined;
  teamId?: number | undefined;
  /** Any of them. */
  labels?: readonly string[] | undefined;
  /** The key of a contact in one inbox. */
  sourceId?: string | undefined;
  /** Nobody has replied yet, or not to what was said last. */
  unattended?: boolean | undefined;
  /** Changed at most so many seconds ago; turns paging off. */
  updatedWithin?: number | undefined;
}

export type AssigneeType = 'me' | 'unassigned' | 'assigned' | 'all';

export interface Counts {
  mine_count: number;
  unassigned_count: number;
  assigned_count: number;
  all_count: number;
}

/** `%` and `_` in a search are themselves. */
export const likePattern = (text: string) => `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;

/** @param pattern the number of its parameter */
const hasWords = (pattern: string) => `m.message_type in (0, 1) and m.content ilike ${pattern}`;

/** As text for one question each: a plan for all of them at once would be one for none of them. */
class Where {
  readonly params: unknown[] = [];
  private readonly conditions: string[] = [];

  param(value: unknown): string {
    this.params.push(value);
    return `$${this.params.length}`;
  }

  and(condition: string): this {
    this.conditions.push(condition);
    return this;
  }

  get text(): string {
    return this.conditions.join(' and ');
  }
}

type Reader = Pick<AgentRow, 'account_id' | 'id' | 'role'>;

function matching(agent: Reader, filter: ListFilter): Where {
  const { status, q, inboxId, teamId, labels, sourceId, unattended, updatedWithin } = filter;
  const where = new Where();
  where.and(`c.account_id = ${where.param(agent.account_id)}`);
  if (agent.role !== 'administrator') {
    where.and(`c.inbox_id in (select inbox_id from inbox_members where user_id = ${where.param(agent.id)})`);
  }
  if (q) {
    const has = hasWords(where.param(likePattern(q)));
    where.and(`exists (select 1 from messages m where m.conversation_id = c.id and ${has})`);
  }
  if (status !== 'all') where.and(`c.status = ${where.param(status)}`);
  if (inboxId !== undefined) where.and(`c.inbox_id = ${where.param(inboxId)}`);
  if (teamId !== undefined) where.and(`c.team_id = ${where.param(teamId)}`);
  if (labels?.length) where.and(`c.labels ?| ${where.param(labels)}::text[]`);
  if (sourceId !== undefined) {
    // By inbox and key together, as the index has them.
    where.and(`c.contact_inbox_id in (select p.id from inboxes i join contact_inboxes p on p.inbox_id = i.id
      where i.account_id = ${where.param(agent.account_id)} and p.source_id = ${where.param(sourceId)})`);
  }
  if (unattended) where.and('(c.first_reply_created_at is null or c.waiting_since is not null)');
  if (updatedWithin !== undefined)
    where.and(`c.updated_at > now() - make_interval(secs => ${where.param(updatedWithin)})`);
  return where;
}

const urgency = `case c.priority when 'urgent' then 4 when 'high' then 3 when 'medium' then 2 when 'low' then 1 else 0 end`;

/** The words of the reference; the last four are its old ones. */
const orders = {
  last_activity_at_desc: 'c.last_activity_at desc, c.id desc',
  last_activity_at_asc: 'c.last_activity_at, c.id',
  created_at_desc: 'c.created_at desc, c.id desc',
  created_at_asc: 'c.created_at, c.id',
  priority_desc: `${urgency} desc, c.last_activity_at desc, c.id desc`,
  priority_asc: `${urgency}, c.last_activity_at desc, c.id desc`,
  waiting_since_desc: 'c.waiting_since desc nulls last, c.id desc',
  waiting_since_asc: 'c.waiting_since nulls last, c.id',
  priority_desc_created_at_asc: `${urgency} desc, c.created_at, c.id`,
  latest: 'c.last_activity_at desc, c.id desc',
  sort_on_created_at: 'c.created_at, c.id',
  sort_on_priority: `${urgency} desc, c.last_activity_at desc, c.id desc`,
  sort_on_waiting_since: 'c.waiting_since nulls last, c.id',
} as const;
export type ConversationSort = keyof typeof orders;
export const conversationSorts = [
  'last_activity_at_desc',
  'last_activity_at_asc',
  'created_at_desc',
  'created_at_asc',
  'priority_desc',
  'priority_asc',
  'waiting_since_desc',
  'waiting_since_asc',
  'priority_desc_created_at_asc',
  'latest',
  'sort_on_created_at',
  'sort_on_priority',
  'sort_on_waiting_since',
] as const satisfies readonly ConversationSort[];

/** States, inboxes and assignees are kept as numbers by the database itself; everything else is counted. */
export function countConversations(db: Queries, agent: AgentRow, filter: ListFilter): Promise<Counts> {
  const where = matching(agent, filter);
  const mine = where.param(agent.id);
  const { q, teamId, labels, sourceId, unattended, updatedWithin } = filter;
  const byRow =
    q || labels?.length || unattended || [teamId, sourceId, updatedWithin].some((one) => one !== undefined);
  const [rows, number] = byRow ? ['conversations', '1'] : ['conversation_counts', 'number'];
  const sum = (when: string) => `coalesce(sum(${number}) filter (where ${when}), 0)::bigint`;
  return one<Counts>(
    db,
    `select ${sum(`c.assignee_id = ${mine}`)} as mine_count, ${sum('c.assignee_id is null')} as unassigned_count,
       ${sum('c.assignee_id is not null')} as assigned_count, coalesce(sum(${number}), 0)::bigint as all_count
     from ${rows} c where ${where.text}`,
    where.params,
  );
}

/** The rows of one page. */
export function listStatement(
  agent: Reader,
  filter: ListFilter,
  assigneeType: AssigneeType,
  page: number,
  sort: ConversationSort = 'last_activity_at_desc',
): { text: string; params: readonly unknown[] } {
  const where = matching(agent, filter);
  if (assigneeType === 'me') where.and(`c.assignee_id = ${where.param(agent.id)}`);
  if (assigneeType === 'unassigned') where.and('c.assignee_id is null');
  if (assigneeType === 'assigned') where.and('c.assignee_id is not null');
  const [size, offset] =
    filter.updatedWithin === undefined ? [pageSize, (page - 1) * pageSize] : [mostAtOnce, 0];
  const text = `select c.* from conversations c where ${where.text}
    order by ${orders[sort]} limit ${size} offset ${where.param(offset)}`;
  return { text, params: where.params };
}

export interface ListedView extends ConversationView {
  /** The newest message with the words that were searched for. */
  found?: MessageView | undefined;
}

/** @returns by conversation */
async function foundIn(
  db: Queries,
  views: readonly ConversationView[],
  q: string,
): Promise<Map<number, MessageView>> {
  const rows = await db.query<MessageRow>(
    `select f.* from unnest($1::bigint[]) as c (id) cross join lateral
       (select * from messages m where m.conversation_id = c.id and ${hasWords('$2')} order by m.id desc limit 1) as f`,
    [views.map(({ conversation }) => conversation.id), likePattern(q)],
  );
  const displayIds = new Map(views.map(({ conversation }) => [conversation.id, conversation.display_id]));
  const found = await viewMessages(db, rows, displayIds);
  return new Map(found.map((view) => [view.message.conversation_id, view]));
}

export async function listConversations(
  db: Queries,
  ...asked: Parameters<typeof listStatement>
): Promise<ListedView[]> {
  const { text, params } = listStatement(...asked);
  const views = await viewConversations(db, await db.query<ConversationRow>(text, params));
  const [, { q }] = asked;
  if (!q || views.length === 0) return views;
  const found = await foundIn(db, views, q);
  return views.map((view) => ({ ...view, found: found.get(view.conversation.id) }));
}

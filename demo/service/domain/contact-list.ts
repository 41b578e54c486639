/**
 * The agents' contacts: those somebody could be told by (identifier, e-mail or phone), 15 a page, eight orders; and a
 * search through all of them.
 */
import { one, type Queries } from '../store/database.js';
import type { AgentRow, ContactRow, InboxRow, Json, PairRow } from '../store/rows.js';
import { likePattern } from './conversation-list.js';
import { contactInbox } from './shapes-account.js';

const contactPageSize = 15;

const orders = {
  name: "lower(nullif(name, ''))",
  email: 'lower(email)',
  phone_number: 'phone_number',
  last_activity_at: 'last_activity_at',
} as const;

const keys = ['name', 'email', 'phone_number', 'last_activity_at'] as const;
export const contactSorts = [...keys, '-name', '-email', '-phone_number', '-last_activity_at'] as const;
export type ContactSort = (typeof contactSorts)[number];

const resolved = `account_id = $1 and (coalesce(identifier, '') <> '' or coalesce(email, '') <> ''
  or coalesce(phone_number, '') <> '')`;
const found = `account_id = $1
  and (name ilike $2 or email ilike $2 or phone_number ilike $2 or identifier like $2)`;

/**
 * A search is asked to sort what it found: told to find in the order of ids, PostgreSQL walks through all of them in
 * the hope of fifteen early ones.
 */
function orderBy(sort: ContactSort | undefined, isSearch: boolean): string {
  const key = keys.find((name) => sort === name || sort === `-${name}`);
  if (!key) return isSearch ? 'order by id + 0 desc' : 'order by id desc';
  return `order by ${orders[key]} ${sort?.startsWith('-') ? 'desc' : 'asc'} nulls last, id`;
}

export async function listContacts(
  db: Queries,
  accountId: number,
  asked: { q?: string; sort?: ContactSort | undefined; page: number },
): Promise<{ count: number; contacts: ContactRow[] }> {
  const where = asked.q === undefined ? resolved : found;
  const params = asked.q === undefined ? [accountId] : [accountId, likePattern(asked.q)];
  const contacts = await db.query<ContactRow>(
    `select * from contacts where ${where} ${orderBy(asked.sort, asked.q !== undefined)}
     limit ${contactPageSize} offset $${params.length + 1}`,
    [...params, (asked.page - 1) * contactPageSize],
  );
  // Who sees the last page need not have the others counted.
  if (contacts.length > 0 && contacts.length < contactPageSize) {
    return { count: (asked.page - 1) * contactPageSize + contacts.length, contacts };
  }
  const { count } = await one<{ count: number }>(
    db,
    `select count(*) as count from contacts where ${where}`,
    params,
  );
  return { count, contacts };
}

/** The `contact_inboxes` of each contact, in the inboxes the agent belongs to: a `source_id` opens what is said there. */
export async function inboxesOf(
  db: Queries,
  agent: Pick<AgentRow, 'id' | 'role'>,
  contacts: readonly ContactRow[],
): Promise<Map<number, Json[]>> {
  const of = new Map<number, Json[]>(contacts.map((contact) => [contact.id, []]));
  if (contacts.length === 0) return of;
  const pairs = await db.query<PairRow>(
    `select * from contact_inboxes where contact_id = any($1::bigint[]) and ($2 = 'administrator'
       or inbox_id in (select inbox_id from inbox_members where user_id = $3)) order by id`,
    [contacts.map((contact) => contact.id), agent.role, agent.id],
  );
  const inboxes = await db.query<InboxRow>('select * from inboxes where id = any($1::bigint[])', [
    [...new Set(pairs.map((pair) => pair.inbox_id))],
  ]);
  for (const pair of pairs) {
    const inbox = inboxes.find((row) => row.id === pair.inbox_id);
    if (inbox) of.get(pair.contact_id)?.push(contactInbox(pair, inbox));
  }
  return of;
}

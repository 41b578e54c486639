/**
 * The data of a large account, written by PostgreSQL itself: contacts, a conversation for each of the first so many, and
 * messages spread evenly over these. Twenty agents, twenty inboxes, four states, a fifth without an assignee.
 */
import type pg from 'pg';

export interface Sizes {
  contacts: number;
  conversations: number;
  messages: number;
}

const agents = 20;
const inboxes = 20;

const people = [
  `insert into users (name, email, pubsub_token)
   select 'Agent ' || n, 'bench-agent-' || n || '@example.com', 'bench-agent-' || n
   from generate_series(2, ${agents}) n`,
  `insert into account_users (account_id, user_id, role)
   select 1, id, 'agent' from users where email like 'bench-agent-%'`,
  `insert into inboxes (account_id, identifier, name, hmac_token, working_hours)
   select 1, 'bench-' || n, 'Inbox ' || n, 'secret', (select working_hours from inboxes where id = 1)
   from generate_series(2, ${inboxes}) n`,
];

const words = `array['Ada', 'Björn', 'Chen', 'Dilnoza', 'Eka', 'Farid', 'Grace', 'Hana', 'Ibrahim', 'Joana']`;
const families = `array['Lovelace', 'Lindqvist', 'Wei', 'Karimova', 'Tsereteli', 'Haddad', 'Hopper', 'Sato', 'Diallo', 'Moreira']`;

const rows: readonly [what: keyof Sizes, sql: string][] = [
  [
    'contacts',
    `insert into contacts (account_id, name, email, phone_number, identifier, last_activity_at)
     select 1, (${words})[1 + n % 10] || ' ' || (${families})[1 + n / 10 % 10] || ' ' || n,
       'person-' || n || '@example.com', '+1' || (2000000000 + n::bigint * 7), 'crm-' || n,
       now() - n * interval '1 second' from generate_series($1::int, $2::int) n`,
  ],
  [
    'contacts',
    `insert into contact_inboxes (contact_id, inbox_id, source_id, pubsub_token)
     select id, (select array_agg(i.id order by i.id) from inboxes i)[1 + id % ${inboxes}],
       'bench-' || substr(identifier, 5), 'token-' || substr(identifier, 5)
     from contacts where identifier = any(select 'crm-' || n from generate_series($1::int, $2::int) n)`,
  ],
  [
    'conversations',
    `insert into conversations (account_id, display_id, inbox_id, contact_id, contact_inbox_id, status,
       assignee_id, last_activity_at, agent_last_seen_at)
     select 1, n, p.inbox_id, p.contact_id, p.id,
       (array['open', 'resolved', 'open', 'resolved', 'pending', 'resolved', 'snoozed', 'resolved'])[1 + n % 8],
       case when n % 5 <> 0 then (select array_agg(u.id order by u.id) from users u)[1 + n / 8 % ${agents}] end,
       now() - n * interval '1 second', now() - interval '2 hours'
     from generate_series($1::int, $2::int) n join contact_inboxes p on p.source_id = 'bench-' || n`,
  ],
  [
    'messages',
    `insert into messages (account_id, inbox_id, conversation_id, content, message_type, sender_type, sender_id, created_at)
     select 1, c.inbox_id, c.id, 'Message ' || n || ': the parcel of order ' || n * 31 || ' has not arrived', n % 2,
       case n % 2 when 0 then 'Contact' else 'User' end, case n % 2 when 0 then c.contact_id else 1 end,
       now() - interval '1 hour'
     from generate_series($1::int, $2::int) n join conversations c on c.account_id = 1 and c.display_id = 1 + n % $3::int`,
  ],
];

const atOnce = 250_000;

export async function fill(client: pg.Client, sizes: Sizes, say: (line: string) => void): Promise<void> {
  // Made anew from all rows, it takes a fraction of the time.
  const { rows: indexes } = await client.query<{ indexdef: string }>(
    `select indexdef from pg_indexes where indexname = 'contacts_search'`,
  );
  await client.query('drop index if exists contacts_search');
  for (const sql of people) await client.query(sql);
  for (const [what, sql] of rows) {
    const startedAt = performance.now();
    // What was just written is right; proving it a second time would take as long again.
    await client.query(`set session_replication_role = ${what === 'messages' ? 'replica' : 'origin'}`);
    for (let from = 1; from <= sizes[what]; from += atOnce) {
      const to = Math.min(sizes[what], from + atOnce - 1);
      await client.query(sql, what === 'messages' ? [from, to, sizes.conversations] : [from, to]);
    }
    const table = /insert into (\w+)/.exec(sql)?.[1];
    say(
      `${sizes[what].toLocaleString('en')} rows of ${table} in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
    );
  }
  await client.query('set session_replication_role = origin');
  await client.query(
    'update accounts set last_display_id = (select max(display_id) from conversations) where id = 1',
  );
  for (const { indexdef } of indexes) await client.query(indexdef);
  await client.query('vacuum analyze');
  await client.query('checkpoint');
}

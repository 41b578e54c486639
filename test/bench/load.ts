/**
 * `npm run bench:load`: what one process of the service does on one PostgreSQL, with the generator (`clients.ts`,
 * `sockets.ts`) on the same machine, so all three share its processors. `-- --full` is the size the promises are made
 * for: a million contacts and conversations, ten million messages, ten thousand sockets. PostgreSQL is DATABASE_URL, an
 * empty database, or one of our own with its usual safety: every acknowledged write is on the disk. `--data
 * folder` keeps it filled for the next time. The results go into `results-load.json`, with `--readme` into the README.
 */
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startPostgres } from '../../demo/postgres.mjs';
import { listStatement } from '../../demo/service/domain/conversation-list.js';
import { type Asked, drive, type Figures } from './clients.js';
import { fill } from './fill.js';
import { processorMs } from './processor.js';
import { keepResults, type Line, machine, moment, writeReadme } from './results.js';
import { startServiceProcess } from './service-process.js';
import { residentBytes, socketShare } from './socket-shares.js';

const flags = {
  full: { type: 'boolean', default: false },
  contacts: { type: 'string' },
  conversations: { type: 'string' },
  messages: { type: 'string' },
  sockets: { type: 'string' },
  seconds: { type: 'string' },
  clients: { type: 'string', default: '256' },
  only: { type: 'string' },
  data: { type: 'string' },
  readme: { type: 'boolean', default: false },
  best: { type: 'boolean', default: false },
} as const;

function options() {
  const { values } = parseArgs({ args: process.argv.slice(3), options: flags });
  const size = (given: string | undefined, usual: number, full: number) =>
    given === undefined ? (values.full ? full : usual) : Number(given);
  const contacts = size(values.contacts, 50_000, 1_000_000);
  return {
    contacts,
    conversations: Math.min(contacts, size(values.conversations, 50_000, 1_000_000)),
    messages: size(values.messages, 500_000, 10_000_000),
    sockets: Math.min(contacts, size(values.sockets, 2000, 10_000)),
    seconds: size(values.seconds, 10, 20),
    clients: Number(values.clients),
    /** A part of its own: create, lists or sockets. */
    wants: (part: string) => values.only === undefined || values.only.split(',').includes(part),
    readme: values.readme,
    best: values.best,
    /** A folder that keeps the filled database for the next time. */
    data: values.data,
  };
}

/** Memory for the size of the data, fewer and longer checkpoints; nothing about safety. */
const postgresSettings = {
  shared_buffers: '2GB',
  max_wal_size: '16GB',
  checkpoint_timeout: '30min',
  maintenance_work_mem: '512MB',
};

const publicInbox = '/public/api/v1/inboxes';
const account = '/api/v1/accounts/1';
const lines: Line[] = [];

interface Measured {
  service: number | undefined;
  postgres: number | undefined;
  url: string;
  seconds: number;
}

async function measure(
  what: string,
  of: Measured,
  asked: { clients: number; perSecond?: number },
  next: (n: number) => Asked,
): Promise<Figures> {
  // The generator is this process alone, and the others are its children.
  const generator = () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000;
  const began = moment();
  const before = [processorMs(of.service), processorMs(of.postgres), generator()] as const;
  const figures = await drive(of.url, { ...asked, seconds: of.seconds }, next);
  const { perSecond, p50, p95, p99, worst, failed } = figures;
  const cost = [
    processorMs(of.service) - before[0],
    processorMs(of.postgres) - before[1],
    generator() - before[2],
  ].map((ms) => ms / (perSecond * of.seconds));
  const processor = cost.map((ms) => ms.toFixed(2)).join(' + ');
  const times = `p50 ${p50.toFixed(1)}  p95 ${p95.toFixed(1)}  p99 ${p99.toFixed(1)}  worst ${worst.toFixed(0)} ms`;
  const rate = `${perSecond.toFixed(0).padStart(6)}/s`;
  console.log(
    `${what.padEnd(44)} ${rate}  ${times}  processor ${processor} ms${failed ? `  FAILED ${failed}` : ''}`,
  );
  const known = Number.isNaN(cost[1]) ? {} : { processorMs: cost };
  lines.push({ ...began, what, perSecond, p50, p95, p99, failed, ...known });
  return figures;
}

async function explained(client: pg.Client, text: string, params: readonly unknown[]): Promise<string[]> {
  const { rows } = await client.query(`explain (analyze, costs off, timing off) ${text}`, [...params]);
  return rows.map((row) => String(Object.values(row)[0]));
}

async function createMessages(of: Measured, client: pg.Client, clients: number): Promise<void> {
  const { rows } = await client.query<{ identifier: string; source_id: string; display_id: string }>(
    `select i.identifier, p.source_id, c.display_id from conversations c
     join contact_inboxes p on p.id = c.contact_inbox_id join inboxes i on i.id = c.inbox_id
     where c.status = 'open' order by md5(c.id::text) limit 50000`,
  );
  const write = (n: number) => {
    const to = rows[n % rows.length];
    const path = `${publicInbox}/${to?.identifier}/contacts/${to?.source_id}/conversations/${to?.display_id}/messages`;
    const body = JSON.stringify({ content: `Where is my parcel ${n}?`, echo_id: crypto.randomUUID() });
    return { method: 'POST', path, body };
  };
  await drive(of.url, { clients, seconds: Math.min(5, of.seconds) }, write);
  const most = await measure('message create, as fast as it goes', of, { clients }, write);
  await measure('message create, at half of that', of, { clients, perSecond: most.perSecond / 2 }, write);
  await measure('message create, at 1,500 a second', of, { clients, perSecond: 1500 }, write);
}

async function readLists(of: Measured, token: string, contacts: number): Promise<void> {
  const get = (path: (n: number) => string) => (n: number) => ({
    method: 'GET',
    path: account + path(n),
    headers: { api_access_token: token },
  });
  const person = (n: number) => 1 + ((n * 7919 + 123_457) % contacts);
  const reads: [string, (n: number) => string][] = [
    ['list of open conversations', (n) => `/conversations?page=${1 + (n % 5)}`],
    ['list, mine', () => '/conversations?assignee_type=me'],
    ['list, unassigned', () => '/conversations?assignee_type=unassigned'],
    ['list, assigned and resolved', () => '/conversations?assignee_type=assigned&status=resolved'],
    ['list, one inbox', (n) => `/conversations?inbox_id=${1 + (n % 20)}`],
    ['list, all states', () => '/conversations?status=all'],
    ['counts of conversations', () => '/conversations/meta'],
    ['contact search, e-mail', (n) => `/contacts/search?q=person-${person(n)}@`],
    ['contact search, family name and number', (n) => `/contacts/search?q=Sato%20${person(n)}`],
    ['contact search, last digits of a phone', (n) => `/contacts/search?q=${2_000_000_000 + person(n) * 7}`],
    ['messages of a conversation', (n) => `/conversations/${1 + ((n * 7919) % contacts)}/messages`],
  ];
  for (const [what, path] of reads) {
    await drive(of.url, { clients: 1, seconds: 1 }, get(path));
    await measure(what, of, { clients: 1 }, get(path));
  }
  const slow: Measured = { ...of, seconds: Math.min(of.seconds, 5) };
  await measure(
    'contact search, a tenth of all',
    slow,
    { clients: 1 },
    get(() => '/contacts/search?q=Grace'),
  );
  await measure(
    'contacts by name, page 1',
    slow,
    { clients: 1 },
    get(() => '/contacts?sort=name'),
  );
}

async function explainAll(client: pg.Client): Promise<Record<string, string[]>> {
  const agent = { account_id: 1, id: 1, role: 'administrator' } as const;
  const list = (filter: { status: 'open' | 'all'; inboxId?: number }, type: 'all' | 'me' | 'unassigned') => {
    const { text, params } = listStatement(agent, filter, type, 1);
    return explained(client, text, params);
  };
  const search = `select * from contacts where account_id = 1 and (name ilike $1 or email ilike $1
    or phone_number ilike $1 or identifier like $1) order by id + 0 desc limit 15`;
  const plans = {
    'list of open conversations': await list({ status: 'open' }, 'all'),
    'list, mine': await list({ status: 'open' }, 'me'),
    'list, unassigned': await list({ status: 'open' }, 'unassigned'),
    'list, one inbox': await list({ status: 'open', inboxId: 7 }, 'all'),
    'list, all states': await list({ status: 'all' }, 'all'),
    'contact search': await explained(client, search, ['%person-12345@%']),
  };
  for (const [what, plan] of Object.entries(plans)) {
    console.log(`\n${what}`);
    for (const line of plan) console.log(`  ${line}`);
  }
  return plans;
}

async function holdSockets(of: Measured, token: string, sockets: number): Promise<void> {
  const began = moment();
  // What the first ones load and compile is not theirs.
  await socketShare({ ...of, token, sockets: Math.min(200, sockets), seconds: 1 });
  const before = await residentBytes(of.url);
  const figures = await socketShare({ ...of, token, sockets });
  const bytesEach = Math.round((figures.residentBytes - before) / sockets);
  const { perSecond, p50, p95, p99, worst, failed, missing } = figures;
  const what = `heard by one of ${sockets.toLocaleString('en')} sockets`;
  const times = `p50 ${p50.toFixed(1)}  p95 ${p95.toFixed(1)}  p99 ${p99.toFixed(1)}  worst ${worst.toFixed(0)} ms`;
  const bad = failed || missing ? `  FAILED ${failed}, MISSING ${missing}` : '';
  const rate = `${perSecond.toFixed(0).padStart(6)}/s`;
  console.log(`${what.padEnd(44)} ${rate}  ${times}  ${(bytesEach / 1024).toFixed(1)} KB a socket${bad}`);
  lines.push({ ...began, what, perSecond, p50, p95, p99, failed: failed + missing, bytesEach });
}

export async function run(): Promise<void> {
  const asked = options();
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  await chmod(folder, 0o755);
  const own = process.env.DATABASE_URL
    ? undefined
    : await startPostgres(join(asked.data ?? folder, 'postgres'), postgresSettings);
  const databaseUrl = process.env.DATABASE_URL ?? own?.url ?? '';
  const { child, url, token } = await startServiceProcess(folder, databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl });
  try {
    await client.connect();
    const where = machine();
    const { load } = moment();
    console.log(`${where.processors} × ${where.model}, load ${load}, Node ${where.node}, all on one machine`);
    const { rows } = await client.query('select count(*)::int as count from conversations');
    if (rows[0]?.count === 0) await fill(client, asked, console.log);
    const of = { service: child.pid, postgres: own?.pid, url, seconds: asked.seconds };
    if (asked.wants('sockets')) await holdSockets(of, token, asked.sockets);
    if (asked.wants('create')) await createMessages(of, client, asked.clients);
    if (asked.wants('lists')) await readLists(of, token, asked.conversations);
    const plans = asked.wants('lists') ? await explainAll(client) : {};
    const { contacts, conversations, messages, sockets, clients } = asked;
    const sizes = { contacts, conversations, messages, sockets, clients };
    const results = keepResults({ ...where, ...sizes, postgresSettings, lines, plans }, asked);
    if (asked.readme) writeReadme(results);
  } finally {
    await client.end();
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
    await own?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

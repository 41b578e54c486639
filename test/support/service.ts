/**
 * A service of its own for one test file: fresh folder, free port, and on PostgreSQL (`TEST_DATABASE_URL`) a fresh
 * database. Speaks HTTP to it as anyone would; looks into the tables only to count.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import WebSocket from 'ws';
import { z } from 'zod';
import { type Service, type ServiceOptions, startService } from '../../demo/service/service.js';
import { checkAnswer } from './described.js';
import { copyFirstStart } from './first-start.js';

/** Watches over a start that hangs: ten seconds on a calm machine, more than a minute on one that has all its tests at once. */
export const startMs = 180_000;
export const inboxPath = '/public/api/v1/inboxes/demo-inbox';
export const json = { 'content-type': 'application/json' };

export const errorBody = z.strictObject({
  description: z.string().min(1),
  errors: z
    .array(z.strictObject({ field: z.string().min(1), message: z.string().min(1), code: z.string().min(1) }))
    .min(1),
});

export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

export interface Place {
  dataDir: string;
  databaseUrl?: string;
  remove(): Promise<void>;
}

/** A folder and, where asked for, a database, that outlive a service. */
export async function makePlace(): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-service-'));
  const removeFolder = () => rm(dataDir, { recursive: true, force: true });
  const base = process.env.TEST_DATABASE_URL;
  if (!base) return { dataDir, remove: removeFolder };
  const name = `parley_test_${randomUUID().replaceAll('-', '')}`;
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: base });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  await run(`create database ${name}`);
  const url = new URL(base);
  url.pathname = `/${name}`;
  return {
    dataDir,
    databaseUrl: url.href,
    async remove() {
      await removeFolder();
      await run(`drop database ${name} with (force)`);
    },
  };
}

export const optionsAt = (place: Place): Pick<ServiceOptions, 'dataDir' | 'databaseUrl'> => ({
  dataDir: place.dataDir,
  ...(place.databaseUrl === undefined ? {} : { databaseUrl: place.databaseUrl }),
});

export interface TestService extends Service {
  place: Place;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** With the administrator's token. */
  agent(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Rows of every table whose content a request could change. */
  rows(): Promise<Record<string, unknown>>;
  end(): Promise<void>;
}

const tables = [
  'contacts',
  'contact_inboxes',
  'conversations',
  'messages',
  'attachments',
  'users',
  'inboxes',
  'teams',
  'labels',
  'canned_responses',
  'custom_attribute_definitions',
  'automation_rules',
  'webhooks',
  'reporting_events',
  'webhook_deliveries',
  'rule_events',
  'access_tokens',
  'avatars',
  'inbox_members',
  'team_members',
];

/** As anyone may ask anything: the answer may come from a bad line. */
export async function ask(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const isRaw = typeof body === 'string' || body instanceof FormData || body instanceof Uint8Array;
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined || body instanceof FormData ? {} : json), ...headers },
    ...(body === undefined ? {} : { body: isRaw ? (body as BodyInit) : JSON.stringify(body) }),
  });
  const text = await response.text();
  let parsed: unknown = text;
  if (response.headers.get('content-type')?.startsWith('application/json')) parsed = JSON.parse(text);
  return { status: response.status, headers: response.headers, body: parsed };
}

/** As `ask`; an answer that does not fit the published description fails the test that asked. */
export async function request(...asked: Parameters<typeof ask>): Promise<Answer> {
  const answer = await ask(...asked);
  const [url, method] = asked;
  checkAnswer(method, url, answer);
  return answer;
}

/** Where a service has been started once, for tests that are not about a first start. */
export async function startedPlace(): Promise<Place> {
  const place = await makePlace();
  if (!place.databaseUrl) await copyFirstStart(place.dataDir);
  return place;
}

/** @param place where it was or is to be; else anew, with a copied first start */
export async function startTestService(
  options: Omit<ServiceOptions, 'dataDir'> = {},
  place?: Place,
): Promise<TestService> {
  const where = place ?? (await startedPlace());
  const service = await startService({ ...optionsAt(where), ...options });
  return {
    ...service,
    place: where,
    call: (method, path, body, headers) => request(service.url + path, method, body, headers),
    agent: (method, path, body) =>
      request(service.url + path, method, body, { api_access_token: service.apiAccessToken }),
    async rows() {
      const one = (table: string) =>
        `select '${table}' as name, count(*) as count, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as sum from ${table} t`;
      const counted = await service.db.query<{ name: string }>(tables.map(one).join(' union all '));
      return Object.fromEntries(counted.map(({ name, ...rest }) => [name, rest]));
    },
    async end() {
      await service.stop();
      await where.remove();
    },
  };
}

const pair = z.object({ source_id: z.string(), pubsub_token: z.string(), id: z.number() });
const withId = z.looseObject({ id: z.number() });

export interface Visitor {
  sourceId: string;
  token: string;
  contactId: number;
  conversationId: number;
  contactPath: string;
  path: string;
}

/** A contact with one conversation. */
export async function visit(service: TestService, fields: Record<string, unknown> = {}): Promise<Visitor> {
  const contact = pair.parse((await service.call('POST', `${inboxPath}/contacts`, fields)).body);
  const contactPath = `${inboxPath}/contacts/${contact.source_id}`;
  const { id } = withId.parse((await service.call('POST', `${contactPath}/conversations`, {})).body);
  return {
    sourceId: contact.source_id,
    token: contact.pubsub_token,
    contactId: contact.id,
    conversationId: id,
    contactPath,
    path: `${contactPath}/conversations/${id}`,
  };
}

/** The proof of who somebody is, as the server of a host page makes it. */
export async function proofOf(service: Pick<TestService, 'db'>, identifier: string) {
  const sql = 'select hmac_token from inboxes where id = 1';
  const [inbox] = await service.db.query<{ hmac_token: string }>(sql);
  const hmac = createHmac('sha256', inbox?.hmac_token ?? '');
  return { identifier, identifier_hash: hmac.update(identifier).digest('hex') };
}

const frameSchema = z.looseObject({
  type: z.string().optional(),
  identifier: z.string().optional(),
  message: z.unknown().optional(),
});
const eventSchema = z.object({ event: z.string(), data: z.record(z.string(), z.unknown()) });
export type Event = z.infer<typeof eventSchema>;

export interface Listener {
  socket: WebSocket;
  frames: z.infer<typeof frameSchema>[];
  events(): Event[];
  /** The first frame that fits, whether it came already or is still to come. */
  frame(fits: (frame: z.infer<typeof frameSchema>) => boolean): Promise<z.infer<typeof frameSchema>>;
  event(name: string, fits?: (data: Event['data']) => boolean): Promise<Event>;
  send(frame: object): void;
  close(): void;
}

/** A plain socket that remembers every frame and lets a test wait for one. */
export async function connect(service: { url: string }): Promise<Listener> {
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/cable`, ['actioncable-v1-json']);
  const frames: z.infer<typeof frameSchema>[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (data) => {
    frames.push(frameSchema.parse(JSON.parse(data.toString())));
    for (const look of [...waiting]) look();
  });
  const frame: Listener['frame'] = (fits) =>
    new Promise((resolve) => {
      const look = () => {
        const found = frames.find(fits);
        if (!found) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  const eventOf = (seen: z.infer<typeof frameSchema>) => eventSchema.safeParse(seen.message).data;
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return {
    socket,
    frames,
    frame,
    events: () => frames.flatMap((seen) => eventOf(seen) ?? []),
    async event(name, fits = () => true) {
      const found = await frame((seen) => {
        const event = eventOf(seen);
        return event?.event === name && fits(event.data);
      });
      return eventSchema.parse(found.message);
    },
    send: (body) => socket.send(JSON.stringify(body)),
    close: () => socket.close(),
  };
}

/** Subscribed and confirmed. */
export async function listen(service: { url: string }, room: Record<string, unknown>): Promise<Listener> {
  const listener = await connect(service);
  const identifier = JSON.stringify({ channel: 'RoomChannel', ...room });
  listener.send({ command: 'subscribe', identifier });
  await listener.frame((frame) => frame.type === 'confirm_subscription');
  return listener;
}

const profile = z.object({ id: z.number(), pubsub_token: z.string(), account_id: z.number() });

export async function listenAsAgent(service: TestService): Promise<Listener> {
  const me = profile.parse((await service.agent('GET', '/api/v1/profile')).body);
  return listen(service, { pubsub_token: me.pubsub_token, user_id: me.id, account_id: me.account_id });
}

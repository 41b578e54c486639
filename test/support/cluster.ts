/** Three processes of the service on one PostgreSQL, for the tests of one file. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { z } from 'zod';
import {
  type Built,
  buildService,
  launch,
  makePostgres,
  type Running,
  type TestPostgres,
} from './processes.js';
import { inboxPath, type Listener, listen, startMs } from './service.js';

const pair = z.object({ source_id: z.string(), pubsub_token: z.string(), id: z.number() });
const withId = z.looseObject({ id: z.number() });
const profile = z.object({ id: z.number(), pubsub_token: z.string(), account_id: z.number() });

export function useCluster() {
  let built: Built;
  let postgres: TestPostgres;
  let dataDir: string;
  let all: [Running, Running, Running];
  const start = () =>
    launch(built.main, [], { PORT: '0', DATA_DIR: dataDir, DATABASE_URL: postgres.url, LOG: 'info' });
  beforeAll(async () => {
    [built, postgres, dataDir] = await Promise.all([
      buildService(),
      makePostgres(),
      mkdtemp(join(tmpdir(), 'parley-cluster-')),
    ]);
    all = await Promise.all([start(), start(), start()]);
  }, 2 * startMs);
  afterAll(async () => {
    await Promise.all((all ?? []).map((one) => one.end('SIGTERM')));
    await postgres?.remove();
    await built?.remove();
    await rm(dataDir, { recursive: true, force: true });
  });
  return {
    get all() {
      return all;
    },
    get databaseUrl() {
      return postgres.url;
    },
    /** One process more. */
    start,
  };
}

export async function visitOn(service: Running) {
  const contact = pair.parse((await service.call('POST', `${inboxPath}/contacts`, {})).body);
  const contactPath = `${inboxPath}/contacts/${contact.source_id}`;
  const { id } = withId.parse((await service.call('POST', `${contactPath}/conversations`, {})).body);
  return {
    ...contact,
    conversation: `/api/v1/accounts/1/conversations/${id}`,
    path: `${contactPath}/conversations/${id}`,
  };
}

export async function agentOn(service: Running): Promise<Listener> {
  const me = profile.parse((await service.agent('GET', '/api/v1/profile')).body);
  return listen(service, { pubsub_token: me.pubsub_token, user_id: me.id, account_id: me.account_id });
}

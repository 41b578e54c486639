/** Starting, stopping, dying: first start, restart, the folder's lock, the process and what it prints. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startService } from '../../demo/service/service.js';
import { locks } from '../../demo/service/store/locks.js';
import { deliveryLog, startReceiver, webhookAnswer } from '../support/receiver.js';
import {
  makePlace,
  optionsAt,
  type Place,
  request,
  startedPlace,
  startMs,
  startTestService,
  visit,
} from '../support/service.js';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
let built: string;
beforeAll(async () => {
  built = await mkdtemp(join(tmpdir(), 'parley-main-'));
  await symlink(join(root, 'node_modules'), join(built, 'node_modules'));
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: join(root, 'demo/service/main.ts'),
      outDir: join(built, 'demo/service'),
      emptyOutDir: true,
    },
  });
  await mkdir(join(built, 'demo/site'), { recursive: true });
  await mkdir(join(built, 'demo/console'));
  await writeFile(join(built, 'demo/site/index.html'), '<title>Shop</title>');
  await writeFile(join(built, 'demo/console/index.html'), '<title>Console</title>');
}, startMs);
afterAll(() => rm(built, { recursive: true, force: true }));

interface Running {
  child: ChildProcess;
  url: string;
  printed(): string;
}

const entry = () => join(built, 'demo/service/main.js');
const environment = (place: Place, more: Record<string, string> = {}) => ({
  PATH: process.env.PATH ?? '',
  PORT: '0',
  DATA_DIR: place.dataDir,
  ...(place.databaseUrl === undefined ? {} : { DATABASE_URL: place.databaseUrl }),
  ...more,
});

async function run(place: Place, more: Record<string, string> = {}): Promise<Running> {
  const child = spawn(process.execPath, [entry()], {
    env: environment(place, more),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (data) => {
      output += data;
      const found = /^Host page\s+(http:\S+)\/\nConsole .*\n/m.exec(output)?.[1];
      if (found) resolve(found);
    });
    child.stderr.on('data', (data) => {
      output += data;
    });
    child.once('exit', () => reject(new Error(output)));
  });
  return { child, url, printed: () => output };
}

async function end({ child }: Running, signal: NodeJS.Signals): Promise<number | null> {
  const exit = once(child, 'exit');
  child.kill(signal);
  const [code] = await exit;
  return code;
}

test('no two locks have one number', () => {
  expect(new Set(Object.values(locks)).size).toBe(Object.keys(locks).length);
});

test(
  'everything is there after a restart; the first start is not repeated',
  async () => {
    const place = await makePlace();
    const first = await startTestService({}, place);
    const visitor = await visit(first, { name: 'Kept' });
    await first.call('POST', `${visitor.path}/messages`, { content: 'kept', echo_id: 'kept' });
    const before = await first.call('GET', visitor.path);
    const rows = await first.rows();
    await first.stop();
    const second = await startTestService({}, place);
    expect(second.apiAccessToken).toBe(first.apiAccessToken);
    expect(await second.rows()).toEqual(rows);
    expect((await second.call('GET', visitor.path)).body).toEqual(before.body);
    expect((await second.agent('GET', '/api/v1/profile')).status).toBe(200);
    await second.end();
  },
  startMs,
);

test(
  'the access token is kept for its owner alone, stored as a hash, and follows its option',
  async () => {
    const service = await startTestService();
    const file = join(service.place.dataDir, 'access-token');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readFile(file, 'utf8')).trim()).toBe(service.apiAccessToken);
    const stored = await service.db.query<{ token_hash: string }>('select token_hash from access_tokens');
    expect(stored).toEqual([{ token_hash: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    const listening = z.object({ pubsub_token: z.string() });
    const before = listening.parse((await service.agent('GET', '/api/v1/profile')).body);
    await service.stop();
    const other = await startTestService({ apiAccessToken: 'another-token' }, service.place);
    const now = listening.parse((await other.agent('GET', '/api/v1/profile')).body);
    expect(now.pubsub_token).not.toBe(before.pubsub_token);
    const old = await request(`${other.url}/api/v1/profile`, 'GET', undefined, {
      api_access_token: service.apiAccessToken,
    });
    expect(old.status).toBe(401);
    await other.end();
  },
  startMs,
);

test(
  'the token of the console goes on with another administrator when the first one is none any more',
  async () => {
    const service = await startTestService();
    const agents = '/api/v1/accounts/1/agents';
    const bob = { name: 'Bob', email: 'bob@demo.example', role: 'administrator' };
    await service.agent('POST', agents, bob);
    expect((await service.agent('PATCH', `${agents}/1`, { role: 'agent' })).status).toBe(200);
    await service.stop();
    const again = await startTestService({}, service.place);
    expect((await again.agent('GET', '/api/v1/profile')).body).toMatchObject({ email: bob.email });
    await again.end();
  },
  startMs,
);

test('a token that another process has not written to its end is no token', async () => {
  const place = await startedPlace();
  await writeFile(join(place.dataDir, 'access-token'), '');
  const service = await startTestService({}, place);
  expect(service.apiAccessToken).toMatch(/^[\w-]{20,}$/);
  expect((await service.agent('GET', '/api/v1/profile')).status).toBe(200);
  expect((await readdir(place.dataDir)).filter((name) => name.startsWith('access-token'))).toEqual([
    'access-token',
  ]);
  await service.end();
});

test(
  'the process prints where it listens and the link that the world can open, serves both pages, and leaves politely',
  async () => {
    const place = await makePlace();
    const service = await run(place, {
      DEMO_API_ACCESS_TOKEN: 'a-token-for-the-process',
      DEMO_INBOX_IDENTIFIER: 'my_box',
      PUBLIC_URL: 'https://support.example.com/',
    });
    expect(service.printed().trim().split('\n')).toEqual([
      `Host page  ${service.url}/`,
      'Console    https://support.example.com/agent#token=a-token-for-the-process',
    ]);
    expect((await request(`${service.url}/`, 'GET')).body).toContain('Shop');
    expect((await request(`${service.url}/agent`, 'GET')).body).toContain('Console');
    expect((await request(`${service.url}/public/api/v1/inboxes/my_box`, 'GET')).status).toBe(200);
    expect(await end(service, 'SIGINT')).toBe(0);
    // A terminal that is closed.
    expect(await end(await run(place), 'SIGHUP')).toBe(0);
    await place.remove();
  },
  startMs,
);

test(
  'what a later build empties is served until the process ends',
  async () => {
    const place = await makePlace();
    const assets = join(built, 'cdn/assets');
    await mkdir(assets, { recursive: true });
    await writeFile(join(assets, 'window.js'), 'window of this build');
    await writeFile(join(built, 'secret.txt'), 'outside');
    const service = await run(place);
    await rm(join(built, 'cdn'), { recursive: true });
    const get = (path: string) => request(service.url + path, 'GET');
    const asset = await get('/assets/window.js');
    expect(asset.body).toBe('window of this build');
    expect(asset.headers.get('cache-control')).toContain('immutable');
    for (const path of ['/%2e%2e/%2e%2e/secret.txt', '/..%2fsecret.txt', '/assets', '/assets/other.js'])
      expect((await get(path)).status, path).toBe(404);
    expect(await end(service, 'SIGTERM')).toBe(0);
    await place.remove();
  },
  startMs,
);

test('a folder that cannot be one is one sentence', async () => {
  const place = await makePlace();
  await expect(run({ ...place, dataDir: entry() })).rejects.toThrow(
    /^.*main\.js cannot be used \(EEXIST\): set DATA_DIR to a folder in which this user may write\.$/m,
  );
  await place.remove();
});

test('a HOST that is no address is one sentence', async () => {
  const place = await startedPlace();
  await expect(run(place, { HOST: 'http://127.0.0.1' })).rejects.toThrow(
    'http://127.0.0.1 is no address of this machine: set HOST to another one.',
  );
  await place.remove();
});

test('an access token that cannot be read is one sentence, and not another token', async () => {
  const place = await startedPlace();
  const file = join(place.dataDir, 'access-token');
  await rm(file, { force: true });
  // Nobody can read it, not even root.
  await symlink('access-token', file);
  await expect(run(place)).rejects.toThrow(
    `${place.dataDir} cannot be used (ELOOP): set DATA_DIR to a folder in which this user may write.`,
  );
  await expect(stat(file)).rejects.toThrow('ELOOP');
  await place.remove();
});

test(
  'webhooks reach this machine where nobody else reaches the service, and not where somebody may',
  async () => {
    const receiver = await startReceiver();
    const outcomes = ['delivered', 'dead'] as const;
    for (const [at, more] of [{}, { PUBLIC_URL: 'https://support.example' }].entries()) {
      const place = await makePlace();
      const service = await run(place, more);
      const token = (await readFile(join(place.dataDir, 'access-token'), 'utf8')).trim();
      const ask = (method: string, path: string, body?: object) =>
        request(service.url + path, method, body, { api_access_token: token });
      const hook = { url: `${receiver.url}/${at}`, name: 'home', subscriptions: ['contact_created'] };
      const made = await ask('POST', '/api/v1/accounts/1/webhooks', hook);
      const { id } = webhookAnswer.parse(made.body);
      await ask('POST', '/public/api/v1/inboxes/demo-inbox/contacts', { name: 'Ada' });
      const log = `/api/v1/accounts/1/webhooks/${id}/deliveries`;
      await expect
        .poll(async () => deliveryLog.parse((await ask('GET', log)).body).payload.map(({ state }) => state))
        .toEqual([outcomes[at]]);
      expect(await end(service, 'SIGTERM')).toBe(0);
      await place.remove();
    }
    expect(receiver.all.map(({ path }) => path)).toEqual(['/0']);
    await receiver.stop();
  },
  startMs,
);

test.each([
  [{ PORT: 'many' }, 'PORT must be a port between 0 and 65535.'],
  [{ PORT: '70000' }, 'PORT must be a port between 0 and 65535.'],
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must be an address that begins with postgres://.'],
  ...['/chat', 'https://shop.example/chat', 'https://shop.example/?', 'https://me@shop.example'].map(
    (PUBLIC_URL): [Record<string, string>, string] => [
      { PUBLIC_URL },
      'PUBLIC_URL must be the http or https address that the world knows, without a path.',
    ],
  ),
  [{ DEMO_INBOX_IDENTIFIER: 'a b' }, 'DEMO_INBOX_IDENTIFIER must be up to 100 letters, digits, "-" and "_".'],
  [
    { DEMO_API_ACCESS_TOKEN: 'short' },
    'DEMO_API_ACCESS_TOKEN must be 16 to 200 visible characters without spaces.',
  ],
  [{ PROXIES: 'one' }, 'PROXIES must be how many proxies of yours stand before the service, 10 at most.'],
  [
    { WEBHOOK_ALLOW_PRIVATE: 'yes' },
    'WEBHOOK_ALLOW_PRIVATE must be 1 to let webhooks reach private addresses, or 0.',
  ],
])('a bad value %o is one sentence and exit 1', async (more, sentence) => {
  const child = spawn(process.execPath, [entry()], {
    env: { PATH: process.env.PATH ?? '', DATA_DIR: join(built, 'unused'), ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (data) => {
    output += data;
  });
  const [code] = await once(child, 'close');
  expect([code, output.trim()]).toEqual([1, sentence]);
});

test('a database that does not answer is one sentence without the password', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-nobody-'));
  const start = (databaseUrl: string) =>
    startService({ dataDir, databaseUrl }).then(
      () => '',
      (error: unknown) => String(error),
    );
  // By name, of which there may be two addresses; nobody listens at the port of nothing.
  expect(await start('postgres://parley:CANARY@localhost:1/parley')).toBe(
    'Error: No PostgreSQL answers at localhost:1 (ECONNREFUSED): start it, or set DATABASE_URL to where it is.',
  );
  await rm(dataDir, { recursive: true, force: true });
});

test(
  'one folder has one service; a lock of the dead is taken over',
  async () => {
    const place = await startedPlace();
    const { dataDir } = place;
    const service = await run(place);
    await expect(startService({ dataDir })).rejects.toThrow(
      /^Another service already uses .*DATABASE_URL\.$/,
    );
    await end(service, 'SIGKILL');
    expect((await readFile(join(dataDir, 'service.pid'), 'utf8')).split(' ')[0]).toBe(
      String(service.child.pid),
    );
    const next = await startService({ dataDir });
    await expect(startService({ dataDir })).rejects.toThrow(/Another service/);
    await next.stop();
    // The number of a dead one, given by the system to somebody else.
    await writeFile(join(dataDir, 'service.pid'), `${process.ppid} 1\n`);
    await (await startService({ dataDir })).stop();
    await place.remove();
  },
  startMs,
);

test(
  'of two that start in one folder at the same time one has it, however far the other has come',
  async () => {
    const place = await startedPlace();
    const { dataDir } = place;
    const both = await Promise.allSettled([startService({ dataDir }), startService({ dataDir })]);
    const started = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    for (const service of started) await service.stop();
    expect(started).toHaveLength(1);
    // Of another process, which has made its lock in this moment and is about to write its number.
    const lock = join(dataDir, 'service.pid');
    await writeFile(lock, '');
    await expect(startService({ dataDir })).rejects.toThrow(/^Another service already uses/);
    const long = new Date(Date.now() - 60_000);
    await utimes(lock, long, long);
    await (await startService({ dataDir })).stop();
    await place.remove();
  },
  startMs,
);

test(
  'stopping twice is stopping once, and a port in use is an error that leaves nothing open',
  async () => {
    const place = await startedPlace();
    const service = await startService(optionsAt(place));
    const other = await startedPlace();
    await expect(startService({ ...optionsAt(other), port: service.port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    const again = await startService(optionsAt(other));
    await Promise.all([again.stop(), again.stop(), service.stop()]);
    await expect(fetch(service.url)).rejects.toThrow();
    await place.remove();
    await other.remove();
  },
  startMs,
);

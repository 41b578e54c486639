/** The command that starts PostgreSQL and three processes behind one address, and how it ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect as connectTo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findPostgres, startPostgres } from '../../demo/postgres.mjs';
import { visitOn } from '../support/cluster.js';
import { eventually } from '../support/eventually.js';
import { type Built, buildService, hasPostgres, launch, root } from '../support/processes.js';
import { connect, inboxPath, listen, startMs } from '../support/service.js';

const cluster = join(root, 'demo/cluster.mjs');

/** @returns the process id of the one that the command has started in its folder */
const postgresIn = async (dataDir: string) =>
  Number((await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0]);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Of our own, because 0 is nobody's public address; below those that a system gives to whoever asks for any. */
const port = 20_000 + (process.pid % 12_000);

describe.skipIf(!hasPostgres)('the command', () => {
  let built: Built;
  beforeAll(async () => {
    built = await buildService();
  }, startMs);
  afterAll(() => built?.remove());

  test(
    'one command starts PostgreSQL and three processes behind one address',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'parley-command-'));
      await chmod(folder, 0o755);
      const running = await launch(cluster, [`--main=${built.main}`], {
        PORT: String(port),
        HOST: '0.0.0.0',
        DATA_DIR: join(folder, 'data'),
      });
      // One cannot visit "all interfaces", nor fetch files from there.
      expect(running.url).toBe(`http://localhost:${port}`);
      const visitor = await visitOn(running);
      const sockets = await Promise.all(
        [1, 2, 3].map(() => listen(running, { pubsub_token: visitor.pubsub_token })),
      );
      await running.call('POST', `${visitor.path}/messages`, { content: 'behind the balancer' });
      for (const socket of sockets) {
        await socket.event('message.created', (data) => data.content === 'behind the balancer');
        socket.close();
      }
      (await connect(running)).close();
      const postgres = await postgresIn(join(folder, 'data'));
      // A terminal that is closed.
      expect(await running.end('SIGHUP')).toBe(0);
      expect(isAlive(postgres)).toBe(false);
      await rm(folder, { recursive: true, force: true });
    },
    2 * startMs,
  );

  test.each([
    ['interrupted from its terminal', 'SIGINT'],
    ['left by its terminal', 'SIGHUP'],
  ] as const)(
    '%s, it answers what is under way before its PostgreSQL goes',
    async (_, signal) => {
      const folder = await mkdtemp(join(tmpdir(), 'parley-command-'));
      await chmod(folder, 0o755);
      const child = spawn(process.execPath, [cluster, `--main=${built.main}`], {
        env: { PATH: process.env.PATH ?? '', PORT: String(port), DATA_DIR: join(folder, 'data') },
        stdio: ['ignore', 'pipe', 'ignore'],
        // What a terminal interrupts is a whole group.
        detached: true,
      });
      const closed = once(child, 'close');
      await new Promise<void>((resolve) => {
        child.stdout.on('data', (text) => String(text).includes('Console') && resolve());
      });
      const postgres = await postgresIn(join(folder, 'data'));
      const said = connectTo(port, '127.0.0.1');
      const answer = new Promise<string>((resolve) => {
        let heard = '';
        said.on('data', (text) => {
          heard += text;
        });
        said.once('close', () => resolve(heard));
      });
      const body = JSON.stringify({ name: 'Under way' });
      said.write(
        `POST ${inboxPath}/contacts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
      );
      await once(said, 'data');
      process.kill(-(child.pid ?? 0), signal);
      await eventually('nobody new is let in', async () => {
        const late = connectTo(port, '127.0.0.1');
        return once(late, 'connect').then(
          () => late.destroy() && false,
          () => true,
        );
      });
      said.write(body);
      expect(await answer).toMatch(/HTTP\/1\.1 200 /);
      expect(await closed).toEqual([0, null]);
      expect(isAlive(postgres)).toBe(false);
      await rm(folder, { recursive: true, force: true });
    },
    startMs,
  );

  test(
    'killed, it takes its processes along, and starts again where its PostgreSQL lives on',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'parley-command-'));
      await chmod(folder, 0o755);
      const start = () =>
        launch(cluster, [`--main=${built.main}`], { PORT: String(port), DATA_DIR: join(folder, 'data') });
      const running = await start();
      const processes =
        running
          .printed()
          .match(/^Processes {2}(.*)$/m)?.[1]
          ?.split(' ') ?? [];
      expect(processes).toHaveLength(3);
      const postgres = await postgresIn(join(folder, 'data'));
      await running.end('SIGKILL');
      for (const address of processes)
        await eventually('nobody answers', () =>
          fetch(`${address}/healthz`).then(
            () => false,
            () => true,
          ),
        );
      expect(isAlive(postgres)).toBe(true);
      const again = await start();
      // Ended, it has its number until the system has taken note of it.
      await eventually('the PostgreSQL of before is gone', async () => !isAlive(postgres));
      expect((await again.call('GET', '/readyz')).status).toBe(200);
      expect(await again.end('SIGTERM')).toBe(0);
      await rm(folder, { recursive: true, force: true });
    },
    2 * startMs,
  );

  test(
    'a second one in its folder leaves its PostgreSQL alone; about to end, it says so while it still answers',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'parley-command-'));
      await chmod(folder, 0o755);
      const env = { PORT: String(port), DATA_DIR: join(folder, 'data'), DRAIN_SECONDS: '15' };
      const running = await launch(cluster, [`--main=${built.main}`], env);
      await expect(launch(cluster, [`--main=${built.main}`], env)).rejects.toThrow(
        'PostgreSQL did not start',
      );
      const ended = running.end('SIGTERM');
      await eventually('nobody new should come', async () => {
        return (await running.call('GET', '/readyz')).status === 503;
      });
      expect((await running.call('GET', '/healthz')).status).toBe(200);
      expect(await ended).toBe(0);
      await rm(folder, { recursive: true, force: true });
    },
    2 * startMs,
  );

  test(
    'what a first start that was killed has left half made is made anew',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'parley-half-'));
      await chmod(folder, 0o755);
      const real = findPostgres();
      const bin = join(folder, 'bin');
      await mkdir(bin);
      await writeFile(join(bin, 'postgres'), `#!/bin/sh\nexec ${real}/postgres "$@"\n`, { mode: 0o755 });
      const dies = 'mkdir -p "$2" && echo 15 > "$2/PG_VERSION" && kill -9 $$';
      await writeFile(join(bin, 'initdb'), `#!/bin/sh\n${dies}\n`, { mode: 0o755 });
      vi.stubEnv('POSTGRES_BIN', bin);
      await expect(startPostgres(join(folder, 'made'))).rejects.toThrow('could not make its database');
      vi.unstubAllEnvs();
      await (await startPostgres(join(folder, 'made'))).stop();
      await rm(folder, { recursive: true, force: true });
    },
    startMs,
  );

  test(
    'it ends when its PostgreSQL does',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'parley-command-'));
      await chmod(folder, 0o755);
      const running = await launch(cluster, [`--main=${built.main}`], {
        PORT: String(port),
        DATA_DIR: join(folder, 'data'),
      });
      const ended = once(running.child, 'close');
      process.kill(await postgresIn(join(folder, 'data')), 'SIGTERM');
      process.kill(await postgresIn(join(folder, 'data')), 'SIGINT');
      expect(await ended).toEqual([1, null]);
      expect(running.log()).toMatch(/PostgreSQL has ended.*:\n(.+\n)*.*database system is shut down/);
      await rm(folder, { recursive: true, force: true });
    },
    startMs,
  );

  test(
    'stopped before all are there, it takes its PostgreSQL along',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'parley-command-'));
      await chmod(folder, 0o755);
      const child = spawn(process.execPath, [cluster, `--main=${built.main}`], {
        env: { PATH: process.env.PATH ?? '', DATA_DIR: join(folder, 'data') },
        stdio: 'ignore',
      });
      let postgres = 0;
      await eventually('PostgreSQL has been started', async () => {
        postgres = await postgresIn(join(folder, 'data')).catch(() => 0);
        return postgres > 0;
      });
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      expect(await closed).toEqual([0, null]);
      expect(isAlive(postgres)).toBe(false);
      await rm(folder, { recursive: true, force: true });
    },
    startMs,
  );

  test('where PostgreSQL cannot make its database, the command says which folder is meant', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-command-'));
    const data = join(folder, 'postgres/data');
    await mkdir(data, { recursive: true });
    await writeFile(join(data, 'note.txt'), 'somebody else keeps this here');
    const child = spawn(process.execPath, [cluster, `--main=${built.main}`], {
      env: { PATH: process.env.PATH ?? '', DATA_DIR: folder },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (text) => {
      said += text;
    });
    const [code] = await once(child, 'close');
    expect(code).toBe(1);
    expect(said).toContain(`PostgreSQL could not make its database in ${data}: set DATA_DIR to a folder`);
    expect(said).not.toContain(' at ');
    await rm(folder, { recursive: true, force: true });
  });
});

test('who has said all is still answered, and what is behind the balancer hears the end', async () => {
  const running = await launch(cluster, [`--main=${join(root, 'test/support/answers-the-end.mjs')}`], {
    PORT: String(port),
    DATABASE_URL: 'postgres://nobody-is-asked',
  });
  const socket = connectTo({ port, host: '127.0.0.1', allowHalfOpen: true });
  let heard = '';
  socket.on('data', (text) => {
    heard += text;
  });
  socket.end('all of it');
  await once(socket, 'close');
  expect(heard).toBe('heard: all of it');
  expect(await running.end('SIGTERM')).toBe(0);
});

test.skipIf(!hasPostgres)('data are read by the programs of the version that wrote them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-version-'));
  await chmod(folder, 0o755);
  const [bin, data] = [join(folder, 'bin'), join(folder, 'kept/data')];
  for (const made of [bin, data]) await mkdir(made, { recursive: true });
  await writeFile(join(data, 'PG_VERSION'), '98\n');
  await writeFile(join(bin, 'initdb'), '');
  const program = [
    '#!/bin/sh',
    `[ "$1" = --version ] && echo 'postgres (PostgreSQL) 98.1' && exit`,
    'echo ready to accept connections >&2',
    'exec sleep 60',
  ];
  await writeFile(join(bin, 'postgres'), program.join('\n'), { mode: 0o755 });
  vi.stubEnv('PATH', `${process.env.PATH}:${bin}`);
  // The others would say that they cannot read them.
  await (await startPostgres(join(folder, 'kept'))).stop();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

test('others take the place of processes that end by themselves', async () => {
  const running = await launch(cluster, [`--main=${join(root, 'test/support/answers-the-end.mjs')}`], {
    PORT: String(port),
    DATABASE_URL: 'postgres://nobody-is-asked',
  });
  const say = async (what: string) => {
    const socket = connectTo({ port, host: '127.0.0.1', allowHalfOpen: true });
    let heard = '';
    socket.on('data', (text) => {
      heard += text;
    });
    socket.on('error', () => socket.destroy());
    socket.end(what);
    await once(socket, 'close');
    return heard;
  };
  const ends = () => running.log().split(' ended; ').length - 1;
  for (const count of [1, 2, 3]) {
    await say('go');
    await expect.poll(ends, { timeout: 30_000 }).toBe(count);
  }
  await eventually('somebody answers', async () => (await say('x')) === 'heard: x');
  expect(await running.end('SIGTERM')).toBe(0);
}, 60_000);

test.each([
  ['PostgreSQL', {}, /^No PostgreSQL found\. Install .* or set DATABASE_URL/],
  ['a port', { PORT: 'many' }, /^PORT must be a port between 1 and 65535\.\n$/],
])('without %s the command says what it needs', async (_, more, sentence) => {
  const child = spawn(process.execPath, [cluster, '--main=unused'], {
    env: { PATH: process.env.PATH ?? '', POSTGRES_BIN: '/nowhere', ...more },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(said).toMatch(sentence);
});

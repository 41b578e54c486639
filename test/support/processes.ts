/** The service as processes of its own, built once, on a PostgreSQL of the tests' own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { findPostgres, type LocalPostgres, startPostgres } from '../../demo/postgres.mjs';
import { type Answer, type Place, request } from './service.js';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export const hasPostgres = findPostgres() !== undefined;

export interface Built {
  main: string;
  remove(): Promise<void>;
}

export async function buildService(entry = 'demo/service/main.ts'): Promise<Built> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-built-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const outDir = join(folder, 'demo/service');
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: { ssr: join(root, entry), outDir, emptyOutDir: true },
  });
  return {
    main: join(outDir, `${basename(entry, '.ts')}.js`),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

export interface TestPostgres extends LocalPostgres {
  remove(): Promise<void>;
}

/** Empty, and quick: it need not survive the machine. */
export async function makePostgres(): Promise<TestPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-postgres-'));
  const postgres = await startPostgres(folder, { fsync: 'off', synchronous_commit: 'off' });
  return {
    ...postgres,
    async remove() {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** For processes that share one database, whatever the other services of the file run on. */
export async function makeSharedPlace(): Promise<Place> {
  const postgres = await makePostgres();
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-shared-'));
  return {
    dataDir,
    databaseUrl: postgres.url,
    async remove() {
      await postgres.remove();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export interface Running {
  url: string;
  token: string;
  child: ChildProcess;
  printed(): string;
  /** What came on standard error: the log. */
  log(): string;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  agent(method: string, path: string, body?: unknown): Promise<Answer>;
  /** @returns the exit code */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

const link = /(http:\S+)\/agent#token=(\S+)\n/;

/** Whatever prints the console's link: the service, or the cluster. */
export async function launch(
  program: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Running> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let log = '';
  child.stderr.on('data', (text) => {
    log += text;
  });
  const [url, token] = await new Promise<string[]>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      printed += text;
      const found = link.exec(printed);
      if (found) resolve(found.slice(1));
    });
    child.once('exit', () => reject(new Error(`${printed}${log}`)));
  });
  if (!url || !token) throw new Error(printed);
  return {
    url,
    token,
    child,
    printed: () => printed,
    log: () => log,
    call: (method, path, body) => request(url + path, method, body),
    agent: (method, path, body) => request(url + path, method, body, { api_access_token: token }),
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exit = once(child, 'exit');
      child.kill(signal);
      const [code] = await exit;
      return code;
    },
  };
}

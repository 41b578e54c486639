/**
 * Puts the service together and takes it down again. Everything it needs is in its options: it reads no
 * environment and prints nothing, so tests start as many as they like.
 */
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { MiddlewareHandler } from 'hono';
import type { DestinationStream } from 'pino';
import { createLanes } from '../lanes.js';
import { createCable } from './cable.js';
import type { Core } from './core.js';
import { createMatchers } from './domain/patterns.js';
import { localBus } from './events.js';
import { countAddresses } from './http/addresses.js';
import { boundAnswerBacklog } from './http/answer-backlog.js';
import { createApp } from './http/app.js';
import type { Env } from './http/endpoint.js';
import { createServer } from './http/server.js';
import { allowSlowBodies } from './http/slow-bodies.js';
import { openStatics, type StaticDirectory } from './http/statics.js';
import { defaultWebhooks, type WebhookOptions } from './jobs/deliveries.js';
import { startJobs } from './jobs/jobs.js';
import { defaultLimits, type Limits } from './limits.js';
import { createLog, type LogLevel } from './log.js';
import { createMetrics } from './metrics.js';
import { lockFolder } from './pid-lock.js';
import { presence, sharedPresence } from './presence.js';
import { randomToken } from './secrets.js';
import { seed } from './seed.js';
import { openSharedBus } from './shared-bus.js';
import type { Database } from './store/database.js';
import { migrate } from './store/migrate.js';
import { openPglite } from './store/pglite.js';
import { openPostgres } from './store/postgres.js';
import { knowsLetters, prepareSearch } from './store/search.js';
import { openUploads } from './uploads.js';

export interface ServiceOptions {
  host?: string;
  /** 0 is any free one. */
  port?: number;
  /** Uploads, access token and, without `databaseUrl`, the embedded database. */
  dataDir: string;
  databaseUrl?: string;
  inboxIdentifier?: string;
  /** Without one, a random one is kept in `dataDir`. */
  apiAccessToken?: string;
  statics?: readonly StaticDirectory[];
  log?: LogLevel;
  logTo?: DestinationStream;
  /** As the reference deployment: `echo_id` only in the frame, nothing recognised. */
  forgetEchoId?: boolean;
  limits?: Partial<Limits>;
  webhooks?: Partial<WebhookOptions>;
  /** The address the world knows, where it differs: addresses of files begin with it. */
  publicUrl?: string;
  /** How many proxies of ours stand before the service; each writes who asked it at the end of X-Forwarded-For. */
  proxies?: number;
  /** Between the word that the end is near and the end: a balancer needs a while to notice. */
  drainMs?: number;
  /** Another process has the embedded database: nothing may be written any more, not even to say goodbye. */
  onLost?: () => void;
  /** In front of every request; where tests place faults. */
  before?: MiddlewareHandler<Env>;
}

export interface Service {
  url: string;
  port: number;
  consoleUrl: string;
  inboxIdentifier: string;
  apiAccessToken: string;
  /** For tests and tools that look behind the API. */
  db: Database;
  stop(): Promise<void>;
}

/** Longer than balancers keep a connection (60 s): who closes first meets no request that is on its way. */
const keepAliveMs = 75_000;

/** Until who does not leave is cut: sockets come back by themselves, requests may be long uploads. */
const socketGraceMs = 2000;
export const requestGraceMs = 10_000;

async function keptToken(dataDir: string): Promise<string> {
  const file = join(dataDir, 'access-token');
  const read = async () => {
    try {
      return (await readFile(file, 'utf8')).trim();
    } catch (error) {
      // One that this user may not read opens the console of somebody who goes on with it.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
      return '';
    }
  };
  const kept = await read();
  if (kept) return kept;
  // Written before it has its name: whoever starts at the same moment reads all of it.
  const own = `${file}-${randomToken(6)}`;
  await writeFile(own, `${randomToken(24)}\n`, { mode: 0o600 });
  try {
    await link(own, file);
  } catch (error) {
    // Another process of the same folder was quicker.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    // Or one ended before it had written anything.
    if (!(await read())) await rename(own, file);
  } finally {
    await rm(own, { force: true });
  }
  return read();
}

async function openDatabase(options: ServiceOptions, onIdleError: () => void): Promise<Database> {
  const { connectionMs, answerMs } = { ...defaultLimits, ...options.limits };
  if (options.databaseUrl) return openPostgres(options.databaseUrl, onIdleError, connectionMs, answerMs);
  const unlock = await lockFolder(options.dataDir, undefined, options.onLost);
  try {
    const db = await openPglite(join(options.dataDir, 'database'));
    return {
      ...db,
      async close() {
        try {
          await db.close();
        } finally {
          await unlock();
        }
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      server.off('error', reject);
      if (address && typeof address === 'object') resolve(address);
      else reject(new Error('the server listens on no port'));
    });
  });
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), requestGraceMs);
  await closed;
  clearTimeout(cut);
}

/** The address to write into a browser: one cannot visit "all interfaces". */
function visitable(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const { dataDir, host = '127.0.0.1', port = 0, inboxIdentifier = 'demo-inbox' } = options;
  const log = createLog(options.log ?? 'silent', options.logTo);
  await mkdir(dataDir, { recursive: true });
  const db = await openDatabase(options, () => log.error({ error: 'an idle database connection ended' }));
  /** What was opened, as ways to close it; the newest is closed first. */
  const open: (() => unknown)[] = [() => db.close()];
  const closeAll = async () => {
    for (let close = open.pop(); close; close = open.pop()) await close();
  };
  try {
    await migrate(db, log);
    if (!(await prepareSearch(db, log))) log.info({ search: 'without pg_trgm' });
    if (!(await knowsLetters(db)))
      log.error({ search: 'the database tells É from é: create it with the locale C.UTF-8 or a language' });
    const apiAccessToken = options.apiAccessToken ?? (await keptToken(dataDir));
    const shared = await openSharedBus(db, log);
    if (shared) open.push(() => shared.stop());
    const bus = shared ?? localBus();
    await seed(db, bus, { inboxIdentifier, apiAccessToken });
    let url = '';
    let isDraining = false;
    const present = shared ? sharedPresence(presence(), shared) : undefined;
    if (present) open.push(() => present.stop());
    const core: Core = {
      db,
      bus,
      uploads: await openUploads(dataDir),
      presence: present ?? presence(),
      lanes: createLanes(),
      limits: { ...defaultLimits, ...options.limits },
      coming: { bytes: 0 },
      publicUrl: () => options.publicUrl ?? url,
      forgetEchoId: options.forgetEchoId ?? false,
      metrics: createMetrics(),
      matcher: createMatchers(),
      isDraining: () => isDraining,
      wake: () => undefined,
    };
    const addresses = countAddresses(core.limits.requestsPerAddress, options.proxies ?? 0);
    const app = createApp(
      core,
      log,
      {
        statics: await openStatics(options.statics ?? [], join(dataDir, 'builds'), log),
        inbox: inboxIdentifier,
        publicUrl: options.publicUrl,
      },
      addresses,
      options.before,
    );
    const server = createServer(app.fetch);
    server.keepAliveTimeout = keepAliveMs;
    allowSlowBodies(server, core.limits.silentBodyMs);
    core.metrics.gauge(
      'parley_answer_unread_bytes',
      'What readers of answers have not taken yet',
      boundAnswerBacklog(server, core.limits.answerBacklogBytes),
    );
    const address = await listen(server, host, port);
    url = visitable(host, address.port);
    const jobs = startJobs(core, { ...defaultWebhooks, ...options.webhooks }, log);
    open.push(() => jobs.stop());
    core.wake = () => jobs.wake();
    const cable = createCable(server, core, addresses, log);
    open.push(async () => {
      const served = closeServer(server);
      await cable.stop(socketGraceMs);
      await served;
    });
    log.info({ listening: address.port });

    let stopping: Promise<void> | undefined;
    return {
      url,
      port: address.port,
      consoleUrl: `${options.publicUrl ?? url}/agent#token=${encodeURIComponent(apiAccessToken)}`,
      inboxIdentifier,
      apiAccessToken,
      db,
      stop() {
        stopping ??= (async () => {
          isDraining = true;
          log.info({ draining: true });
          if (options.drainMs) await new Promise((resolve) => setTimeout(resolve, options.drainMs));
          await closeAll();
        })();
        return stopping;
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

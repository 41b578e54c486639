/**
 * `npm run start:cluster`: three processes of the service on one PostgreSQL, behind one address. PostgreSQL is
 * DATABASE_URL, or one of our own in DATA_DIR. The balancer hands connections round in turn, and passes by a process
 * that is not there; each connection stays where it is, as sockets must. Another process takes the place of one that
 * ends by itself; when our PostgreSQL does, all end.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { install, root } from './install.mjs';
import { findPostgres, howToGetPostgres, startPostgres } from './postgres.mjs';

const count = 3;
const port = Number(process.env.PORT || 3000);
if (!Number.isInteger(port) || port < 1 || port > 65_535) fail('PORT must be a port between 1 and 65535.');
const host = process.env.HOST || '127.0.0.1';
/** What is no number is refused by the first process. */
const drainMs = 1000 * Number(process.env.DRAIN_SECONDS || 0) || 0;
const dataDir = resolve(process.env.DATA_DIR || './data');

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

if (!process.env.DATABASE_URL && !findPostgres()) fail(howToGetPostgres);
const built = process.argv.find((argument) => argument.startsWith('--main='))?.slice('--main='.length);
if (!built) {
  install();
  process.chdir(root);
  const { createBuilder } = await import('vite');
  await (await createBuilder({ root, logLevel: 'warn' })).buildApp();
}

const main = built ?? join(root, 'dist/demo/service/main.js');
/** One cannot visit "all interfaces". */
const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
const ownUrl = `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
const publicUrl = (process.env.PUBLIC_URL || ownUrl).replace(/\/$/, '');
/** As for one process: nobody but this machine reaches it. */
const isHome =
  ['127.0.0.1', '::1', 'localhost'].includes(host) && !process.env.PUBLIC_URL && !Number(process.env.PROXIES);
/** All that run, and those of them that answer already. */
const children = new Set();
const processes = [];
let stopping = false;
let starting;
let balancer;

async function stop(code) {
  if (stopping) return;
  stopping = true;
  const gone = Promise.all([...children].map((child) => once(child, 'exit')));
  for (const child of children) child.kill('SIGTERM');
  // They still answer, and say that the end is near.
  if (balancer?.listening) await Promise.race([setTimeout(drainMs), gone]);
  balancer?.close();
  await gone;
  const postgres = await starting?.catch(() => undefined);
  await postgres?.stop();
  process.exit(code);
}
// A terminal and npm may both say it, and a terminal that is closed says it in its own way: from here on there is
// something to be stopped.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => void stop(0));

// In a group of its own: the services answer what is under way, and need it until then.
starting = process.env.DATABASE_URL
  ? undefined
  : startPostgres(join(dataDir, 'postgres'), {}, { ownGroup: true });

/** Who lived no longer is likely to end at once again. */
const briefMs = 10_000;
const longestPauseMs = 30_000;
const longer = (pauseMs) => Math.min(longestPauseMs, Math.max(1000, 2 * pauseMs));

/**
 * @param waitedMs before this start
 * @returns where it listens, and the administrator's token
 */
async function start(databaseUrl, waitedMs = 0) {
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      PUBLIC_URL: publicUrl,
      ...(isHome ? { WEBHOOK_ALLOW_PRIVATE: process.env.WEBHOOK_ALLOW_PRIVATE || '1' } : {}),
    },
    // By the last one it hears that this process is no more, however that ended.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  let printed = '';
  const [address, token] = await new Promise((done, reject) => {
    child.once('exit', () => reject(new Error('A process of the service did not start.')));
    child.stdout.on('data', (text) => {
      printed += text;
      const found = /^Host page\s+(http:\S+)\/\nConsole\s+\S+#token=(\S+)\n/m.exec(printed);
      if (found) done(found.slice(1));
    });
  });
  const one = { child, port: Number(new URL(address).port) };
  processes.push(one);
  const startedAt = Date.now();
  child.once('exit', () => {
    processes.splice(processes.indexOf(one), 1);
    if (stopping) return;
    console.error(
      `The process on port ${one.port} ended; ${processes.length} are left, and another is started.`,
    );
    void replace(databaseUrl, Date.now() - startedAt < briefMs ? longer(waitedMs) : 0);
  });
  return { address, token };
}

async function replace(databaseUrl, pauseMs) {
  for (let waitedMs = pauseMs; ; waitedMs = longer(waitedMs)) {
    await setTimeout(waitedMs);
    if (stopping) return;
    try {
      await start(databaseUrl, waitedMs);
      return;
    } catch (error) {
      if (!stopping) console.error(error.message);
    }
  }
}

let turn = 0;
const lingerMs = 60_000;

/** The next process that answers gets the connection. Either side may have said all and still be answered. */
function pass(client, left = processes.length) {
  const next = processes[turn++ % Math.max(1, processes.length)];
  if (!next || left === 0) return client.destroy();
  const server = connect({ port: next.port, host: '127.0.0.1', allowHalfOpen: true });
  server.once('error', () => pass(client, left - 1));
  server.once('connect', () => {
    server.removeAllListeners('error');
    if (client.destroyed) return server.destroy();
    // What follows an error is the close.
    server.on('error', () => undefined);
    client.on('close', () => server.destroy());
    // The answer may still be on its way to somebody slow; who takes nothing, and does not hang up, goes.
    server.on('end', () => client.setTimeout(lingerMs, () => client.destroy()));
    server.on('close', () => server.readableEnded || client.destroy());
    client.pipe(server).pipe(client);
  });
}

// One after another: the first one brings the schema and the first account.
let token = '';
const addresses = [];
try {
  const postgres = await starting;
  void postgres?.ended.then(() => {
    if (!stopping)
      console.error(`PostgreSQL has ended, and all end with it. Its last words:\n${postgres.said()}`);
    void stop(1);
  });
  for (let n = 0; n < count && !stopping; n += 1) {
    const started = await start(process.env.DATABASE_URL || postgres?.url);
    token = started.token;
    addresses.push(started.address);
  }
} catch (error) {
  // Whoever stops it has ended them.
  if (!stopping) console.error(error.message);
  void stop(1);
}
if (!stopping) {
  balancer = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (client) => {
    client.on('error', () => client.destroy());
    pass(client);
  });
  balancer.once('error', (error) => {
    console.error(
      error.code === 'EADDRINUSE' ? `Port ${port} is in use: set PORT to another one.` : error.message,
    );
    void stop(1);
  });
  balancer.listen(port, host, () => {
    console.log(`Processes  ${addresses.join(' ')}`);
    console.log(`Host page  ${publicUrl}/`);
    console.log(`Console    ${publicUrl}/agent#token=${token}`);
  });
}

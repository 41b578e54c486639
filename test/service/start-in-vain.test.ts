/** A start that fails leaves nothing open: the program that asked for it can go on, or end, as if it had not asked. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Built, buildService, hasPostgres, makeSharedPlace } from '../support/processes.js';
import { type Place, startedPlace, startMs } from '../support/service.js';

const taken = net.createServer();
let built: Built;
beforeAll(async () => {
  built = await buildService('test/support/start-in-vain.ts');
  await once(taken.listen(0, '127.0.0.1'), 'listening');
}, startMs);
afterAll(async () => {
  taken.close();
  await built.remove();
});

async function inVain(place: Place): Promise<string> {
  const address = taken.address();
  if (!address || typeof address === 'string') throw new Error('nobody listens');
  const child = spawn(process.execPath, [built.main], {
    env: {
      PATH: process.env.PATH ?? '',
      DATA_DIR: place.dataDir,
      PORT: String(address.port),
      ...(place.databaseUrl === undefined ? {} : { DATABASE_URL: place.databaseUrl }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    // Far beyond what its own timers wait for.
    timeout: 60_000,
  });
  let printed = '';
  child.stdout.on('data', (data) => {
    printed += data;
  });
  const [code, signal] = await once(child, 'close');
  return `${printed.trim()} ${signal ?? code}`;
}

const ended = /^Error: listen EADDRINUSE: .* 0$/;

test(
  'where the port is in use the program ends by itself, and its folder is free',
  async () => {
    const place = await startedPlace();
    expect(await inVain(place)).toMatch(ended);
    expect(existsSync(join(place.dataDir, 'service.pid'))).toBe(false);
    await place.remove();
  },
  startMs,
);

test.skipIf(!hasPostgres)(
  'so it does on PostgreSQL, where one connection has been listening for others',
  async () => {
    const place = await makeSharedPlace();
    expect(await inVain(place)).toMatch(ended);
    await place.remove();
  },
  startMs,
);

/** One folder that two containers, or two machines, have: neither can ask for the processes of the other. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { lockFolder } from '../../demo/service/pid-lock.js';
import { type Built, buildService } from '../support/processes.js';
import { type Place, startedPlace, startMs } from '../support/service.js';

/** As another container has it: the process that has our number, or none, is not the one that is meant. */
const inContainer = [
  'unshare',
  '--pid',
  '--fork',
  '--kill-child=SIGKILL',
  '--mount-proc',
  process.execPath,
] as const;
const mayUnshare =
  process.platform === 'linux' &&
  spawnSync(inContainer[0], [...inContainer.slice(1), '-e', '0']).status === 0;

const pace = { touchMs: 50, watchMs: 1000 };
let built: Built;
let place: Place;
beforeAll(async () => {
  built = await buildService();
}, startMs);
afterAll(() => built?.remove());
beforeEach(async () => {
  place = await startedPlace();
});
afterEach(() => place.remove());

function runService([command = '', ...args]: string[]) {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR: place.dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  /** What it said on its way out. */
  const end = new Promise<string>((resolve) => child.once('close', () => resolve(said)));
  const started = new Promise<string>((resolve) =>
    child.stdout.on('data', (text) => String(text).includes('Console') && resolve('started')),
  );
  return { child, end, outcome: Promise.race([started, end]) };
}

const lockOf = () => join(place.dataDir, 'service.pid');

test.each([
  ['that is ours here', process.pid],
  ['that nobody has here', 2 ** 22 + 1],
])('a lock with a number %s is taken once nobody touches it', async (_, pid) => {
  await writeFile(lockOf(), `${pid} 1 another-boot/pid:[4026532000]\n`);
  const touching = setInterval(() => {
    const long = new Date(Date.now() - 3_600_000 + Math.random() * 1000);
    void utimes(lockOf(), long, long);
  }, 50);
  await expect(lockFolder(place.dataDir, pace)).rejects.toThrow(/^Another service already uses/);
  clearInterval(touching);
  const unlock = await lockFolder(place.dataDir, pace);
  expect((await readFile(lockOf(), 'utf8')).split(' ')[0]).toBe(String(process.pid));
  await unlock();
});

test('who was held up until another one took the folder ends, and takes nothing from that one', async () => {
  const held = runService([process.execPath, built.main]);
  expect(await held.outcome).toBe('started');
  const theirs = `${2 ** 22 + 1} 1 another-boot/pid:[4026532000]\n`;
  await writeFile(lockOf(), theirs);
  expect(await held.end).toMatch(/^Another service has taken .*DATA_DIR\.\n$/);
  expect(await readFile(lockOf(), 'utf8')).toBe(theirs);
});

test.skipIf(!mayUnshare)(
  'of two containers that have one folder the second does not open its database',
  async () => {
    const start = () => runService([...inContainer, built.main]);
    const first = start();
    expect(await first.outcome).toBe('started');
    const second = start();
    const said = await second.outcome;
    for (const { child } of [first, second]) {
      if (child.exitCode !== null) continue;
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    }
    expect(said).toMatch(/^Another service already uses .*DATABASE_URL\.\n$/);
  },
  startMs,
);

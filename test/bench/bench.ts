/**
 * `npm run bench`: ourselves beside what owners would otherwise use and beside the physical limit, in one run on this
 * machine. `-- --quick` ends within three minutes once the candidates are there; `--only names` picks some, `--runs n`
 * and `--minutes n` bound it otherwise. Writes `results.json` and the README's section (`--no-readme` leaves that).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { engines, howToGet, switches } from '../system.mjs';
import { type Measured, type Round, visitAll } from './beside.js';
import { filesOf, makeCandidates } from './candidates.js';
import { longThread } from './feed.js';
import { startHost } from './host.js';
import { ourFiles, ourHead, ourWays, wholeBytes } from './ours.js';
import { peers } from './peers/index.js';
import type { Peer } from './peers/peer.js';
import { promisesOf } from './promises.js';
import { type Candidate, keep, print, type Results, writeReadme } from './report.js';
import { machine, moment } from './results.js';
import { type RoundTrip, roundTrip } from './round-trip.js';
import { startServiceProcess } from './service-process.js';
import { type Target, within } from './visit.js';

const flags = {
  quick: { type: 'boolean', default: false },
  only: { type: 'string' },
  runs: { type: 'string' },
  minutes: { type: 'string' },
  'no-readme': { type: 'boolean', default: false },
} as const;

const root = join(import.meta.dirname, '../..');
const INBOX = 'demo-inbox';
const PAGE_SCRIPT = '<script type="module" async src="page.js"></script>';
const QUICK_SECONDS = 165;
const THREAD_SECONDS = { quick: 60, full: 1200 };
const seconds = () => performance.now() / 1000;

function launcher(): () => Promise<Browser> {
  const { chromium: executablePath } = engines();
  if (!executablePath) throw new Error(howToGet.chromium);
  return () => chromium.launch({ executablePath, args: [...switches] });
}

/** Our long conversations, with the tests' own ways of making and reading them. */
async function ourThreads(quick: boolean, limitSeconds: number): Promise<Results['thread']> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const file = join(folder, 'thread.json');
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'bench', '--reporter=dot'],
    {
      cwd: root,
      env: {
        ...process.env,
        BENCH_THREAD: file,
        BENCH_SECONDS: String(limitSeconds * 0.85),
        ...(quick ? { BENCH_QUICK: '1' } : {}),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const timers = [
    setTimeout(() => child.kill(), limitSeconds * 1000),
    setTimeout(() => child.kill('SIGKILL'), (limitSeconds + 5) * 1000),
  ];
  await once(child, 'exit');
  for (const timer of timers) clearTimeout(timer);
  const found: Results['thread'] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  rmSync(folder, { recursive: true, force: true });
  return found;
}

/** Where the machine is slow, the rounds that matter most come first. */
function roundsOf(quick: boolean, runs: number): Round[] {
  const each = quick ? (['slow', 'phone', 'slow', 'slow'] as const) : undefined;
  if (each) return each.map((condition) => ({ condition }));
  return Array.from({ length: runs }, () =>
    (['slow', 'phone', 'desk'] as const).map((condition) => ({ condition })),
  ).flat();
}

async function feedAll(
  candidates: Candidate[],
  targets: ReadonlyMap<string, Target>,
  launch: () => Promise<Browser>,
  until: number,
) {
  const sizes = [100, 1_000, 10_000];
  for (const one of candidates) {
    const target = targets.get(one.name);
    const canBeFed = peers.find(({ name }) => name === one.name)?.feeds;
    if (!target || !canBeFed || one.absent) continue;
    one.threads = {};
    for (const size of sizes) {
      if (performance.now() > until) return;
      // A browser of its own: one that hangs on ten thousand messages is no use to the next.
      const browser = await launch();
      try {
        one.threads[size] = await within(
          240_000,
          'took more than four minutes',
          longThread(browser, target, size),
        );
      } catch (error) {
        one.threads[size] = error instanceof Error ? (error.message.split('\n')[0] ?? 'failed') : 'failed';
      } finally {
        await within(10_000, 'the browser did not close', browser.close()).catch(() => {});
      }
      console.log(
        `  ${one.title}, ${size} messages: ${typeof one.threads[size] === 'string' ? one.threads[size] : 'measured'}`,
      );
    }
  }
}

const targetOf = (
  peer: Peer,
  host: { pageOf: (name: string) => string; weightOf: Target['weightOf'] },
): Target => {
  const { launcher: way, composer, thread } = peer;
  const ways = { launcher: way, ...(composer ? { composer } : {}), ...(thread ? { thread } : {}) };
  return { url: host.pageOf(peer.name), ways, weightOf: host.weightOf };
};

export async function run(): Promise<void> {
  const { values } = parseArgs({ args: process.argv.slice(3), options: flags });
  const { quick } = values;
  const launch = launcher();
  if (!existsSync(join(ourFiles, 'parley.js'))) throw new Error('Nothing is built yet: run "npm run bench".');
  const wanted = (name: string) => values.only === undefined || values.only.split(',').includes(name);
  const some = peers.filter(({ name }) => wanted(name));
  const began = moment();
  const absent = await makeCandidates(some);
  // What was installed is there for the next time: the clock of a quick run begins when everybody is here.
  const startedAt = seconds();
  const limit = Number(values.minutes ?? 0) * 60 || (quick ? QUICK_SECONDS : 3 * 3600);
  const left = () => startedAt + limit - seconds();

  console.log('Our long conversations …');
  const thread = await ourThreads(
    quick,
    Math.min(quick ? THREAD_SECONDS.quick : THREAD_SECONDS.full, left() / 2),
  );
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const { child, url, token } = await startServiceProcess(dataDir, '');
  console.log('The round trip …');
  let trip: RoundTrip | undefined;
  let measured: Measured[] = [];
  const candidates: Candidate[] = [];
  let browserName = '';
  try {
    const tripMs = Math.min(quick ? 10 : 120, left() / 3) * 1000;
    trip = await roundTrip({ url, token, inbox: INBOX }, quick ? 200 : 2000, tripMs).catch(
      (error: unknown) => {
        console.log(`The round trip failed: ${error}`);
        return undefined;
      },
    );
    const here = some.filter(({ name }) => !absent.has(name));
    const host = await startHost([
      { name: 'page', head: '' },
      { name: 'parley', head: ourHead(url, INBOX), files: ourFiles },
      ...here.map(({ name, head = PAGE_SCRIPT, stub }) => ({
        name,
        head,
        files: filesOf({ name }),
        ...(stub ? { stub } : {}),
      })),
    ]);
    try {
      const targets = new Map<string, Target>([
        ['page', { url: host.pageOf('page'), ways: {}, weightOf: host.weightOf }],
        ['parley', { url: host.pageOf('parley'), ways: ourWays, weightOf: host.weightOf }],
        ...here.map((peer) => [peer.name, targetOf(peer, host)] as const),
      ]);
      const probe = await launch();
      browserName = `Chromium ${probe.version()}`;
      await probe.close();
      measured = await visitAll(
        targets,
        roundsOf(quick, Number(values.runs ?? 7)),
        launch,
        performance.now() + left() * 1000,
      );
      const nothing = { figures: {}, fetched: [], unfocused: false, retries: 0 };
      const of = (name: string): Measured =>
        measured.find((one) => one.name === name) ?? { name, ...nothing };
      candidates.push(
        { ...of('page'), title: 'the page alone', kind: 'page', notes: [] },
        { ...of('parley'), title: 'Parley', kind: 'ours', notes: [] },
        ...some.map((peer): Candidate => {
          const [version] = Object.values(peer.packages);
          const one = of(peer.name);
          const reason =
            absent.get(peer.name) ??
            (Object.keys(one.figures).length ? undefined : (one.failed ?? 'no time was left'));
          return {
            ...one,
            title: peer.title,
            kind: peer.kind,
            notes: peer.notes,
            ...(version ? { version } : {}),
            ...(reason ? { absent: reason } : {}),
          };
        }),
      );
      if (!quick) await feedAll(candidates, targets, launch, performance.now() + left() * 1000);
    } finally {
      host.close();
    }
  } finally {
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
    rmSync(dataDir, { recursive: true, force: true });
  }
  const found = {
    ...began,
    ...machine(),
    browser: browserName,
    quick,
    tookSeconds: Math.round(seconds() - startedAt),
    wholeBytes: wholeBytes(),
    candidates,
    thread,
    ...(trip ? { roundTrip: trip } : {}),
  };
  const results = keep({ ...found, promises: promisesOf(found) });
  print(results);
  if (!values['no-readme']) writeReadme(results);
}

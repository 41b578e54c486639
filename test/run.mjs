/**
 * `npm test`: installs what is missing, then types, lint, build and the tests, and says what was not run. `--all` runs
 * the further ones, too, and `--long` those and the long campaigns instead. Ends with one line that counts the tests.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install, root } from '../demo/install.mjs';
import { startPostgres } from '../demo/postgres.mjs';
import {
  howToGet,
  howToGetNginx,
  howToGetPostgres,
  installEngines,
  installNginx,
  installPostgres,
  missingLanguages,
} from './system.mjs';

install();
process.chdir(root);
const long = process.argv.includes('--long');
const all = process.argv.includes('--all');
const wanted = ['chromium', 'firefox', 'webkit'];
const engines = installEngines([...wanted, 'shell']);
const postgres = installPostgres();
const nginx = long || installNginx();
const missing = long ? [] : missingLanguages();
const broken = [];

async function run(title, command, ...args) {
  console.log(`\n── ${title}`);
  const child = spawn(process.execPath, [join(root, 'node_modules', command), ...args], { stdio: 'inherit' });
  const [status] = await once(child, 'exit');
  if (status !== 0) broken.push(title);
}

if (!long) {
  await run('types', 'typescript/bin/tsc', '--noEmit');
  await run('lint', '@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.');
}
await run('build', 'vite/bin/vite.js', 'build', '--logLevel', 'warn');

/**
 * The tests write what none of them keeps: databases and profiles of browsers by the hundred. Where Linux offers memory
 * for such files and has plenty of it, that spares the disk. PostgreSQL runs as somebody else, who may pass through.
 */
const memory = '/dev/shm';
const plentyBytes = 4 * 2 ** 30;
const roomIn = (place) => {
  const { bavail, bsize } = statfsSync(place);
  return bavail * bsize;
};
const inMemory = existsSync(memory) && roomIn(memory) >= plentyBytes;
const folder = mkdtempSync(join(inMemory ? memory : tmpdir(), 'parley-test-'));
chmodSync(folder, 0o711);
if (inMemory) process.env.TMPDIR = folder;
// Whoever interrupts the tests has them put away all the same: they end, and what is below follows.
process.on('SIGINT', () => {});
/** What is tested of the widget takes a third less of the processors on it than on the embedded database. */
const shared = postgres
  ? await startPostgres(join(folder, 'postgres'), { fsync: 'off', synchronous_commit: 'off' })
  : undefined;
if (shared) process.env.TEST_DATABASE_URL = shared.url;
const report = join(folder, 'report.json');
const everyday = [
  'unit',
  'service',
  'requests',
  'chat',
  ...(engines.chromium ? ['browser'] : []),
  ...(engines.chromium && nginx ? ['nginx'] : []),
  ...wanted.filter((name) => engines[name]).map((name) => `engines-${name}`),
];
const further = [
  'further-service',
  ...(postgres ? ['further-postgres'] : []),
  ...(engines.chromium ? ['further-browser'] : []),
  ...wanted.filter((name) => engines[name]).map((name) => `further-${name}`),
];
const projects = (long ? [...further, 'long'] : all ? [...everyday, ...further] : everyday).flatMap(
  (name) => ['--project', name],
);
await run(
  'tests',
  'vitest/vitest.mjs',
  'run',
  ...projects,
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
);
await shared?.stop();

let passed = 0;
let failed = broken.length;
try {
  const result = JSON.parse(readFileSync(report, 'utf8'));
  passed = result.numPassedTests;
  failed = result.numFailedTests + broken.filter((title) => title !== 'tests').length;
  if (!result.success && failed === 0) failed = 1;
} catch {
  failed = Math.max(failed, 1);
}
rmSync(folder, { recursive: true, force: true });

for (const name of wanted.filter((name) => !engines[name])) {
  const what = name === 'chromium' ? 'the tests in a real browser' : `the journeys in ${name}`;
  console.error(`\nNot run: ${what}. ${howToGet[name]}`);
  if (process.env.CI === 'true') failed++;
}
if (!postgres) {
  console.error(`\nNot run: the tests of several processes on one PostgreSQL. ${howToGetPostgres}`);
  if (process.env.CI === 'true') failed++;
}
if (!nginx) {
  console.error(`\nNot run: the tests behind nginx. ${howToGetNginx}`);
  if (process.env.CI === 'true') failed++;
}
for (const { language, isLarge, howToGet } of missing) {
  console.error(`\nNot run: the README’s example in ${language}, which was only read. ${howToGet}`);
  if (process.env.CI === 'true' && !isLarge) failed++;
}
for (const title of broken) console.error(`Failed: ${title}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);

/**
 * `npm test`: installs what is missing, then types, lint, build and every test, and says what was not run.
 * `--long` runs the long campaigns instead. Ends with one line that counts the tests.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install, root } from '../demo/install.mjs';
import { howToGet, howToGetPostgres, installEngines, installPostgres } from './system.mjs';

install();
process.chdir(root);
const long = process.argv.includes('--long');
const wanted = ['chromium', 'firefox', 'webkit'];
const engines = installEngines([...wanted, 'shell']);
const postgres = long || installPostgres();
const broken = [];

function run(title, command, ...args) {
  console.log(`\n── ${title}`);
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', command), ...args], {
    stdio: 'inherit',
  });
  if (status !== 0) broken.push(title);
}

if (!long) {
  run('types', 'typescript/bin/tsc', '--noEmit');
  run('lint', '@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.');
}
run('build', 'vite/bin/vite.js', 'build', '--logLevel', 'warn');

const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
const report = join(folder, 'report.json');
const everyday = [
  'unit',
  'service',
  'chat',
  ...(engines.chromium ? ['browser'] : []),
  ...wanted.filter((name) => engines[name]).map((name) => `engines-${name}`),
];
const projects = (long ? ['long'] : everyday).flatMap((name) => ['--project', name]);
run(
  'tests',
  'vitest/vitest.mjs',
  'run',
  ...projects,
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
);

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
for (const title of broken) console.error(`Failed: ${title}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);

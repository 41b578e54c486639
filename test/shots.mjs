/**
 * `npm run shots`: builds, starts the service, and takes a picture of every state of the gallery in both schemes and
 * directions, on a small phone, a phone and a desk. Names given as arguments are the only states taken.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install, root } from '../demo/install.mjs';
import { howToGet, installEngines } from './system.mjs';

install();
process.chdir(root);
const { chromium: executablePath } = installEngines(['chromium']);
if (!executablePath) {
  console.error(howToGet.chromium);
  process.exit(1);
}
const { createBuilder } = await import('vite');
await (await createBuilder({ root, logLevel: 'warn' })).buildApp();
const { chromium } = await import('playwright-core');

const SIZES = [
  { width: 320, height: 568 },
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];
const AT_ONCE = 2;
const folder = join(root, 'shots');
const data = mkdtempSync(join(tmpdir(), 'parley-shots-'));

const service = spawn(process.execPath, ['dist/demo/service/main.js'], {
  env: { ...process.env, PORT: '0', DATA_DIR: data },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const url = await new Promise((resolve, reject) => {
  let said = '';
  service.stdout.on('data', (bytes) => {
    said += bytes;
    const found = /Host page\s+(\S+)\//.exec(said)?.[1];
    if (found) resolve(found);
  });
  service.once('exit', () => reject(new Error('The service did not start.')));
});

const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--use-fake-ui-for-media-stream'],
});
let taken = 0;
const failed = [];
try {
  const index = await browser.newPage();
  await index.goto(`${url}/gallery`);
  const all = await index
    .locator('[data-state]')
    .evaluateAll((items) => items.map((item) => item.dataset.state));
  await index.close();
  const asked = process.argv.slice(2);
  const unknown = asked.filter((name) => !all.includes(name));
  if (unknown.length) throw new Error(`There is no state "${unknown[0]}". These are: ${all.join(', ')}.`);
  if (!asked.length) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const work = (asked.length ? asked : all).flatMap((state) =>
    ['ltr', 'rtl'].flatMap((dir) => SIZES.map((viewport) => ({ state, dir, viewport }))),
  );
  const worker = async () => {
    for (let job = work.shift(); job; job = work.shift()) {
      const { state, dir, viewport } = job;
      await take(job).catch((error) => failed.push(`${state}, ${dir}, ${viewport.width} px: ${error}`));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
} finally {
  await browser.close();
  service.kill('SIGTERM');
  await new Promise((resolve) => service.once('exit', resolve));
  rmSync(data, { recursive: true, force: true });
}
for (const sentence of failed) console.error(sentence);
console.log(`${taken} pictures in ${folder}`);
process.exitCode = failed.length ? 1 : 0;

async function take({ state, dir, viewport }) {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
  const page = await context.newPage();
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    // A new page for each: a state may move on while it is shown.
    await page.goto(`${url}/gallery-state?state=${state}&dir=${dir}`);
    await page.locator(`html[data-ready="${state}"]`).waitFor({ timeout: 20_000 });
    // They are written once the browser rests.
    await page.locator('time:empty').first().waitFor({ state: 'detached', timeout: 20_000 });
    await page.screenshot({ path: join(folder, `${state}-${viewport.width}-${colorScheme}-${dir}.png`) });
    taken++;
  }
  await context.close();
}

/**
 * The package in other hands: packed, installed from the tarball and built into apps that know nothing of us, in React,
 * in Vue, in plain HTML and on a server. What the apps need is installed once, into `dist/packages`.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { english as en } from '../../src/text/english.js';
import de from '../../src/text/locales/de.js';
import { createSay } from '../../src/text/text.js';
import { agent, chat, openShop, type Shop, said, useBrowser } from '../support/browser.js';
import { startMs, startTestService, type TestService } from '../support/service.js';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'test/packages');
const workshop = join(root, 'dist/packages');
const german = createSay('de', de, en);
const apps = ['react-app', 'vue-app', 'element-app', 'node-app'] as const;
const exec = promisify(execFile);

/** What it says, and whether it went well. */
async function run(file: string, args: string[], cwd = workshop, env: Record<string, string> = {}) {
  try {
    const { stdout } = await exec(file, args, { cwd, env: { ...process.env, ...env } });
    return { ok: true, said: stdout };
  } catch (error) {
    const { stdout = '', stderr = '' } = z
      .object({ stdout: z.string(), stderr: z.string() })
      .partial()
      .parse(error);
    return { ok: false, said: stdout + stderr };
  }
}
const node = (tool: string, args: string[], cwd: string, env?: Record<string, string>) =>
  run(process.execPath, [join(workshop, 'node_modules', tool), ...args], cwd, env);
const npm = async (...args: string[]) => {
  const { ok, said } = await run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error']);
  if (!ok) throw new Error(`npm ${args.join(' ')}: ${said}`);
};

const built = { 'react-app': 'development', 'vue-app': 'production', 'element-app': 'production' } as const;

const browser = await useBrowser();
let service: TestService;
const builds: Record<string, { ok: boolean; said: string }> = {};

beforeAll(async () => {
  if (!existsSync(join(root, 'dist/npm/package.json')))
    throw new Error('Nothing is built yet: run "npm run build" first.');
  mkdirSync(workshop, { recursive: true });
  const lock = createHash('sha256')
    .update(readFileSync(join(source, 'package-lock.json')))
    .digest('hex');
  const mark = join(workshop, 'installed');
  if (!existsSync(mark) || readFileSync(mark, 'utf8') !== lock) {
    for (const file of ['package.json', 'package-lock.json'])
      cpSync(join(source, file), join(workshop, file));
    await npm('ci', '--prefer-offline');
    writeFileSync(mark, lock);
  }
  await npm('pack', join(root, 'dist/npm'));
  const { version } = JSON.parse(readFileSync(join(root, 'dist/npm/package.json'), 'utf8'));
  // npm would take a file of the same name for the same package.
  const hash = createHash('sha256').update(readFileSync(join(workshop, `parley-${version}.tgz`)));
  const tarball = `parley-${hash.digest('hex').slice(0, 12)}.tgz`;
  renameSync(join(workshop, `parley-${version}.tgz`), join(workshop, tarball));
  rmSync(join(workshop, 'node_modules/parley'), { recursive: true, force: true });
  await npm('install', '--no-save', '--offline', `./${tarball}`);
  rmSync(join(workshop, tarball));
  for (const app of apps) {
    rmSync(join(workshop, app), { recursive: true, force: true });
    cpSync(join(source, app), join(workshop, app), { recursive: true });
  }
  for (const [app, mode] of Object.entries(built))
    builds[app] = await node('vite/bin/vite.js', ['build', '--mode', mode], join(workshop, app), {
      NODE_ENV: mode,
    });
  service = await startTestService({
    statics: Object.keys(built).map((app) => ({ path: `/${app}`, directory: join(workshop, app, 'dist') })),
  });
}, 300_000 + startMs);
afterAll(() => service?.end());

async function open(app: keyof typeof built): Promise<Shop> {
  expect(builds[app]).toMatchObject({ ok: true });
  return openShop(browser, `${service.url}/${app}/`);
}

/** Says something and hears an answer. */
async function converse({ page }: Shop, words: string, say?: Parameters<typeof chat>[1]): Promise<number> {
  await chat(page, say).say(words);
  const conversation = await agent(service).conversationOf(words);
  await agent(service).answer(conversation, `You said: ${words}`);
  await chat(page, say).bubble(`You said: ${words}`).waitFor();
  return conversation;
}
const press = ({ page }: Shop, name: string) => page.getByRole('button', { name, exact: true }).click();
const scripts = ({ requests }: Shop) => requests.filter(({ path }) => path.endsWith('.js')).length;
/** Under development React recommends its own tools. */
const calm = ({ console, errors }: Shop) =>
  expect([...console.filter((line) => !line.includes('React DevTools')), ...errors]).toEqual([]);

test('types check under bundler and nodenext, and refuse what is wrong', { timeout: 180_000 }, async () => {
  for (const app of apps)
    expect(await node('typescript/bin/tsc', ['-p', '.'], join(workshop, app)), app).toEqual({
      ok: true,
      said: '',
    });
  // On a server nothing of it looks for a page.
  const { ok, said } = await run(process.execPath, ['dist/server.js'], join(workshop, 'node-app'));
  expect(said).toBe(
    `${JSON.stringify({ mount: 'function', inReact: '<main>no chat</main>', inVue: '<main><!----></main>' })}\n`,
  );
  expect(ok).toBe(true);
});

test('what the manuals show of the package compiles', async () => {
  const folder = join(workshop, 'manual');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  let count = 0;
  for (const file of ['README.md', 'src/package/README.md'])
    for (const [, kind = '', code = ''] of readFileSync(join(root, file), 'utf8').matchAll(
      /^```(tsx?|vue)\n([\s\S]*?)^```/gm,
    )) {
      if (!code.includes("from 'parley")) continue;
      const script = kind === 'vue' ? (/<script[^>]*>([\s\S]*)<\/script>/.exec(code)?.[1] ?? '') : code;
      writeFileSync(join(folder, `example-${++count}.${kind === 'vue' ? 'ts' : kind}`), script);
    }
  expect(count).toBeGreaterThan(5);
  const { compilerOptions } = JSON.parse(readFileSync(join(source, 'react-app/tsconfig.json'), 'utf8'));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*'] }));
  expect(await node('typescript/bin/tsc', ['-p', '.'], folder)).toEqual({ ok: true, said: '' });
});

test('the package says of itself what is true', async () => {
  const { ok, said } = await node('publint/src/cli.js', ['node_modules/parley', '--strict'], workshop);
  expect(said).toMatch(/All good/);
  expect(ok).toBe(true);
});

test('a React app under StrictMode has one chat, in step with its options', async () => {
  const shop = await open('react-app');
  const { page } = shop;
  const here = chat(page);
  await here.launcher.waitFor();
  expect(await here.host.count()).toBe(1);
  // The rest waits for somebody who wants to chat.
  expect(scripts(shop)).toBe(1);
  await press(shop, 'Write to us');
  await here.field.waitFor();
  await page.getByRole('heading', { name: 'Ask the shop' }).waitFor();
  const conversation = await converse(shop, 'In React');
  expect(shop.sockets).toHaveLength(1);
  expect(scripts(shop)).toBeGreaterThan(3);

  await press(shop, 'Deutsch');
  const there = chat(page, german);
  await there.field.waitFor();
  expect(await said(page, german)).toEqual(['In React', 'You said: In React']);
  expect(shop.sockets).toHaveLength(1);

  // What can be had only by a new chat; the draft and the thread are where they were.
  await there.field.fill('Half a word');
  await press(shop, 'Another title');
  await page.getByRole('heading', { name: 'Ask somebody else' }).waitFor();
  await expect.poll(() => there.field.inputValue()).toBe('Half a word');
  await there.bubble('You said: In React').waitFor();
  expect(await there.host.count()).toBe(1);
  await there.close();
  await agent(service).answer(conversation, 'Are you there?');
  await page.getByText('Unread: 1').waitFor();

  await press(shop, 'No chat');
  await there.host.waitFor({ state: 'detached' });
  await press(shop, 'Hook');
  await page.getByText('hooked').waitFor();
  await here.launcher.waitFor();
  expect(await here.host.count()).toBe(1);
  calm(shop);
  await shop.close();
});

test('a Vue app has the chat in its page, in step with its options', async () => {
  const shop = await open('vue-app');
  const { page } = shop;
  await chat(page).field.waitFor();
  expect(await page.locator('.place > parley-chat').count()).toBe(1);
  await page.getByRole('heading', { name: 'Ask in Vue' }).waitFor();
  await converse(shop, 'In Vue');
  await page.getByText('Last from team').waitFor();
  await press(shop, 'Other words');
  await page.getByRole('heading', { name: 'Ask again' }).waitFor();
  expect(await chat(page).host.count()).toBe(1);
  await press(shop, 'No chat');
  await chat(page).host.waitFor({ state: 'detached' });
  calm(shop);
  await shop.close();
});

test('a page has the chat written in HTML, and another one beside it', async () => {
  const shop = await open('element-app');
  const { page } = shop;
  const written = page.locator('body > parley-chat');
  await chat(page).open();
  await page.getByRole('heading', { name: 'Written in HTML' }).waitFor();
  await converse(shop, 'In HTML');
  expect(await chat(page).host.count()).toBe(1);

  await press(shop, 'Another chat, by a call');
  await expect.poll(() => chat(page).host.count()).toBe(2);
  await chat(page).window.waitFor({ state: 'hidden' });

  // Moved it stays, taken away it goes.
  await written.evaluate((element) => document.querySelector('h1')?.before(element));
  expect(await written.evaluate((element) => 'chat' in element && typeof element.chat)).toBe('object');
  await written.getByRole('button').first().click();
  await chat(page).bubble('You said: In HTML').waitFor();
  await written.evaluate((element) => element.remove());
  await chat(page).window.waitFor({ state: 'detached' });
  expect(await chat(page).host.count()).toBe(1);
  calm(shop);
  await shop.close();
});

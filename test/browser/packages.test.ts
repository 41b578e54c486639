/**
 * The package in other hands: packed, installed from the tarball and built into apps that know nothing of us, in React,
 * in Vue, in plain HTML and on a server; and what the manuals show of it, in all their languages. What the apps need is
 * installed once, into `dist/packages`.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileScript, parse } from 'vue/compiler-sfc';
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
  const inVue = readFileSync(join(root, 'dist/npm/types/wrappers/vue.d.ts'), 'utf8');
  expect(inVue, 'types of one version of Vue').not.toMatch(/DefineComponent</);
  // On a server nothing of it looks for a page.
  const { ok, said } = await run(process.execPath, ['dist/server.js'], join(workshop, 'node-app'));
  expect(said).toBe(
    `${JSON.stringify({ mount: 'function', inReact: '<main>no chat</main>', inVue: '<main><!----></main>' })}\n`,
  );
  expect(ok).toBe(true);
});

/** A component as a module, whose template says nothing that the script does not know, and whose types are looked at. */
function compiled(component: string): string {
  const { descriptor, errors } = parse(component);
  expect(errors).toEqual([]);
  expect(descriptor.template?.content.trim()).toBeTruthy();
  // What is kept from one rendering to the next has no types.
  const compilerOptions = { cacheHandlers: false, hoistStatic: false };
  const { content } = compileScript(descriptor, {
    id: 'manual',
    inlineTemplate: true,
    templateOptions: { compilerOptions },
  });
  // What would be looked for at run time is a name that nobody has written.
  expect(content).not.toMatch(/_ctx\.|_resolve/);
  // Vue's own functions take anything for any component.
  const strict = /\b(?:createVNode|createBlock|mergeProps) as \w+,?/g;
  const names = content.match(strict)?.map((name) => name.replace(',', '')) ?? [];
  return `import { ${names.join(', ')} } from '../vue-app/template.js';\n${content.replace(strict, '')}`;
}

/** The first Vue component of the README, with some words replaced so that it is wrong. */
const wrong = {
  'no-options.ts': [':options ', ''],
  'no-inbox.ts': [", inboxIdentifier: 'INBOX'", ''],
  'text-for-options.ts': [':options ', 'options="INBOX" '],
  'text-for-yes.ts': [':options ', ':options inline="yes" '],
  'unknown-event.ts': ['@unread', '@unraed'],
  'number-as-text.ts': ['(unread = count)', '(unread = count.trim())'],
} as const;

test('what the manuals show of the package compiles, and a template that is wrong does not', async () => {
  const folder = join(workshop, 'manual');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const write = (name: string, code: string) => writeFileSync(join(folder, name), code);
  const components: string[] = [];
  let count = 0;
  for (const file of ['README.md', 'src/package/README.md'])
    for (const [, kind = '', code = ''] of readFileSync(join(root, file), 'utf8').matchAll(
      /^```(tsx?|vue)\n([\s\S]*?)^```/gm,
    )) {
      if (!code.includes("from 'parley")) continue;
      if (kind === 'vue') components.push(code);
      const module = kind === 'vue' ? compiled(code) : code;
      write(`example-${++count}.${kind === 'vue' ? 'ts' : kind}`, module);
    }
  expect(count).toBeGreaterThan(5);
  write('app.ts', compiled(readFileSync(join(source, 'vue-app/App.vue'), 'utf8')));
  const [right = ''] = components;
  for (const [name, [words, by]] of Object.entries(wrong)) {
    expect(right).toContain(words);
    write(name, compiled(right.replace(words, by)));
  }
  const { compilerOptions } = JSON.parse(readFileSync(join(source, 'react-app/tsconfig.json'), 'utf8'));
  write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*'] }));
  const { said } = await node('typescript/bin/tsc', ['-p', '.'], folder);
  const refused = [...said.matchAll(/^(\S+)\(\d+,\d+\): error TS/gm)].map(([, file]) => file);
  expect([...new Set(refused)].sort(), said).toEqual(Object.keys(wrong).sort());
});

/** Of languages that this machine need not have; what stands around an example that is a part of a file. */
const foreign: Record<string, (example: string) => string> = {
  kotlin: (example) => example,
  swift: (example) => example,
  dart: (example) => example,
  php: (example) => `<?php\n${example}`,
  ruby: (example) => example,
  go: (example) => `package main\n${example}`,
  java: (example) => `class Proof {\n${example}}\n`,
};

test('what the README shows in other languages is of these languages, and half of it is not', async () => {
  const folder = join(workshop, 'grammars');
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(source, 'grammars'), folder, { recursive: true });
  const blocks = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)];
  const files = Object.entries(foreign).flatMap(([language, around]) => {
    const examples = blocks.flatMap(([, kind, code = '']) => (kind === language ? [code] : []));
    expect(examples.length, language).toBeGreaterThan(0);
    return examples.flatMap((code, i) => {
      // Its last line closes what the first one opens.
      const half = code.replace(/.*\n$/, '');
      const made = { [`whole-${i}.${language}`]: code, [`half-${i}.${language}`]: half };
      return Object.entries(made).map(([name, text]) => {
        writeFileSync(join(folder, name), around(text));
        return name;
      });
    });
  });
  // Some grammars are such that to compile them well takes seconds, and they are wanted for two files.
  const { ok, said } = await run(process.execPath, ['--liftoff-only', 'read.mjs', ...files], folder);
  const refused = [...said.matchAll(/^(\S+?):\d+: /gm)].map(([, file]) => file);
  expect(refused, said).toEqual(files.filter((name) => name.startsWith('half')));
  expect(ok, said).toBe(true);
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
  // What was said, and taken, before another chat took its place is said to that one.
  await press(shop, 'Say who');
  await press(shop, 'A first title');
  expect(scripts(shop)).toBe(1);
  await press(shop, 'Write to us');
  await here.field.waitFor();
  await page.getByRole('heading', { name: 'Ask the shop' }).waitFor();
  const conversation = await converse(shop, 'In React');
  const [named] = await service.db.query<{ identifier: string; name: string }>(
    `select c.identifier, c.name from contacts c join conversations v on v.contact_id = c.id where v.display_id = $1`,
    [conversation],
  );
  expect(named).toEqual({ identifier: 'user-of-react', name: 'Nils Holgersson' });
  expect(shop.sockets).toHaveLength(1);
  expect(scripts(shop)).toBeGreaterThan(3);

  await press(shop, 'Deutsch');
  const there = chat(page, german);
  await there.field.waitFor();
  expect(await said(page, german)).toEqual(['In React', 'You said: In React']);
  expect(shop.sockets).toHaveLength(1);

  // Whoever listens to more hears no second time that it is ready.
  await press(shop, 'Listen');
  await agent(service).answer(conversation, 'Once more');
  await page.getByText('ready: 2, heard: 1').waitFor();

  // What calls have said of the look holds beside what options say.
  const worn = () =>
    here.host.evaluate(({ style }) =>
      ['accent', 'scheme', 'text'].map((token) => style.getPropertyValue(`--parley-${token}`)),
    );
  expect(await worn()).toEqual(['', 'light', '']);
  for (const name of ['Green words', 'Green', 'Dark']) await press(shop, name);
  await expect.poll(worn).toEqual(['#0b6e4f', 'dark', '#0b6e4f']);

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
  expect(await worn()).toEqual(['#0b6e4f', 'dark', '#0b6e4f']);

  // An accent with which the chat was mounted is taken back, too.
  for (const [name, accent] of [
    ['No green', ''],
    ['Green', '#0b6e4f'],
  ] as const) {
    await press(shop, name);
    await expect.poll(worn).toEqual([accent, 'dark', '#0b6e4f']);
  }

  // Wherever it lies.
  for (const place of ['.place > parley-chat', 'html > parley-chat', '.place > parley-chat']) {
    await press(shop, 'Into the page and out');
    await page.locator(place).waitFor({ state: 'attached' });
    await expect.poll(worn).toEqual(['#0b6e4f', 'dark', '#0b6e4f']);
    expect(await here.host.count()).toBe(1);
  }

  await press(shop, 'No chat');
  await there.host.waitFor({ state: 'detached' });
  await page.getByText('Unread: 0').waitFor();
  await press(shop, 'Hook');
  await page.getByText('hooked').waitFor();
  await here.launcher.waitFor();
  expect(await here.host.count()).toBe(1);
  calm(shop);
  await shop.close();
});

test('a language that is chosen before there is leave to begin holds from then on', async () => {
  const shop = await open('react-app');
  await press(shop, 'With leave');
  await press(shop, 'Auf Deutsch');
  await press(shop, 'Agree');
  const here = chat(shop.page, german);
  await here.open();
  expect(await here.host.count()).toBe(1);
  // The leave holds for the chat that takes its place, too.
  await here.close();
  await press(shop, 'Change the title');
  await here.open();
  await shop.page.getByRole('heading', { name: 'Still with leave' }).waitFor();
  await here.close();

  // An option that is given and taken back is as if it had never been given.
  const scheme = () => here.host.evaluate(({ style }) => style.getPropertyValue('--parley-scheme'));
  await press(shop, 'At night');
  await expect.poll(scheme).toBe('dark');
  await press(shop, 'At any time');
  await expect.poll(scheme).toBe('');

  // In a bundle of theirs nobody knows which bytes are ours.
  await press(shop, 'What it costs');
  const shown = await shop.page.locator('output', { hasText: 'ok' }).textContent();
  const cost: unknown = JSON.parse(shown ?? '');
  expect(cost).toMatchObject({ ok: true, layoutShift: 0 });
  expect(Object.keys(Object(cost)).sort()).toEqual(['layoutShift', 'ok', 'requests']);
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
  await press(shop, 'Listen later');
  await page.getByText('Heard late that it opened').waitFor();
  await press(shop, 'Other words');
  await page.getByRole('heading', { name: 'Ask again' }).waitFor();
  expect(await chat(page).host.count()).toBe(1);
  // What calls have said of the look holds wherever it lies.
  await press(shop, 'Green words');
  for (const place of ['.place > parley-chat', 'html > parley-chat', '.place > parley-chat']) {
    await page.locator(place).waitFor({ state: 'attached' });
    await expect
      .poll(() => chat(page).host.evaluate(({ style }) => style.getPropertyValue('--parley-text')))
      .toBe('#0b6e4f');
    await press(shop, 'Into the page and out');
  }
  await press(shop, 'Into the page and out');
  await page.locator('.place > parley-chat').waitFor({ state: 'attached' });
  // A component that is kept for later is not on the page, and nor is its chat.
  await press(shop, 'No chat');
  await chat(page).host.waitFor({ state: 'detached' });
  await press(shop, 'The chat again');
  await chat(page).bubble('In Vue').waitFor();
  expect(await page.locator('.place > parley-chat').count()).toBe(1);
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

/**
 * The nginx that the README puts before the service, and the one that it makes a static host of, as they stand there:
 * but for ports, and where certificate and files are. Visitors and programs come by the names that stand there, too.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  agent,
  chat,
  hostPage,
  launchBrowser,
  openShop,
  type ShopService,
  startShopService,
} from '../support/browser.js';
import { type Nginx, type Place, startNginx } from '../support/nginx.js';
import { inboxPath, startMs } from '../support/service.js';

const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const [, publicUrl = '', proxies = ''] = /`PUBLIC_URL=(\S+) PROXIES=(\d)`:\n/.exec(readme) ?? [];
const [, proxy = ''] = /PROXIES=\d`:\n\n```nginx\n([\s\S]*?)^```/m.exec(readme) ?? [];
const [, hiding = ''] = /\n```nginx\n( {2}location .*\n)```/.exec(readme) ?? [];
const [, section = ''] = readme.split('\n## On a static host\n');
const [, delivery = ''] = /```nginx\n([\s\S]*?)^```/m.exec(section) ?? [];
const cdn = join(root, 'dist/cdn');
const hosts = {
  service: new URL(publicUrl).hostname,
  files: 'cdn.example.com',
  quiet: 'quiet.example.com',
};
const base = `https://${hosts.files}/chat`;
const MB = 2 ** 20;
/** Of one address: more than the visitors below need, and soon reached. */
const limit = 150;

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

/** What is not there would be replaced by nothing. */
function replace(text: string, [words, by]: readonly [string, string]) {
  expect(text).toContain(words);
  return text.replaceAll(words, by);
}

let browser: Browser;
let service: ShopService;
let nginx: Nginx;
const folder = mkdtempSync(join(tmpdir(), 'parley-static-'));
symlinkSync(cdn, join(folder, 'chat'));

const before = (text: string, { port, certificate, key }: Place) =>
  (
    [
      ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
      ['/var/log/nginx/error.log', 'stderr'],
      ['/etc/ssl/support.pem', certificate],
      ['/etc/ssl/support.key', key],
      ['http://127.0.0.1:3000', service.url],
    ] as const
  ).reduce(replace, text);

const quiet = () => replace(proxy.replace(/\}\n$/, `${hiding}}\n`), [hosts.service, hosts.quiet]);

const servers = (place: Place) => `${before(proxy, place)}
${before(quiet(), place)}
server {
  listen 127.0.0.1:${place.port} ssl;
  server_name ${hosts.files};
  ssl_certificate ${place.certificate};
  ssl_certificate_key ${place.key};
  root ${folder};
  ${delivery}
}`;

beforeAll(async () => {
  service = await startShopService({
    publicUrl,
    proxies: Number(proxies),
    limits: { requestsPerAddress: limit },
  });
  const names = Object.values(hosts);
  nginx = await startNginx(names, servers);
  const rules = names.map((name) => `MAP ${name}:443 127.0.0.1:${nginx.port}`);
  browser = await launchBrowser({ args: [`--host-resolver-rules=${rules.join()}`] });
}, startMs);
afterAll(async () => {
  await browser?.close();
  await nginx?.stop();
  await service?.end();
  rmSync(folder, { recursive: true });
});

async function visit(name: string, html: string) {
  const shop = await openShop(browser, publicUrl + (await service.page(name, html)), {
    ignoreHTTPSErrors: true,
  });
  const { page } = shop;
  await chat(page).open();
  await chat(page).say(`From ${name}`);
  const conversation = await agent(service).conversationOf(`From ${name}`);
  await expect.poll(() => page.evaluate(() => window.parley?.status().line)).toBe('live');
  await agent(service).answer(conversation, 'Heard');
  await chat(page).bubble('Heard').waitFor();
  expect(shop.sockets).toEqual([`wss://${hosts.service}/cable`]);
  return shop;
}

describe('before the service', () => {
  test('a visitor is answered at once, and sends what is larger than a proxy takes by itself', async () => {
    const shop = await visit('behind', hostPage(publicUrl));
    const { page } = shop;
    const file = { name: 'long.txt', mimeType: 'text/plain', buffer: Buffer.alloc(3 * MB, 'a') };
    await chat(page).window.locator('input[type=file]').setInputFiles(file);
    await chat(page).send.click();
    const link = chat(page).log.getByRole('link', { name: 'long.txt' });
    // The address is the one that the world knows, and leads there.
    await expect.poll(() => link.getAttribute('href')).toMatch(`${publicUrl}/`);
    const { status, body } = await nginx.ask((await link.getAttribute('href')) ?? '');
    expect([status, body.equals(file.buffer)]).toEqual([200, true]);
    expect(new Set(shop.requests.map(({ url }) => new URL(url).origin))).toEqual(new Set([publicUrl]));
    expect([...shop.console, ...shop.errors]).toEqual([]);
    await shop.close();
  });

  test('as much goes through as a message may have, and not much more', async () => {
    const [, files = '', size = ''] = /(\d+) files of (\d+) MB\n/.exec(proxy) ?? [];
    // Lines are broken anywhere.
    expect(readme.replace(/\s+/g, ' ')).toContain(
      `up to 150,000 characters and ${files} files of ${size} MB`,
    );
    const most = Number(files) * Number(size) * MB;
    const url = publicUrl + inboxPath;
    expect(await nginx.announce(url, most + MB)).toBe(100);
    expect(await nginx.announce(url, most + 20 * MB)).toBe(413);
  });

  test('the world is not told how the service is doing', async () => {
    const ask = async (base: string, path: string) => (await nginx.ask(base + path)).status;
    expect((await fetch(`${service.url}/metrics`)).status).toBe(200);
    for (const path of ['/metrics', '/metrics?a=1', '/%6detrics', '//metrics', '/./metrics', '/metrics/'])
      expect(await ask(publicUrl, path), path).toBe(404);
    expect(await ask(publicUrl, '/healthz')).toBe(200);
  });

  test('one more line hides what the service brings for trying it, and nothing else', async () => {
    const there = `https://${hosts.quiet}`;
    const at = async (path: string) => (await nginx.ask(there + path)).status;
    const site = filesIn(join(root, 'dist/demo/site')).filter((file) => file !== 'headers.json');
    expect(site.length).toBeGreaterThan(20);
    for (const path of ['', '//', ...site, ...site.map((file) => file.replace(/(?:index)?\.html$/, ''))])
      expect(await at(`/${path}`), path).toBe(404);
    const others = ['agent', 'agent/', 'docs', 'openapi.json', 'healthz', inboxPath.slice(1)];
    for (const path of [...others, ...filesIn(cdn)]) expect(await at(`/${path}`), path).toBe(200);
    expect(await nginx.knock(`${there}/cable`, {})).toBe(101);
  });

  test('a program names its token without an underscore', async () => {
    const { apiAccessToken } = service;
    const as = async (name: string) =>
      (await nginx.ask(`${publicUrl}/api/v1/profile`, { [name]: apiAccessToken })).status;
    expect(await as('api_access_token')).toBe(401);
    expect(await as('api-access-token')).toBe(200);
  });
});

describe('as a static host', () => {
  const [, forOthers = ''] = /```\n(\/\*\n[\s\S]*?)^```/m.exec(section) ?? [];
  const files = filesIn(cdn);

  /** What the table says of a file; of some it says that anything will do. */
  function cacheOf(file: string): string {
    const name = file.replace(/^assets\/.*/, 'assets/…');
    const row = section.split('\n').find((line) => line.startsWith(`| \`${name}\``)) ?? '';
    return /`([^`]*)` \|$/.exec(row)?.[1] ?? (/ any \|$/.test(row) ? 'any' : '');
  }

  /** What `_headers` says of a path: a line that begins with a space is of the last one that does not. */
  function headersOf(path: string): Record<string, string> {
    const rules = [...forOthers.matchAll(/^(\/\S*)\n((?: .*\n)+)/gm)];
    const fitting = rules.filter(([, pattern = '']) =>
      pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern,
    );
    const lines = fitting.flatMap(([, , lines = '']) => lines.trim().split('\n'));
    return Object.fromEntries(
      lines
        .map((line) => line.trim().split(': '))
        .map(([name = '', value = '']) => [name.toLowerCase(), value]),
    );
  }

  const packed = { 'accept-encoding': 'gzip' };

  test('each file comes with the headers of the table, for other people’s pages, and nothing is cut from it', async () => {
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      const { status, headers, body } = await nginx.ask(`${base}/${file}`);
      expect(status, file).toBe(200);
      expect(body.equals(readFileSync(join(cdn, file))), file).toBe(true);
      const cache = cacheOf(file);
      if (cache !== 'any') expect(headers['cache-control'], file).toBe(cache);
      expect(headers['access-control-allow-origin'], file).toBe('*');
      if (file.endsWith('.js')) expect(headers['content-type'], file).toMatch(/\/javascript$/);
    }
  });

  test('it says what other hosts say that are told by a file', async () => {
    const said = ['parley.js', 'chat.html', files.find((file) => file.startsWith('assets/')) ?? ''];
    for (const file of said) {
      const { headers } = await nginx.ask(`${base}/${file}`);
      expect(headers, file).toMatchObject(headersOf(`/${file}`));
      expect(Object.keys(headersOf(`/${file}`)), file).toHaveLength(file === 'chat.html' ? 5 : 4);
    }
    // Some of those hosts lead there, and hand out the page under that name.
    expect(headersOf('/chat')).toEqual(headersOf('/chat.html'));
  });

  test('scripts and styles are compressed for whoever can read that', async () => {
    for (const file of files.filter((name) => /\.(?:js|css|html)$/.test(name))) {
      const { headers, body } = await nginx.ask(`${base}/${file}`, packed);
      expect(headers, file).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
      expect(gunzipSync(body).equals(readFileSync(join(cdn, file))), file).toBe(true);
    }
  });

  test('a page of another origin has its chat from there', async () => {
    const tag = `<script async src="${base}/parley.js" data-base-url="${publicUrl}" data-inbox-identifier="{{inbox}}"></script>`;
    const shop = await visit(
      'elsewhere',
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>A shop</title><link rel="icon" href="data:,">${tag}`,
    );
    const scripts = shop.requests.filter(({ path }) => path.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(3);
    expect(scripts.every(({ url }) => url.startsWith(`${base}/`))).toBe(true);
    // As it says how long each took, the page may know what the chat has cost it.
    const cost = await shop.page.evaluate(() => window.parley?.perf());
    expect(cost).toMatchObject({ ok: true });
    expect(cost?.ok && cost.bytes).toBeGreaterThan(10_000);
    expect([...shop.console, ...shop.errors]).toEqual([]);
    await shop.close();
  });
});

// The last one, because after it nobody of this address may ask any more.
test('a visitor counts by the address that nginx has seen, whatever they say of themselves', async () => {
  const pretend = { 'x-forwarded-for': '203.0.113.7' };
  const direct = async (from: string) =>
    (await fetch(service.url + inboxPath, { headers: { 'x-forwarded-for': from } })).status;
  // Many more than the limit, because it is one of a time: while they are asked, some may be asked again.
  const asked = Array.from({ length: 3 * limit }, () => nginx.ask(publicUrl + inboxPath, pretend));
  expect((await Promise.all(asked)).map(({ status }) => status)).toContain(429);
  // What nginx hands on, said by somebody who stands where it does.
  const more = Array.from({ length: limit / 2 }, () => direct('203.0.113.7, 127.0.0.1'));
  expect(await Promise.all(more)).toContain(429);
  expect(await direct('127.0.0.1, 203.0.113.7')).toBe(200);
  const knocks = Array.from({ length: limit / 2 }, () => nginx.knock(`${publicUrl}/cable`, pretend));
  const said = await Promise.all(knocks);
  expect([...new Set(said)].filter((status) => status !== 101)).toEqual([429]);
});

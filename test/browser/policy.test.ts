/** The pages that are hard to live on: a strict policy, hostile styles and scripts, another direction, swapped bodies. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { directivesFor, type Hosts, policyText } from '../../demo/playground/model/policy.js';
import { agent, arabic, chat, english, openShop, type Shop, said, useShop } from '../support/browser.js';
import { png, wav } from '../support/media.js';

const { browser, service } = await useShop();

/** Opens the chat, says something and hears an answer. */
async function converse(shop: Shop, words: string, say = english): Promise<number> {
  await chat(shop.page, say).open();
  await chat(shop.page, say).say(words);
  const conversation = await agent(service).conversationOf(words);
  await agent(service).answer(conversation, `You said: ${words}`);
  await chat(shop.page, say).bubble(`You said: ${words}`).waitFor();
  expect(await said(shop.page, say)).toEqual([words, `You said: ${words}`]);
  return conversation;
}

test('under a strict policy with Trusted Types it works and violates nothing', async () => {
  const shop = await openShop(browser, `${service.url}/strict-csp.html`);
  const policy = await shop.page.request.get(`${service.url}/strict-csp.html`);
  expect(policy.headers()['content-security-policy']).toMatch(/script-src 'nonce-[^']+' 'strict-dynamic'/);
  expect(policy.headers()['content-security-policy']).toMatch(
    /style-src 'none'.*require-trusted-types-for 'script'/,
  );
  await converse(shop, 'Strict words');
  await shop.page.reload();
  await chat(shop.page).bubble('You said: Strict words').waitFor();
  // What is attached can be seen and heard before it is sent.
  await chat(shop.page)
    .window.locator('input[type=file]')
    .setInputFiles([
      { name: 'lamp.png', mimeType: 'image/png', buffer: png(40, 30, [200, 120, 40]) },
      { name: 'voice.wav', mimeType: 'audio/wav', buffer: wav(1) },
    ]);
  const waiting = chat(shop.page).window.getByRole('list', { name: english('chosenFiles') });
  const ready = () =>
    waiting.evaluate((list) => [
      list.querySelector('img')?.naturalWidth,
      (list.querySelector('audio')?.readyState ?? 0) > 0,
    ]);
  await expect.poll(ready).toEqual([40, true]);
  expect(await shop.violations()).toEqual([]);
  expect([...shop.console, ...shop.errors]).toEqual([]);
  // And it looks like itself: constructed sheets are no matter of the policy.
  expect(await chat(shop.page).window.evaluate((element) => getComputedStyle(element).position)).toBe(
    'fixed',
  );
  await shop.close();
});

test('on a hostile page it works and looks like itself', async () => {
  const shop = await openShop(browser, `${service.url}/hostile.html`);
  await converse(shop, 'Calm words');
  const looks = (selector: string) =>
    chat(shop.page)
      .host.locator(selector)
      .first()
      .evaluate((element) => {
        const { fontSize, letterSpacing, color, direction } = getComputedStyle(element);
        return { fontSize, letterSpacing, color, direction };
      });
  expect(await looks('.theirs .content')).toMatchObject({ fontSize: '15px', letterSpacing: 'normal' });
  expect((await looks('.theirs .content')).color).not.toBe('rgb(255, 0, 0)');
  // The page's bar has the highest z-index there is; the window lies above it, and the launcher can be pressed.
  await chat(shop.page).close();
  await chat(shop.page).open();
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('on a right-to-left page it works on the other side', async () => {
  const shop = await openShop(browser, `${service.url}/rtl.html`);
  await converse(shop, 'هل المصباح متوفر؟', arabic);
  const place = await chat(shop.page, arabic).window.boundingBox();
  expect(place?.x).toBeLessThan(40);
  const [mine, theirs] = await Promise.all(
    ['.mine .bubble', '.theirs .bubble'].map((name) =>
      chat(shop.page, arabic).host.locator(name).boundingBox(),
    ),
  );
  expect(mine?.x).toBeLessThan(theirs?.x ?? 0);
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('a page that swaps its whole body keeps the chat, open and with its draft', async () => {
  const shop = await openShop(browser, `${service.url}/spa.html`);
  const conversation = await converse(shop, 'Words that stay');
  await chat(shop.page).field.fill('A draft');
  await shop.page.getByRole('button', { name: 'Swap the whole body' }).click();
  await shop.page.getByText('The body has been swapped 1 times.').waitFor();
  await shop.page.getByRole('link', { name: 'Ceramics' }).click();
  await shop.page.getByRole('heading', { name: 'Ceramics' }).waitFor();
  expect(await chat(shop.page).field.inputValue()).toBe('A draft');
  expect(await said(shop.page)).toEqual(['Words that stay', 'You said: Words that stay']);
  await agent(service).answer(conversation, 'Still here');
  await chat(shop.page).bubble('Still here').waitFor();
  expect(await chat(shop.page).host.count()).toBe(1);
  expect(shop.sockets).toHaveLength(1);
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('the playground reads addresses as the tag does: what is relative is the page’s own', () => {
  const sources = (more: Partial<Hosts>) => {
    const standard: Hosts = {
      service: 'https://support.example.com',
      files: 'https://cdn.example.com/parley.js',
      uploads: '',
      launcherImage: '',
      by: 'host',
      attachments: false,
    };
    const all = directivesFor({ ...standard, ...more });
    return all && Object.fromEntries(all.map(({ name, sources }) => [name, sources.join(' ')]));
  };
  for (const files of ['parley.js', '/parley.js', './chat/parley.js', '/'])
    expect(sources({ files })?.['script-src'], files).toBe("'self'");
  for (const files of ['https://cdn.example.com/v1/parley.js', '//cdn.example.com/parley.js'])
    expect(sources({ files })?.['script-src'], files).toBe('https://cdn.example.com');
  for (const files of [
    '',
    'https://',
    'ftp://cdn.example.com/parley.js',
    'javascript:void 0',
    'cdn.example.com/parley.js',
  ])
    expect(sources({ files }), files).toBeUndefined();
  for (const service of ['support.example.com', '/support', 'ws://support.example.com'])
    expect(sources({ service }), service).toBeUndefined();
  // A host alone is what a policy says, too.
  expect(sources({ uploads: 'files.example.com, https://cdn.example.com/uploads' })?.['media-src']).toBe(
    'https://support.example.com https://files.example.com https://cdn.example.com',
  );
  for (const uploads of ['/uploads', '//'])
    expect(sources({ uploads })?.['media-src'], uploads).toBe(
      uploads === '//' ? undefined : "https://support.example.com 'self'",
    );
  const pictures: [launcherImage: string, source: string][] = [
    ['https://img.example.com/logo.png', ' https://img.example.com'],
    ['//img.example.com/logo.png', ' https://img.example.com'],
    ['https://support.example.com/logo.png', ''],
    ['/logo.svg', " 'self'"],
    ['data:image/svg+xml,<svg/>', ' data:'],
    // The chat does not take these.
    ['javascript:void 0', ''],
    [' ', ''],
  ];
  for (const [launcherImage, source] of pictures) {
    const said = sources({ launcherImage });
    expect(said?.['img-src'], launcherImage).toBe(`https://support.example.com${source}`);
    expect(said?.['media-src'], launcherImage).toBe('https://support.example.com');
  }
});

test('the policies that the README writes are the playground’s', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  const written = [...readme.matchAll(/^```\n(script-src [^`]*)```/gm)].map(([, policy = '']) =>
    policy.trim().split(/;\s+/),
  );
  const said = directivesFor({
    service: 'https://support.example.com',
    files: 'https://cdn.example.com',
    uploads: '',
    launcherImage: '',
    by: 'nonce',
    attachments: true,
  });
  const [script, ...others] = policyText(said ?? []).split(';\n');
  expect(written).toEqual([
    [script, ...others],
    ["script-src 'sha384-…'", ...others, "trusted-types 'none'"],
  ]);
});

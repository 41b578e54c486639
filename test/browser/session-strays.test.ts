/** A tab that keeps its visit to itself, while another tab of the browser is allowed more. */
import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openTagged, say } from '../support/around.js';
import { agent, chat, hostPage, useShop } from '../support/browser.js';

const { browser, service } = await useShop();
const [inbox] = await service.db.query<{ hmac_token: string }>('select hmac_token from inboxes where id = 1');
const signIn = async (page: Page, identifier: string) => {
  const hash = createHmac('sha256', inbox?.hmac_token ?? '')
    .update(identifier)
    .digest('hex');
  const known = await page.evaluate((who) => window.parley?.identify(who), { identifier, hash });
  expect(known).toEqual({ ok: true });
};

/**
 * Somebody has written elsewhere, and reads it on this page, where they have begun to write more; in another tab they
 * have written since, which is allowed to be kept.
 */
async function twoTabs(who: string) {
  const before = await openTagged(browser, service, `elsewhere-${who}`, '');
  await signIn(before.page, who);
  await chat(before.page).open();
  await say(service, before.page, `Of ${who} alone`);
  await before.close();
  const shop = await openTagged(browser, service, `here-${who}`, 'data-storage="session"');
  const { page } = shop;
  await signIn(page, who);
  await chat(page).open();
  await chat(page).bubble(`Of ${who} alone`).waitFor();
  await chat(page).field.fill('half a secret');
  await chat(page).close();
  const beside = await page.context().newPage();
  await beside.goto(page.url());
  await signIn(beside, who);
  await chat(beside).open();
  await chat(beside).say(`Beside, ${who}`);
  await agent(service).conversationOf(`Beside, ${who}`);
  const keeps = () => beside.evaluate(() => window.parley?.status().storage);
  await expect.poll(keeps).toBe('persistent');
  return { ...shop, beside };
}

/** Whoever is there leaves, and somebody else is let in and writes. */
async function goesOver(page: Page, name: string) {
  expect(await page.evaluate(() => window.parley?.reset())).toEqual({ ok: true });
  await signIn(page, name.toLowerCase());
  await chat(page).say(`Of ${name}`);
  await agent(service).conversationOf(`Of ${name}`);
}

/** In whatever state the other tab has left the window. */
async function look(page: Page) {
  await page.evaluate(() => window.parley?.open());
  await chat(page).field.waitFor();
}

const kept = (page: Page) =>
  page.evaluate(() => JSON.stringify([Object.values(sessionStorage), Object.values(localStorage)]));

test.each(['reset', 'forget'] as const)(
  'what it has kept goes along on its next page, and with %s nothing of it is left',
  async (leave) => {
    const who = `karen-${leave}`;
    const { page, beside, close } = await twoTabs(who);
    await beside.close();
    await page.reload();
    await signIn(page, who);
    await look(page);
    await expect.poll(() => chat(page).field.inputValue()).toBe('half a secret');
    expect(
      await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('parley'))),
    ).toEqual([]);
    expect(await page.evaluate((how) => window.parley?.[how](), leave)).toEqual({ ok: true });
    await page.reload();
    await look(page);
    await chat(page).window.getByText('How can we help?').first().waitFor();
    expect(await chat(page).bubble(`Of ${who} alone`).count()).toBe(0);
    expect(await chat(page).field.inputValue()).toBe('');
    expect(await kept(page)).not.toContain('half a secret');
    await close();
  },
);

test('what it has kept of somebody goes when somebody else is in the other tab by its next page', async () => {
  const { page, beside, close } = await twoTabs('mona');
  const address = page.url();
  await page.goto('about:blank');
  await goesOver(beside, 'Lena');
  await page.goto(address);
  await look(page);
  await chat(page).bubble('Of Lena').waitFor();
  expect(await chat(page).bubble('Of mona alone').count()).toBe(0);
  expect(await kept(page)).not.toContain('half a secret');
  await chat(beside).bubble('Of Lena').waitFor();
  await close();
});

test('what nobody in particular has left in it is not of whoever is let in since', async () => {
  const shop = await openTagged(browser, service, 'nameless', 'data-storage="session"');
  const { page, close } = shop;
  const address = page.url();
  await chat(page).open();
  await chat(page).field.fill('half a secret');
  await chat(page).close();
  const beside = await page.context().newPage();
  await page.goto('about:blank');
  await beside.goto(address);
  await look(beside);
  await chat(beside).say('Of nobody');
  await agent(service).conversationOf('Of nobody');
  await goesOver(beside, 'Lotte');
  await page.goto(address);
  await look(page);
  await chat(page).bubble('Of Lotte').waitFor();
  expect(await chat(page).field.inputValue()).toBe('');
  expect(await kept(page)).not.toContain('half a secret');
  await close();
});

test('what the same person has begun in it is there though they were nobody yet in the other tab', async () => {
  const shop = await openTagged(browser, service, 'named-late', 'data-storage="session"');
  const { page, close } = shop;
  const address = page.url();
  const nameIn = (tab: Page) => tab.evaluate(() => window.parley?.identify({ identifier: 'ada' }));
  const beside = await page.context().newPage();
  await beside.goto(address);
  await look(beside);
  await nameIn(page);
  await look(page);
  await chat(page).field.fill('half a letter');
  await chat(beside).say('Of nobody yet');
  await agent(service).conversationOf('Of nobody yet');
  await beside.reload();
  await nameIn(beside);
  await look(beside);
  await page.goto(address);
  await nameIn(page);
  await look(page);
  await expect.poll(() => chat(page).field.inputValue()).toContain('half a letter');
  await close();
});

test('what it has kept goes along to a page that is allowed more from the beginning', async () => {
  const shop = await openTagged(
    browser,
    service,
    'consent-later',
    'data-storage="session" data-consent="call"',
  );
  const { page, close } = shop;
  const nameIn = () => page.evaluate(() => window.parley?.identify({ identifier: 'eva' }));
  await nameIn();
  await look(page);
  await say(service, page, 'Before I was asked');
  await chat(page).field.fill('and more');
  const allowed = hostPage(service.url, {});
  await page.goto(service.url + (await service.page('consent-given', allowed)));
  await nameIn();
  await look(page);
  await chat(page).bubble('Before I was asked').waitFor();
  expect(await chat(page).field.inputValue()).toBe('and more');
  expect(await page.evaluate(() => window.parley?.status().storage)).toBe('persistent');
  await close();
});

test('who was leaving as the page went has left, and takes nobody along', async () => {
  const shop = await openTagged(browser, service, 'left-behind', 'data-storage="session"');
  const { page, close } = shop;
  const address = page.url();
  await look(page);
  await chat(page).field.fill('half a secret');
  const beside = await page.context().newPage();
  await beside.goto(address);
  await look(beside);
  await page.evaluate(() => {
    void window.parley?.reset();
    location.href = 'about:blank';
  });
  await page.waitForURL('about:blank');
  await chat(beside).say('I stay');
  await agent(service).conversationOf('I stay');
  await page.goto(address);
  await look(page);
  await chat(page).bubble('I stay').waitFor();
  expect(await chat(page).field.inputValue()).toBe('');
  await beside.reload();
  await look(beside);
  await chat(beside).bubble('I stay').waitFor();
  await close();
});

test('where nothing can be kept, what the page alone holds is there for the next chat on it', async () => {
  const refused = ['localStorage', 'sessionStorage', 'indexedDB'].map(
    (name) =>
      `Object.defineProperty(window, '${name}', { get() { throw new DOMException('no', 'SecurityError') } });`,
  );
  const head = `<script>${refused.join('')}</script>`;
  const { page, close } = await openTagged(browser, service, 'refused', '', {}, { head });
  await page.evaluate(async () => {
    await window.parley?.identify({ identifier: 'ann' });
    await window.parley?.reset();
  });
  await chat(page).open();
  await chat(page).field.fill('half a word');
  await page.evaluate(() => {
    const tag = document.querySelector<HTMLScriptElement>('script[data-inbox-identifier]');
    const again = document.createElement('script');
    for (const { name, value } of tag?.attributes ?? []) again.setAttribute(name, value);
    window.parley?.destroy();
    tag?.remove();
    document.head.append(again);
  });
  await page.locator('parley-chat').waitFor({ state: 'attached' });
  await expect.poll(() => page.evaluate(() => typeof window.parley?.open)).toBe('function');
  await look(page);
  expect(await chat(page).field.inputValue()).toBe('half a word');
  await close();
});

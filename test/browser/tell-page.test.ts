/** What the first message of a conversation tells of page and browser: nothing, unless the owner wants it. */
import { expect, test } from 'vitest';
import { openTagged, pick, say } from '../support/around.js';
import { chat, openShop, type Shop, useShop } from '../support/browser.js';
import { INBOX } from '../support/chat-page.js';

const { browser, service } = await useShop();
const german = { locale: 'de-DE' };
const english = 'data-locale="en"';

/** @returns what agents read beside these words, which a conversation begins with */
async function toldWith({ page }: Shop, words: string): Promise<unknown> {
  const conversation = await say(service, page, words);
  const [row] = await service.db.query<{ custom_attributes: unknown }>(
    'select custom_attributes from conversations where display_id = $1',
    [conversation],
  );
  return row?.custom_attributes;
}

test('where the owner wants it each conversation begins with page and language, and what the owner says wins', async () => {
  const shop = await openTagged(browser, service, 'telling', `${english} data-tell-page="true"`, german);
  const { page } = shop;
  const address = page.url();
  await page.goto(`${address}?order=4711#items`);
  await chat(page).open();
  expect(await toldWith(shop, 'Where is it?')).toEqual({ referer: address, browser_language: 'de-DE' });
  await pick(page, 'New conversation');
  // A page with a router says so at each of its routes.
  await page.evaluate(() => {
    history.pushState(null, '', '/lamps?by=price');
    return window.parley?.setAttributes({ conversation: { referer: 'the catalogue', floor: 2 } });
  });
  expect(await toldWith(shop, 'And that one?')).toEqual({
    referer: 'the catalogue',
    browser_language: 'de-DE',
    floor: 2,
  });
  await pick(page, 'New conversation');
  expect(await toldWith(shop, 'A third one')).toEqual({
    referer: `${service.url}/lamps`,
    browser_language: 'de-DE',
  });
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test.each([
  ['', []],
  ['data-tell-page="false"', []],
  ['data-tell-page="yes"', ['warning: Parley: data-tell-page must be "true" or "false".']],
])('with "%s" nothing of it is told', async (attribute, warnings) => {
  const shop = await openTagged(browser, service, 'silent', `${english} ${attribute}`, german);
  await chat(shop.page).open();
  expect(await toldWith(shop, `Nothing told (${attribute})`)).toEqual({});
  expect(shop.console).toEqual(warnings);
  await shop.close();
});

test('in a page of its own the page is the one that led there', async () => {
  const asked = `inbox-identifier=${INBOX}&locale=en&tell-page=true`;
  const alone = await openShop(browser, `${service.url}/chat.html?${asked}`, german);
  await chat(alone.page).field.waitFor();
  expect(await toldWith(alone, 'By a bookmark')).toEqual({ browser_language: 'de-DE' });
  await alone.close();
  const body = `<main><a href="/chat.html?${asked}">Chat with us</a></main>`;
  const shop = await openTagged(browser, service, 'leading', '', german, { body });
  const { page } = shop;
  const address = page.url();
  await page.goto(`${address}?order=4711`);
  await page.getByRole('link', { name: 'Chat with us' }).click();
  await chat(page).field.waitFor();
  expect(await toldWith(shop, 'By a link')).toEqual({ referer: address, browser_language: 'de-DE' });
  await shop.close();
});

test('where the service refuses it words, and what the owner says, arrive all the same', async () => {
  const definition = {
    attribute_display_name: 'Where from',
    attribute_display_type: 'number',
    attribute_model: 'conversation_attribute',
    attribute_key: 'referer',
  };
  const path = '/api/v1/accounts/1/custom_attribute_definitions';
  expect((await service.agent('POST', path, definition)).status).toBe(200);
  const shop = await openTagged(browser, service, 'refused', `${english} data-tell-page`, german);
  await shop.page.evaluate(() => window.parley?.setAttributes({ conversation: { floor: 3 } }));
  await chat(shop.page).open();
  expect(await toldWith(shop, 'Refused at first')).toEqual({ floor: 3 });
  await shop.close();
});

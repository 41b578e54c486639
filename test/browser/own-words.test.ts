/** What an owner says in one language alone is said while the chat speaks it: in the window, beside the launcher, on chat.html. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import de from '../../src/text/locales/de.js';
import { createSay } from '../../src/text/text.js';
import { openTagged } from '../support/around.js';
import { agent, chat, useShop } from '../support/browser.js';
import { openChatPage, query, quiet, startInApp } from '../support/chat-page.js';
import { objections } from '../support/objections.js';

const german = createSay('de', de, en);
const { browser, service } = await useShop();
const inApp = startInApp(browser, service);

const topics = [
  { name: 'topic', label: 'Topic', type: 'select', options: ['Sales', 'Help'], required: true },
];
const sentences = {
  send: 'Go',
  askGo: 'On we go',
  de: {
    title: 'Frag uns',
    greeting: 'Hallo! Was suchst du?',
    send: 'Los',
    outreach: 'Dürfen wir helfen?',
    'preChat.topic': 'Thema',
    'preChat.topic.Help': 'Rat',
  },
};
const written = (value: unknown) => JSON.stringify(value).replaceAll('&', '&amp;');
const words = `data-title="Ask us" data-greeting="Hello! What is it?" data-sentences='${written(sentences)}'`;
const spoken = (what: Locator) => what.evaluate((element) => element.closest('[lang]')?.getAttribute('lang'));
const setLocale = (page: Page, tag: string) => page.evaluate((tag) => window.parley?.setLocale(tag), tag);

test('title, greeting, questions and sentences follow setLocale, each marked as of its language, and an answer stays the same', async () => {
  const shop = await openTagged(
    browser,
    service,
    'own-words-window',
    `${words} data-pre-chat='${written(topics)}'`,
  );
  const { page } = shop;
  const { window: english } = chat(page);
  const { window: panel, field } = chat(page, german);
  await chat(page).launcher.click();
  await english.getByRole('combobox', { name: 'Topic' }).waitFor();
  expect(await english.getByRole('heading').first().textContent()).toBe('Ask us');
  await english.getByText('Hello! What is it?').waitFor();
  expect(await spoken(english.locator('h2'))).toBe('en');

  expect(await setLocale(page, 'de-AT')).toEqual({ ok: true });
  await panel.getByRole('heading', { name: 'Frag uns' }).first().waitFor();
  expect(await panel.getByText(/Ask us|Hello!|Topic|Help/).count()).toBe(0);
  // What is said in no language alone is said in all.
  await panel.getByRole('button', { name: 'On we go' }).waitFor();
  const own = ['h2', '.empty bdi', '.empty div', 'label span'];
  const each = () => Promise.all(own.map((one) => spoken(panel.locator(one).first())));
  expect(await each()).toEqual(own.map(() => 'de-AT'));

  // What the team reads is the same in every language.
  await panel.getByRole('combobox', { name: 'Thema' }).selectOption({ label: 'Rat' });
  await panel.getByRole('button', { name: 'On we go' }).click();
  await field.waitFor();
  await field.fill('Eine Lampe');
  await panel.getByRole('button', { name: 'Los', exact: true }).click();
  const conversation = await agent(service).conversationOf('Eine Lampe');
  const { body } = await service.agent('GET', `/api/v1/accounts/1/conversations/${conversation}`);
  expect(body).toMatchObject({ custom_attributes: { topic: 'Help' } });

  expect(await setLocale(page, 'en')).toEqual({ ok: true });
  await english.getByRole('heading', { name: 'Ask us' }).first().waitFor();
  await chat(page).field.fill('And a bulb');
  await english.getByRole('button', { name: 'Go', exact: true }).waitFor();
  expect(await spoken(english.locator('h2'))).toBe('en');
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('what is beside the launcher follows, too, and is the greeting of whoever presses it', async () => {
  const label = `data-outreach="Can we help you?" data-outreach-after="0" data-sentences='${written(sentences)}'`;
  const shop = await openTagged(browser, service, 'own-words-launcher', label);
  const { page } = shop;
  const { host } = chat(page);
  const card = (words: string) => host.getByRole('button', { name: words });
  await card('Can we help you?').waitFor();
  expect(await setLocale(page, 'de')).toEqual({ ok: true });
  await card('Dürfen wir helfen?').waitFor();
  expect(await spoken(card('Dürfen wir helfen?').locator('span'))).toBe('de');
  await card('Dürfen wir helfen?').click();
  const { window: panel } = chat(page, german);
  await panel.getByText('Hallo! Was suchst du?').waitFor();
  await panel.getByRole('heading', { name: 'Frag uns' }).first().waitFor();
  expect([...shop.console, ...shop.errors]).toEqual([]);
  await shop.close();
});

test('first words of a language are the greeting there where it has no other', async () => {
  const { greeting: _, ...without } = sentences.de;
  const label = `data-outreach="Can we help you?" data-outreach-after="0" data-sentences='${written({ de: without })}'`;
  const { page, close } = await openTagged(browser, service, 'own-words-outreach', label, {}, { lang: 'de' });
  await chat(page).host.getByRole('button', { name: 'Dürfen wir helfen?' }).click();
  const { window: panel } = chat(page, german);
  await panel.locator('.empty').getByText('Dürfen wir helfen?').waitFor();
  expect(await setLocale(page, 'fr')).toEqual({ ok: true });
  await chat(page).host.locator('.empty').getByText('Can we help you?').waitFor();
  await close();
});

test('chat.html says it in the visitor’s language, and marks nothing as of a language that it was not written for', async () => {
  const address = `${query}&title=Ask+us&greeting=Hello!&sentences=${encodeURIComponent(JSON.stringify(sentences))}`;
  const at = (locale: string) =>
    openChatPage(browser, service, address, { locale, viewport: { width: 800, height: 600 } });
  const about = async (page: Page) => [
    await page.evaluate(() => [document.documentElement.lang, document.title]),
    await Promise.all(
      ['h2', '.empty bdi', '.empty div'].map((one) => spoken(chat(page).host.locator(one).first())),
    ),
  ];
  const inGerman = await at('de-DE');
  await chat(inGerman.page, german).window.getByText('Hallo! Was suchst du?').waitFor();
  await expect
    .poll(() => about(inGerman.page))
    .toEqual([
      ['de-DE', 'Frag uns'],
      ['de-DE', 'de-DE', 'de-DE'],
    ]);
  await quiet(inGerman);
  await inGerman.close();

  const inFrench = await at('fr');
  await inFrench.page.locator('parley-chat').getByText('Hello!').waitFor();
  await expect
    .poll(() => about(inFrench.page))
    .toEqual([
      ['fr', 'Ask us'],
      ['', '', ''],
    ]);
  expect(await objections(inFrench.page, 'own-words')).toEqual([]);
  await quiet(inFrench);
  await inFrench.close();
});

test('in an app it follows what the app says', async () => {
  const address = `${query}&title=Ask+us&sentences=${encodeURIComponent(JSON.stringify(sentences))}`;
  const { shop, app, page } = await inApp('Android, addWebMessageListener', address);
  await chat(page).window.getByRole('heading', { name: 'Ask us' }).first().waitFor();
  await app.say({ parley: 1, type: 'setLocale', locale: 'de', id: 1 });
  await chat(page, german).window.getByRole('heading', { name: 'Frag uns' }).first().waitFor();
  await expect.poll(() => page.title()).toBe('Frag uns');
  await shop.close();
});

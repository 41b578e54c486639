/** A phone whose keyboard comes while a field is filled in that is not the composer's. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import { agent, chat, hostPage, useShop } from '../support/browser.js';
import { HEIGHT, openPhone, setViewOf } from '../support/phone.js';

const { browser, service } = await useShop();

const KEYBOARD_TOP = 508;
const fields = ['order', 'street', 'town', 'country', 'shelf', 'colour'].map((name) => ({
  name,
  label: name,
}));

async function start(name: string, attributes = '') {
  const shop = await openPhone(browser);
  const html = hostPage(service.url).replace('data-inbox-identifier', `${attributes} data-inbox-identifier`);
  await shop.page.goto(service.url + (await service.page(`phone-forms-${name}`, html)));
  await chat(shop.page).launcher.tap();
  return shop;
}

/** All of it is on the screen, between what lies above and below it. */
const isSeen = (field: Locator) =>
  field.evaluate((element) => {
    const box = element.getBoundingClientRect();
    const root = element.getRootNode();
    if (!(root instanceof ShadowRoot)) return 'is nowhere';
    return [box.top + 2, box.bottom - 2].every(
      (y) => root.elementFromPoint(box.left + box.width / 2, y) === element,
    );
  });

test.each([
  ['a form', { content_type: 'form', content_attributes: { items: fields } }, 'colour'],
  ['a question for the address', { content_type: 'input_email' }, en.email],
])(
  '%s that is the last of the conversation has its field above the keyboard',
  async (what, message, label) => {
    const shop = await start(what.replaceAll(' ', '-'));
    const { page } = shop;
    await chat(page).field.waitFor();
    for (const words of ['Good morning', 'Is anybody there', 'It is about a parcel'])
      await chat(page).say(`${words}, says ${what}`);
    const conversation = await agent(service).conversationOf(`It is about a parcel, says ${what}`);
    await agent(service).answer(conversation, 'Much to say. '.repeat(60).trim());
    await agent(service).tell(conversation, { content: 'Please fill this in', ...message });
    const field = chat(page).window.locator('.entry').getByLabel(label).last();
    await field.waitFor();
    await field.scrollIntoViewIfNeeded();
    await field.tap();
    expect(await isSeen(field)).toBe(true);
    await setViewOf(page, KEYBOARD_TOP);
    await expect.poll(async () => (await chat(page).window.boundingBox())?.height).toBe(KEYBOARD_TOP);
    await expect.poll(() => isSeen(field)).toBe(true);
    // As an iPhone does, which pushes the page up as well.
    await setViewOf(page, HEIGHT);
    await setViewOf(page, KEYBOARD_TOP, 300);
    await expect.poll(() => isSeen(field)).toBe(true);
    expect(shop.errors).toEqual([]);
    await shop.close();
  },
);

test('so has what is asked before the chat', async () => {
  const shop = await start('before', `data-pre-chat='${JSON.stringify(fields)}'`);
  const { page } = shop;
  const field = chat(page).window.getByLabel('shelf');
  await field.waitFor();
  await field.tap();
  await setViewOf(page, KEYBOARD_TOP);
  await expect.poll(() => isSeen(field)).toBe(true);
  expect(shop.errors).toEqual([]);
  await shop.close();
});

/**
 * A phone that is turned: its thread becomes wider and lower at once, and every row another height; and its notch lies
 * beside the page.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { boxOf, openTagged } from '../support/around.js';
import { agent, chat, openShop, type Shop, useShop } from '../support/browser.js';

const { browser, service } = await useShop();

let shop: Shop;
beforeEach(async () => {
  shop = await openShop(browser, `${service.url}/`, {
    viewport: { width: 320, height: 568 },
    isMobile: true,
    hasTouch: true,
  });
});
afterEach(() => shop.close());

/** How far it is to the end of the thread. */
const toEnd = () =>
  chat(shop.page)
    .host.locator('.transcript')
    .evaluate((list) => Math.round(list.scrollHeight - list.scrollTop - list.clientHeight));

test('who reads the newest words reads them still when the phone is turned, and turned back', async () => {
  await chat(shop.page).open();
  await chat(shop.page).say('How do I hang it?');
  const conversation = await agent(service).conversationOf('How do I hang it?');
  await agent(service).answer(conversation, 'Feed the cable through the canopy. '.repeat(12).trim());
  await agent(service).answer(conversation, 'Then screw it to the hook. '.repeat(4).trim());
  await agent(service).answer(conversation, 'The end');
  await chat(shop.page).bubble('The end').waitFor();
  await expect.poll(toEnd).toBe(0);
  for (const viewport of [
    { width: 700, height: 330 },
    { width: 320, height: 568 },
  ]) {
    await shop.page.setViewportSize(viewport);
    await expect.poll(() => chat(shop.page).window.boundingBox()).toMatchObject(viewport);
    await expect.poll(toEnd).toBe(0);
  }
});

test.each([
  ['in its place', '', 'right'],
  ['put by the owner', 'data-offset-x="8" data-offset-y="8"', 'right'],
  ['in another corner', 'data-position="top-start"', 'left'],
])('a launcher %s is neither under a notch nor under a home bar', async (name, attributes, side) => {
  const viewport = { width: 844, height: 390 };
  const turned = await openTagged(browser, service, name, attributes, { viewport });
  try {
    const insets = { top: 0, left: 59, right: 59, bottom: 21 };
    const screen = await turned.page.context().newCDPSession(turned.page);
    await screen.send('Emulation.setSafeAreaInsetsOverride', { insets });
    await chat(turned.page).launcher.waitFor();
    await expect
      .poll(async () => {
        const { x, y, width, height } = await boxOf(turned.page, 'launcher');
        return {
          left: x >= insets.left,
          right: x + width <= viewport.width - insets.right,
          bottom: y + height <= viewport.height - insets.bottom,
          near: side === 'left' ? x - insets.left : viewport.width - insets.right - x - width,
        };
      })
      .toEqual({ left: true, right: true, bottom: true, near: 0 });
  } finally {
    await turned.close();
  }
});

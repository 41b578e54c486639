/**
 * A phone that is turned: its thread becomes wider and lower at once, and every row another height; and its notch lies
 * beside the page.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { boxOf, openTagged } from '../support/around.js';
import { agent, chat, openShop, type Shop, useShop } from '../support/browser.js';
import { png } from '../support/media.js';
import { inside } from '../support/talk.js';
import { still } from '../support/thread.js';

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
  ['in its place', '', 'ltr'],
  ['put by the owner', 'data-offset-x="8" data-offset-y="8"', 'ltr'],
  ['in another corner', 'data-position="top-start"', 'ltr'],
  ['on a page that reads from the right', '', 'rtl'],
])(
  'a launcher %s, and its window, keep off a notch on one side and a home bar',
  async (name, attributes, dir) => {
    const viewport = { width: 1000, height: 700 };
    const turned = await openTagged(
      browser,
      service,
      name,
      attributes,
      { viewport },
      { head: `<script>document.documentElement.dir = '${dir}'</script>` },
    );
    const { page } = turned;
    try {
      const screen = await page.context().newCDPSession(page);
      await chat(page).launcher.waitFor();
      await chat(page).open();
      await still(page);
      const without = { launcher: await boxOf(page, 'launcher'), window: await boxOf(page, 'window') };
      const isRight = without.launcher.x > viewport.width / 2;
      const isLow = without.launcher.y > viewport.height / 2;
      for (const [insets, right, down] of [
        [{ right: 59 }, isRight ? -59 : 0, 0],
        [{ left: 59 }, isRight ? 0 : 59, 0],
        [{ bottom: 21 }, 0, isLow ? -21 : 0],
        [{ top: 24 }, 0, isLow ? 0 : 24],
      ] as const) {
        await screen.send('Emulation.setSafeAreaInsetsOverride', { insets });
        for (const what of ['launcher', 'window'] as const)
          await expect
            .poll(async () => {
              const { x, y } = await boxOf(page, what);
              return [what, x - without[what].x, y - without[what].y];
            })
            .toEqual([what, right, down]);
      }
    } finally {
      await turned.close();
    }
  },
);

test('a phone on its side has the launcher beside the notch, and the window over all of it', async () => {
  const screen = await shop.page.context().newCDPSession(shop.page);
  const viewport = { width: 700, height: 330 };
  await shop.page.setViewportSize(viewport);
  await chat(shop.page).launcher.waitFor();
  const { x, y } = await boxOf(shop.page, 'launcher');
  await screen.send('Emulation.setSafeAreaInsetsOverride', { insets: { left: 59, right: 59, bottom: 21 } });
  await expect.poll(() => boxOf(shop.page, 'launcher')).toMatchObject({ x: x - 59, y: y - 21 });
  await chat(shop.page).open();
  await expect.poll(() => boxOf(shop.page, 'window')).toMatchObject({ x: 0, y: 0, ...viewport });
});

test('no words of ours grow by themselves when it is turned: iPhones enlarge those of wide lines', async () => {
  const { page } = shop;
  await chat(page).open();
  await chat(page).say('Is it as large as before?');
  const conversation = await agent(service).conversationOf('Is it as large as before?');
  await chat(page).bubble('Is it as large as before?').waitFor();
  const sizes = (...selectors: string[]) =>
    page.evaluate((selectors) => {
      const root = document.querySelector('parley-chat')?.shadowRoot;
      return selectors.map((selector) => {
        const element = root?.querySelector(selector);
        return element && getComputedStyle(element).getPropertyValue('text-size-adjust');
      });
    }, selectors);
  expect(await sizes('.header h2', '.bubble .content')).toEqual(['100%', '100%']);
  const form = new FormData();
  form.append('content', 'Look');
  form.append('attachments[]', new File([png(64, 40, [40, 120, 220])], 'sea.png'));
  await agent(service).tell(conversation, form);
  const picture = inside(page, 'Look').getByRole('link', { name: 'sea.png' });
  await picture.getByRole('img').waitFor();
  await picture.click();
  expect(await sizes('.lightbox bdi')).toEqual(['100%']);
  await page.keyboard.press('Escape');
  await chat(page).close();
  await agent(service).answer(conversation, 'It is');
  await chat(page).host.locator('.news').waitFor();
  expect(await sizes('.news')).toEqual(['100%']);
});

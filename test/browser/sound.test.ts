/** A browser in which only what a press has woken may sound later, as in Safari: here, so is every page in another one. */
import { afterAll, expect, test } from 'vitest';
import { agent, chat, hostPage, launchBrowser, openShop, startShopService } from '../support/browser.js';
import { wakeAtOnce } from '../support/wake-at-once.js';

const [browser, service] = await Promise.all([
  launchBrowser({ whole: true, args: ['--autoplay-policy=user-gesture-required'] }),
  startShopService(),
]);
afterAll(() => Promise.all([browser.close(), service.end()]));

/** The driver's own looks count as presses: each frame says by itself what happens in it, line by line. */
function tell() {
  let line = 0;
  const say = (...words: string[]) =>
    console.debug(window === top ? 'outer' : 'inner', ++line, words.join(' '));
  const { createOscillator, resume } = AudioContext.prototype;
  AudioContext.prototype.createOscillator = function () {
    say('sounds', this.state);
    return createOscillator.call(this);
  };
  // Longer than a bell waits.
  AudioContext.prototype.resume = function () {
    setTimeout(() => say('tried'), 1_100);
    return resume.call(this);
  };
  addEventListener('pointerup', () => say('pressed'), true);
  setInterval(() => say(navigator.userActivation.isActive ? 'is awake' : 'rests'), 100);
}

test('a message sounds long after a press, and one that could not is not heard at the next press', async () => {
  const inner = service.url + (await service.page('inner', hostPage(service.url)));
  const outer = await service.page(
    'outer',
    `<!doctype html><html lang="en"><title>Another</title><link rel="icon" href="data:,">
     <iframe src="${inner}" title="A shop" allow="autoplay" width="1200" height="700"></iframe></html>`,
  );
  const shop = await openShop(browser, 'about:blank');
  const { page } = shop;
  await page.addInitScript(tell);
  await page.addInitScript(wakeAtOnce);
  await page.goto(service.url.replace('127.0.0.1', 'localhost') + outer);
  let read = 0;
  /** In the chat's frame, after what was heard before. */
  const heard = async (what: string) => {
    const find = () =>
      shop.console.findIndex(
        (line, at) => at >= read && line.startsWith('debug: inner ') && line.endsWith(` ${what}`),
      );
    await expect.poll(find, { message: what }).toBeGreaterThan(-1);
    read = find() + 1;
  };
  const sounds = () => shop.console.filter((line) => line.endsWith(' sounds running')).length;
  const inside = chat(page.frameLocator('iframe'));
  await inside.open();
  await inside.say('Ring me');
  const conversation = await agent(service).conversationOf('Ring me');
  await inside.close();
  read = shop.console.length;
  await heard('rests');
  await agent(service).answer(conversation, 'Too early');
  await heard('tried');
  await page.mouse.click(100, 300);
  await heard('pressed');
  await heard('rests');
  expect(sounds()).toBe(0);
  await agent(service).answer(conversation, 'In time');
  // Two tones, of the last one.
  await expect.poll(sounds).toBe(2);
  await heard('tried');
  expect(sounds()).toBe(2);
  expect(shop.errors).toEqual([]);
  await shop.close();
});

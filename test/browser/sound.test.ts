/** A browser in which only what a press has woken may sound later, as in Safari: here, so is every page in another one. */
import { afterAll, expect, test } from 'vitest';
import { agent, chat, hostPage, launchBrowser, openShop, startShopService } from '../support/browser.js';

const [browser, service] = await Promise.all([
  launchBrowser({ whole: true, args: ['--autoplay-policy=user-gesture-required'] }),
  startShopService(),
]);
afterAll(() => Promise.all([browser.close(), service.end()]));

/** The driver's own looks count as presses: the page says by itself what happens in it. */
function tell() {
  const { createOscillator, resume } = AudioContext.prototype;
  AudioContext.prototype.createOscillator = function () {
    console.debug('sounds', this.state);
    return createOscillator.call(this);
  };
  const look = (audio: AudioContext) => void setTimeout(() => console.debug('tried', audio.state), 1100);
  AudioContext.prototype.resume = function () {
    look(this);
    return resume.call(this);
  };
  window.AudioContext = class extends AudioContext {
    constructor() {
      super();
      look(this);
    }
  };
  let was = false;
  setInterval(() => {
    const { isActive } = navigator.userActivation;
    if (was && !isActive) console.debug('rests');
    was = isActive;
  }, 50);
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
  await page.goto(service.url.replace('127.0.0.1', 'localhost') + outer);
  const heard = (what: string) => page.waitForEvent('console', (line) => line.text().startsWith(what));
  const inside = chat(page.frameLocator('iframe'));
  await inside.open();
  await inside.say('Ring me');
  const conversation = await agent(service).conversationOf('Ring me');
  await inside.close();
  await heard('rests');
  const late = heard('tried');
  await agent(service).answer(conversation, 'Too early');
  await late;
  const rests = heard('rests');
  await page.mouse.click(100, 300);
  await rests;
  const tried = heard('tried');
  await agent(service).answer(conversation, 'In time');
  await tried;
  // Two tones, of the last one.
  expect(shop.console.filter((line) => line.endsWith('sounds running'))).toHaveLength(2);
  expect(shop.errors).toEqual([]);
  await shop.close();
});

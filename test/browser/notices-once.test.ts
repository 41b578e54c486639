/** Sounds and notices of the browser, where the visitor is in another tab, or has left before it was decided who makes them. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { more, openTagged, pick, say as sayIn, setHidden } from '../support/around.js';
import { agent, chat, english, useShop } from '../support/browser.js';
import { wakeAtOnce } from '../support/wake-at-once.js';

const { browser, service } = await useShop({ whole: true });

/** What this page has sounded and shown. */
function listen() {
  const told: string[] = [];
  Object.assign(window, { told });
  const { createOscillator } = AudioContext.prototype;
  AudioContext.prototype.createOscillator = function () {
    if (this.state === 'running') told.push('tone');
    return createOscillator.call(this);
  };
  window.Notification = class extends Notification {
    constructor(title: string, options?: NotificationOptions) {
      super(title, options);
      // That of the switch itself, which tries, is gone at once.
      if (!this.silent) told.push(`${title}: ${options?.body}`);
    }
  };
}
const told = (page: Page): Promise<string[]> => page.evaluate(() => Reflect.get(window, 'told').toSorted());
const ding = (words: string) => [`Ada: ${words}`, 'tone', 'tone'];

const key = `parley:${service.url}#demo-inbox`;
const fact = (page: Page, name: string) =>
  page.evaluate((key) => localStorage.getItem(key), `${key}:${name}`);

/** A visitor who wants notices, and a page of theirs that is hidden beside the first one. */
async function inTwoTabs(name: string) {
  const { page, close } = await openTagged(browser, service, name);
  const context = page.context();
  await context.grantPermissions(['notifications']);
  await context.addInitScript(listen);
  await context.addInitScript(wakeAtOnce);
  await page.reload();
  await chat(page).open();
  const conversation = await sayIn(service, page, name);
  await more(page).click();
  await page.getByRole('menuitemcheckbox', { name: english('notifyOn') }).click();
  await page.keyboard.press('Escape');
  const hidden = await context.newPage();
  await hidden.goto(page.url());
  await hidden.getByRole('heading', { name: 'A shop' }).click();
  await expect.poll(() => hidden.evaluate(() => window.parley?.status().line)).toBe('live');
  await setHidden(hidden, true);
  return { page, hidden, conversation, close };
}

test('a hidden tab is silent about what comes while the visitor is in the chat in another one, whatever they look at', async () => {
  const { page, hidden, conversation, close } = await inTwoTabs('Beside another lamp');
  await pick(page, 'New conversation');
  await sayIn(service, page, 'Another lamp');
  await agent(service).answer(conversation, 'For the first lamp');
  await expect.poll(() => page.evaluate(() => window.parley?.unread())).toBe(1);
  // Decided, by whichever tab.
  const noted = () => fact(hidden, 'noted');
  await expect.poll(noted).not.toBe(null);
  const before = await noted();
  await expect.poll(() => fact(hidden, 'rung')).toBe(before);
  await chat(page).close();
  await setHidden(page, true);
  await agent(service).answer(conversation, 'For the second lamp');
  const all = async () => [...(await told(page)), ...(await told(hidden))].sort();
  await expect.poll(all).toEqual(ding('For the second lamp'));
  await close();
});

test.each(['destroy', 'forget'] as const)(
  'nothing sounds, is shown or is kept for a message once it is too late: %s',
  async (call) => {
    const { page, hidden, conversation, close } = await inTwoTabs(`Too late, ${call}`);
    await chat(page).close();
    await setHidden(page, true);
    // What fetches the sound is there from now on.
    await agent(service).answer(conversation, 'In time');
    const all = async () => [...(await told(page)), ...(await told(hidden))].sort();
    await expect.poll(all).toEqual(ding('In time'));
    const names = ['rung', 'noted'];
    const locks = names.map((name) => `${key}:${name}`);
    const waiting = (count: number) =>
      expect
        .poll(() =>
          hidden.evaluate(async (locks) => {
            const { held = [], pending = [] } = await navigator.locks.query();
            const ours = ({ name }: LockInfo) => locks.includes(name ?? '');
            return [held.filter(ours).length, pending.filter(ours).length];
          }, locks),
        )
        .toEqual(count ? [2, count] : [0, 0]);
    // A tab that is deciding about something else.
    await waiting(0);
    await page.evaluate((locks) => {
      const letGo = new Promise((resolve) => addEventListener('letgo', resolve));
      for (const lock of locks) void navigator.locks.request(lock, () => letGo);
    }, locks);
    await agent(service).answer(conversation, 'Too late');
    await waiting(4);
    const before = call === 'forget' ? [null, null] : [await fact(page, 'rung'), await fact(page, 'noted')];
    for (const tab of [page, hidden])
      await tab.evaluate((call) => Promise.resolve(window.parley?.[call]()), call);
    // Both have heard that there is nothing any more.
    if (call === 'forget')
      for (const tab of [page, hidden])
        await expect.poll(() => tab.evaluate(() => window.parley?.unread())).toBe(0);
    await page.evaluate(() => void dispatchEvent(new Event('letgo')));
    await waiting(0);
    expect(await all()).toEqual(ding('In time'));
    expect([await fact(page, 'rung'), await fact(page, 'noted')]).toEqual(before);
    await close();
  },
);

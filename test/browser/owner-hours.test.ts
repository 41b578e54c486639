/** What an owner may want of the chat outside office hours, as the README says it. */
import { expect, test } from 'vitest';
import { openTagged } from '../support/around.js';
import { chat, hostPage, openShop, useShop } from '../support/browser.js';
import { holdFiles } from '../support/held-files.js';
import { drawn } from '../support/thread.js';

const { browser, service } = await useShop();

/** A shop whose tag has these attributes, too. */
const open = (name: string, attributes: string, body = '<main><h1>A shop</h1></main>') =>
  openTagged(browser, service, name, attributes, { reducedMotion: 'reduce' }, { body });

const week = (from: number, to: number) => ({
  working_hours_enabled: true,
  timezone: 'UTC',
  working_hours: Array.from({ length: 7 }, (_, day) => ({
    day_of_week: day,
    closed_all_day: from === to,
    open_all_day: from === 0 && to === 24,
    open_hour: from,
    open_minutes: 0,
    close_hour: to % 24,
    close_minutes: 0,
  })),
});

test('outside office hours the launcher is away where the owner wants that, and else says so or does not', async () => {
  const set = async (hours: unknown) => {
    const answer = await service.agent('PATCH', '/api/v1/accounts/1/inboxes/1', hours);
    expect(answer.status).toBe(200);
  };
  await set(week(0, 0));
  try {
    const hides = await open('hours-hide', 'data-outside-hours="hide"');
    const asked = hides.page.waitForResponse(/inboxes\/[^/]+$/);
    await hides.page.reload();
    await (await asked).finished();
    await drawn(hides.page);
    expect(await chat(hides.page).launcher.isVisible()).toBe(false);
    await set(week(0, 24));
    await hides.page.reload();
    await chat(hides.page).launcher.waitFor();
    // The engine was not fetched for it.
    expect(hides.requests.filter(({ path }) => /\/assets\/(chat|app)-/.test(path))).toEqual([]);
    // A window that was left open waits with the rest, and nobody is told otherwise.
    await chat(hides.page).open();
    await hides.page.addInitScript(() => {
      const told: string[] = [];
      const ears = Object.assign([], window.parley) as ((chat: NonNullable<typeof window.parley>) => void)[];
      ears.push((chat) => {
        for (const event of ['open', 'close'] as const) chat.on(event, () => void told.push(event));
      });
      Object.assign(window, { parley: ears, told });
    });
    const told = () => hides.page.evaluate(() => Reflect.get(window, 'told'));
    await set(week(0, 0));
    await hides.page.reload();
    const answered = () =>
      hides.page.evaluate(() =>
        performance.getEntriesByType('resource').some(({ name }) => /inboxes\/[^/]+$/.test(name)),
      );
    await expect.poll(answered).toBe(true);
    await drawn(hides.page);
    expect(await chat(hides.page).launcher.isVisible()).toBe(false);
    expect(await told()).toEqual([]);
    await set(week(0, 24));
    await hides.page.reload();
    await chat(hides.page).field.waitFor();
    expect(await told()).toEqual(['open']);
    await hides.close();

    // There is no launcher to open what is a part of the page.
    const place = '<main><div id="place" style="block-size: 30rem"></div></main>';
    const inline = await open('hours-inline', 'data-inside="#place" data-outside-hours="hide"', place);
    await chat(inline.page).field.waitFor();
    await inline.page.evaluate(() => window.parley?.hide());
    await chat(inline.page).field.waitFor({ state: 'hidden' });
    await inline.page.evaluate(() => window.parley?.show());
    await chat(inline.page).field.waitFor();
    await inline.close();

    await set(week(0, 0));
    const says = await open('hours-say', '');
    await chat(says.page).open();
    await chat(says.page).window.getByText('away').waitFor();
    // At 400 % zoom, too.
    await says.page.setViewportSize({ width: 320, height: 256 });
    await chat(says.page).window.getByText('away').waitFor();
    await says.close();
    const shows = await open('hours-show', 'data-outside-hours="show"');
    const answer = shows.page.waitForResponse(/inboxes\/[^/]+$/);
    await chat(shows.page).open();
    await (await answer).finished();
    await drawn(shows.page);
    await chat(shows.page).window.getByText('We answer here, in this window.').waitFor();
    expect(await chat(shows.page).window.getByText('away').count()).toBe(0);
    await shows.close();
  } finally {
    await service.agent('PATCH', '/api/v1/accounts/1/inboxes/1', { working_hours_enabled: false });
  }
});

test('an answer that is an error says nothing of the hours: it is asked again soon, and what was said before holds', async () => {
  const answer = await service.agent('PATCH', '/api/v1/accounts/1/inboxes/1', week(0, 0));
  expect(answer.status).toBe(200);
  const shop = await open('hours-error', '');
  const { page } = shop;
  try {
    let asked = 0;
    await page.route(/inboxes\/[^/]+$/, (route) =>
      asked++ === 1 ? route.continue() : route.fulfill({ status: 429, json: { error: 'Slow down' } }),
    );
    await page.clock.install();
    const hides = hostPage(service.url).replace(
      'data-inbox-identifier',
      'data-outside-hours="hide" data-inbox-identifier',
    );
    await page.goto(service.url + (await service.page('hours-error-hides', hides)));
    // Whoever cannot be asked has not said that they are away.
    await chat(page).launcher.waitFor();
    expect(asked).toBe(1);
    await page.clock.fastForward('06:00');
    await chat(page).launcher.waitFor({ state: 'hidden' });
    expect(asked).toBe(2);
    const refused = page.waitForResponse(/inboxes\/[^/]+$/);
    await page.clock.fastForward('31:00');
    await (await refused).finished();
    await drawn(page);
    expect(await chat(page).launcher.isVisible()).toBe(false);
  } finally {
    await service.agent('PATCH', '/api/v1/accounts/1/inboxes/1', { working_hours_enabled: false });
    await shop.close();
  }
});

test('while the hours are being asked for the launcher stays away, however often the visitor comes back', async () => {
  const answer = await service.agent('PATCH', '/api/v1/accounts/1/inboxes/1', week(0, 0));
  expect(answer.status).toBe(200);
  const shop = await open('hours-slow', '');
  const { page } = shop;
  try {
    const slow = await holdFiles(page, /inboxes\/[^/]+$/);
    const hides = hostPage(service.url).replace(
      'data-inbox-identifier',
      'data-outside-hours="hide" data-inbox-identifier',
    );
    await page.goto(service.url + (await service.page('hours-slow-hides', hides)));
    await expect.poll(slow.count).toBe(1);
    await page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));
    await drawn(page);
    expect(await chat(page).launcher.isVisible()).toBe(false);
    const answered = page.waitForResponse(/inboxes\/[^/]+$/);
    slow.release();
    await (await answered).finished();
    await drawn(page);
    expect(await chat(page).launcher.isVisible()).toBe(false);
  } finally {
    await service.agent('PATCH', '/api/v1/accounts/1/inboxes/1', { working_hours_enabled: false });
    await shop.close();
  }
});

test('a service that says nothing at all has not said that nobody is there', async () => {
  const html = hostPage(service.url).replace('data-inbox', 'data-outside-hours="hide" data-inbox');
  const shop = await openShop(browser, 'about:blank');
  const { page } = shop;
  await page.clock.install();
  const silent = await holdFiles(page, /inboxes\/[^/]+$/);
  await page.goto(service.url + (await service.page('hours-silent', html)));
  await expect.poll(silent.count).toBe(1);
  expect(await chat(page).launcher.isVisible()).toBe(false);
  await page.clock.fastForward(21_000);
  await chat(page).launcher.waitFor();
  silent.release();
  await shop.close();
});

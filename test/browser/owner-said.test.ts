/** What the manual says of an option or a call, seen by the visitor, or kept by the service. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { CALM, POLL_MS } from '../../src/realtime/reconnect.js';
import { english as en } from '../../src/text/english.js';
import { openTagged, say, setHidden } from '../support/around.js';
import { agent, chat, openShop, useShop } from '../support/browser.js';
import { drawn } from '../support/thread.js';
import { wakeAtOnce } from '../support/wake-at-once.js';

const { browser, service } = await useShop({ whole: true });

const open = (name: string, attributes = '') => openTagged(browser, service, name, attributes);

test('where the owner wants no files there is neither a button for them, nor a place to drop or paste them', async () => {
  const offers = async (attributes: string) => {
    const { page, close } = await open('files', attributes);
    await chat(page).open();
    await chat(page).window.getByRole('button', { name: 'Emoji' }).waitFor();
    await chat(page).log.waitFor();
    await drawn(page);
    const buttons = await Promise.all(
      [en.attach, en.record].map((name) => chat(page).window.getByRole('button', { name }).count()),
    );
    const taken = await chat(page).field.evaluate((field) => {
      const files = () => {
        const data = new DataTransfer();
        data.items.add(new File(['x'], 'x.txt', { type: 'text/plain' }));
        return data;
      };
      const about = { bubbles: true, composed: true, cancelable: true };
      // Whoever takes it keeps the page from it.
      return [
        new DragEvent('dragover', { ...about, dataTransfer: files() }),
        new DragEvent('dragleave', { ...about, dataTransfer: files() }),
        new ClipboardEvent('paste', { ...about, clipboardData: files() }),
      ].map((event) => !field.dispatchEvent(event));
    });
    const waiting = chat(page).window.getByRole('list', { name: 'Files to be sent' });
    if (taken[2]) await waiting.waitFor();
    const inTray = await waiting.count();
    await close();
    return { buttons, taken, inTray };
  };
  expect(await offers('')).toEqual({ buttons: [1, 1], taken: [true, true, true], inTray: 1 });
  expect(await offers('data-attachments="false"')).toEqual({
    buttons: [0, 0],
    // What would be dropped is refused, so that the browser does not open it in place of the page.
    taken: [true, false, false],
    inTray: 0,
  });
});

test('where the owner wants no sound there is none', async () => {
  await service.db.query(
    `insert into inboxes (account_id, identifier, name, hmac_token, working_hours)
     select account_id, 'aloud', 'Aloud', 'unused', working_hours from inboxes where id = 1`,
  );
  const head = `<script type="module">
    import { mount } from '{{origin}}/parley.module.js';
    window.aloud = mount({ baseUrl: '{{origin}}', inboxIdentifier: 'aloud', locale: 'en' });
  </script>`;
  const sounds = async (attributes: string) => {
    const { page, close } = await openTagged(browser, service, 'sounds', attributes, {}, { head });
    await page.evaluate(wakeAtOnce);
    await page.evaluate(() => {
      const { resume } = AudioContext.prototype;
      const woken = new Set<AudioContext>();
      window.testWoken = woken;
      AudioContext.prototype.resume = function () {
        woken.add(this);
        return resume.call(this);
      };
    });
    await page.waitForFunction(() => 'aloud' in window && window.parley);
    // Whoever has touched the page may hear it.
    await page.getByRole('heading', { name: 'A shop' }).click();
    await page.evaluate((words) => window.parley?.send(words), `Please, ${attributes}`);
    await page.evaluate((words) => Reflect.get(window, 'aloud').send(words), `Aloud beside ${attributes}`);
    const asked = await agent(service).conversationOf(`Please, ${attributes}`);
    const beside = await agent(service).conversationOf(`Aloud beside ${attributes}`);
    await setHidden(page, true);
    const title = () => page.title();
    await agent(service).answer(asked, 'One');
    await expect.poll(title).toMatch(/^\(1\)/);
    // What comes later to another chat of the page is heard later.
    await agent(service).answer(beside, 'Two');
    await expect
      .poll(() => page.evaluate((key) => localStorage.getItem(key), `parley:${service.url}#aloud:rung`))
      .not.toBeNull();
    const bells = await page.evaluate(() => window.testWoken?.size);
    await close();
    return bells;
  };
  expect(await sounds('data-sound="true"')).toBe(2);
  expect(await sounds('data-sound="false"')).toBe(1);
});

test('a calm chat looks four times more seldom where there is no socket', async () => {
  const RANDOM = 0.13;
  const look = POLL_MS.open * (0.5 + RANDOM);
  for (const [attributes, times] of [['', 1] as const, ['data-reconnect="calm"', CALM] as const]) {
    const { page, close } = await open(`calm-${times}`, attributes);
    await page.addInitScript((random) => {
      Reflect.deleteProperty(window, 'WebSocket');
      Math.random = () => random;
      const waits: number[] = [];
      window.testWaits = waits;
      const { setTimeout } = window;
      Object.assign(window, {
        setTimeout: (work: TimerHandler, ms = 0, ...given: unknown[]) => {
          waits.push(ms);
          return setTimeout(work, ms, ...given);
        },
      });
    }, RANDOM);
    await page.reload();
    await chat(page).open();
    await say(service, page, `Polled ${times}`);
    const waits = () => page.evaluate(() => window.testWaits ?? []);
    await expect.poll(waits).toContain(look * times);
    expect(await waits()).not.toContain(look * (CALM / times));
    await close();
  }
});

test('what identify says of a person is theirs at the service', async () => {
  const { page, close } = await open('person');
  await page.waitForFunction(() => window.parley !== undefined);
  const said = {
    identifier: 'person-7',
    name: 'Grace',
    email: 'grace@person.example',
    phone: '+12025550147',
    avatar: 'https://pictures.person.example/grace.png',
    attributes: { plan: 'Team', seats: 4 },
  };
  expect(await page.evaluate((who) => window.parley?.identify(who), said)).toEqual({ ok: true });
  await chat(page).open();
  await say(service, page, 'It is me');
  const found = await service.agent('GET', '/api/v1/accounts/1/contacts/search?q=grace@person.example');
  const { payload } = z.object({ payload: z.array(z.unknown()) }).parse(found.body);
  expect(payload).toEqual([
    expect.objectContaining({
      identifier: said.identifier,
      name: said.name,
      email: said.email,
      phone_number: said.phone,
      thumbnail: said.avatar,
      custom_attributes: said.attributes,
    }),
  ]);
  await close();
});

test('a service that says no to everything is told by status, and by its event', async () => {
  const path = await service.page(
    'nobodys-inbox',
    `<!doctype html><html lang="en"><title>A page</title><link rel="icon" href="data:,">
      <script async src="{{origin}}/parley.js" data-base-url="{{origin}}" data-inbox-identifier="nobodys"></script></html>`,
  );
  const { page, close } = await openShop(browser, service.url + path);
  await page.waitForFunction(() => window.parley !== undefined);
  const told = await page.evaluateHandle(() => {
    const all: unknown[] = [];
    window.parley?.on('status', (status) => all.push(status));
    return all;
  });
  await chat(page).open();
  await chat(page).say('Is anybody there?');
  const status = () => page.evaluate(() => window.parley?.status());
  await expect.poll(status).toMatchObject({ open: true, trouble: 'unavailable' });
  // Both of one moment: the line goes on changing.
  const same = () =>
    told.evaluate((all) => JSON.stringify(all.at(-1)) === JSON.stringify(window.parley?.status()));
  await expect.poll(same).toBe(true);
  await close();
});

/** What a part of the window is painted with, once somebody has said it: nothing of ours is of these colours. */
const TOKENS = [
  ['onAccent', '#010203', '.header', 'color'],
  ['surface', '#020304', '.panel', 'background-color'],
  ['text', '#030405', '.theirs .bubble', 'color'],
  ['muted', '#040506', '.meta time', 'color'],
  ['line', '#050607', '.composer', 'border-top-color'],
  ['control', '#060708', '.field', 'border-top-color'],
  ['bubble', '#f7f8f9', '.theirs .bubble', 'background-color'],
  ['focus', '#080910', '.transcript', 'outline-color'],
  ['danger', '#091011', '.failed', 'color'],
] as const;

test('each colour and measure that setTheme takes is worn by what the manual says', async () => {
  const { page, close } = await open('tokens');
  await chat(page).open();
  const conversation = await say(service, page, 'What do you wear?');
  await agent(service).answer(conversation, 'A coat');
  await chat(page).bubble('A coat').waitFor();
  await page.route('**/messages', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 422, json: {} }) : route.continue(),
  );
  await chat(page).say('Refused');
  await chat(page).host.locator('.failed').first().waitFor();
  await chat(page).log.press('Shift');
  const worn = (page: Page, selector: string, property: string) =>
    chat(page)
      .host.locator(selector)
      .first()
      .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
  const rgb = (hex: string) =>
    `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`;
  const set = (theme: Record<string, string>) =>
    page.evaluate((given) => window.parley?.setTheme(given), theme);
  for (const [name, value, selector, property] of TOKENS) {
    const before = await worn(page, selector, property);
    expect(before, name).not.toBe(rgb(value));
    expect(await set({ [name]: value })).toEqual({ ok: true });
    await expect.poll(() => worn(page, selector, property), { message: name }).toBe(rgb(value));
    expect(await set({ [name]: '' })).toEqual({ ok: true });
    await expect.poll(() => worn(page, selector, property), { message: name }).toBe(before);
  }
  await set({ font: 'monospace', radius: '3px' });
  expect(await worn(page, '.panel', 'font-family')).toBe('monospace');
  expect(await worn(page, '.panel', 'border-top-left-radius')).toBe('3px');
  await close();
});

test('what setTheme has set and takes back is as the tag says again', async () => {
  const { page, close } = await open('taken-back', 'data-accent="#0b6e4f" data-scheme="dark"');
  await chat(page).open();
  const worn = () =>
    chat(page).window.evaluate((dialog) => {
      const header = dialog.querySelector('.header');
      return [header && getComputedStyle(header).backgroundColor, getComputedStyle(dialog).colorScheme];
    });
  const set = (theme: { accent?: string; scheme?: 'light' | '' }) =>
    page.evaluate((given) => window.parley?.setTheme(given), theme);
  const before = ['rgb(11, 110, 79)', 'dark'];
  await expect.poll(worn).toEqual(before);
  await set({ accent: 'rebeccapurple', scheme: 'light' });
  expect(await worn()).toEqual(['rgb(102, 51, 153)', 'light']);
  await set({ accent: '', scheme: '' });
  expect(await worn()).toEqual(before);
  await close();
});

const worn = (page: Page, selector: string) =>
  chat(page)
    .host.locator(selector)
    .evaluate((element) => getComputedStyle(element).backgroundColor);

test.each(['oklch(0.5 0.1 20)', 'color(srgb 0.1 0.4 0.3)', '#0b6e4f80'])(
  'an accent of which the window can derive nothing is worn by the launcher neither: %s',
  async (accent) => {
    const says = 'accent must be a colour without transparency, ';
    const said = (lines: string[]) => lines.map((line) => line.slice(0, line.indexOf(says) + says.length));
    const tagged = await open('no-accent-tag', `data-accent="${accent}"`);
    await chat(tagged.page).launcher.waitFor();
    const usual = 'rgb(58, 79, 216)';
    expect(await worn(tagged.page, '.launcher')).toBe(usual);
    await chat(tagged.page).open();
    expect(await worn(tagged.page, '.header')).toBe(usual);
    expect(said(tagged.console)).toEqual([`warning: Parley: data-${says}`]);
    await tagged.close();

    const called = await open('no-accent-call', 'data-accent="hsl(150 80% 20%)"');
    const { page } = called;
    await chat(page).launcher.waitFor();
    const before = await worn(page, '.launcher');
    expect(before).not.toBe(usual);
    const set = (given: string) => page.evaluate((one) => window.parley?.setTheme({ accent: one }), given);
    expect(await set(accent)).toMatchObject({ ok: false, error: { kind: 'wrong' } });
    expect(await worn(page, '.launcher')).toBe(before);
    expect(said(called.console)).toEqual([`warning: Parley: setTheme(): ${says}`]);
    expect(await set('hwb(270 20% 40%)')).toEqual({ ok: true });
    await called.close();
  },
);

test('an accent is looked at before the place of the window is on the page, too', async () => {
  const { page, console, close } = await open('accent-early', 'data-inside="#later"');
  await page.waitForFunction(() => window.parley);
  const set = (given: string) => page.evaluate((one) => window.parley?.setTheme({ accent: one }), given);
  expect(await set('rgb(0, 80, 40)')).toEqual({ ok: true });
  expect(await set('oklch(0.5 0.1 20)')).toMatchObject({ ok: false, error: { kind: 'wrong' } });
  expect(await set('hsl(150 80% 20%)')).toEqual({ ok: true });
  expect(console).toHaveLength(1);
  await page.evaluate(() => {
    const place = document.createElement('div');
    place.id = 'later';
    place.style.height = '500px';
    document.body.append(place);
  });
  await chat(page).field.waitFor();
  expect(await worn(page, '.header')).toBe('rgb(10, 92, 51)');
  await close();
});

declare global {
  interface Window {
    testWoken?: Set<AudioContext>;
    testWaits?: number[];
  }
}

/** Voice messages in a real browser, whose microphone is one that Chromium plays: recorded, heard, sent, discarded, refused. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import fa from '../../src/text/locales/fa.js';
import { createSay } from '../../src/text/text.js';
import { goElsewhere, openTagged, pick, say } from '../support/around.js';
import {
  chat,
  launchBrowser,
  openShop,
  type Shop,
  type ShopService,
  said,
  startShopService,
} from '../support/browser.js';
import { startMs } from '../support/service.js';

declare global {
  interface Window {
    testTracks: MediaStreamTrack[];
    testGranted: MediaDevices['getUserMedia'];
  }
}

let browser: Browser;
let service: ShopService;
beforeAll(async () => {
  [browser, service] = await Promise.all([
    launchBrowser({ args: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'] }),
    startShopService({ forgetEchoId: true }),
  ]);
}, startMs);
afterAll(async () => {
  await browser.close();
  await service.end();
});

let shop: Shop;
let page: Page;
beforeEach(async () => {
  shop = await openShop(browser, `${service.url}/`);
  page = shop.page;
});
afterEach(async () => {
  expect(shop.errors).toEqual([]);
  await shop.close();
});

const tray = () => chat(page).window.getByRole('list', { name: 'Files to be sent' });

test('a voice message is recorded, can be heard before it is sent, and arrives', async () => {
  await chat(page).open();
  const { window, log } = chat(page);
  await window.getByRole('button', { name: 'Record a voice message' }).click();
  await window
    .getByRole('timer')
    .getByText(/^0:(?!00)/)
    .waitFor();
  // What the recorder covers is out of reach.
  expect(await chat(page).field.isVisible()).toBe(false);
  await page.keyboard.press('Enter');
  await expect.poll(() => tray().locator('bdi').allTextContents()).toEqual(['voice-message.webm']);
  await tray().locator('audio').waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.tagName))
    .toBe('TEXTAREA');
  await page.keyboard.press('Enter');
  await log.getByText('Sent', { exact: true }).waitFor();
  const [row] = await service.db.query<{ size: number }>(
    "select file_size::int as size from attachments where file_name = 'voice-message.webm'",
  );
  expect(row?.size).toBeGreaterThan(1000);
  // It is a sound there, too, and no film without pictures.
  await log.locator('audio').waitFor();
  expect(await log.locator('video').count()).toBe(0);
  // The recorder writes no length; found out, it stands at its beginning, and is no file with a name to be read.
  const clock = () => log.locator('audio').evaluate((it: HTMLAudioElement) => [it.duration, it.currentTime]);
  await expect.poll(async () => (await clock())[0]).toBeLessThan(30);
  await expect.poll(async () => (await clock())[1]).toBe(0);
  expect(await log.locator('audio').getAttribute('aria-label')).toBe(en.audio);
  expect(await log.getByText('voice-message').count()).toBe(0);
  // Discarded, it goes nowhere.
  await window.getByRole('button', { name: 'Record a voice message' }).click();
  await window.getByRole('timer').getByText(/^0:/).waitFor();
  await window.getByRole('button', { name: 'Discard the recording' }).click();
  await window.getByRole('button', { name: 'Record a voice message' }).waitFor();
  expect(await tray().count()).toBe(0);
});

test('a voice message goes whatever files the owner takes', async () => {
  await shop.close();
  shop = await openTagged(browser, service, 'voice-types', 'data-file-types=".pdf"');
  page = shop.page;
  await chat(page).open();
  await chat(page).window.getByRole('button', { name: 'Record a voice message' }).click();
  await chat(page).window.getByRole('timer').getByText(/^0:/).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => tray().locator('bdi').allTextContents()).toEqual(['voice-message.webm']);
  expect(await chat(page).window.getByText('This kind of file').count()).toBe(0);
});

test('a press that gives its button no focus, as Safari’s on a Mac, leaves it with the field once the recorder is gone', async () => {
  await chat(page).open();
  const { window } = chat(page);
  await window.evaluate((dialog) =>
    dialog.addEventListener('mousedown', (event) => {
      if (!(event.target instanceof Element && event.target.closest('button'))) return;
      event.preventDefault();
      if (dialog instanceof HTMLElement) dialog.focus();
    }),
  );
  for (const end of ['Stop and keep the recording', 'Discard the recording']) {
    await window.getByRole('button', { name: 'Record a voice message' }).click();
    await window
      .getByRole('timer')
      .getByText(/^0:(?!00)/)
      .waitFor();
    await window.getByRole('button', { name: end }).click();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.tagName))
      .toBe('TEXTAREA');
    if (end !== 'Stop and keep the recording') continue;
    await tray().locator('audio').waitFor();
    await page.keyboard.press('Enter');
    await chat(page).log.getByText('Sent', { exact: true }).waitFor();
  }
});

test('Escape ends the recording, which is kept, and the next one closes the window', async () => {
  await watch(page);
  await chat(page).open();
  await record(page);
  await page.keyboard.press('Escape');
  await expect.poll(names).toEqual(['voice-message.webm']);
  expect(await listening(page)).toBe(0);
  expect(await chat(page).window.isVisible()).toBe(true);
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.tagName))
    .toBe('TEXTAREA');
  await page.keyboard.press('Escape');
  await chat(page).window.waitFor({ state: 'hidden' });
});

test('the clock of the recorder has the digits of the language', async () => {
  await page.evaluate(() => {
    document.documentElement.lang = 'fa';
  });
  const persian = createSay('fa', fa, en);
  await chat(page, persian).open();
  const { window } = chat(page, persian);
  await window.getByRole('button', { name: persian('record') }).click();
  await window
    .getByRole('timer')
    .getByText(/^۰:۰[۰-۹] \/ ۵:۰۰$/)
    .waitFor();
  await window.getByRole('button', { name: persian('discardRecording') }).click();
});

test('that a recording may last five minutes is said before, near the end, and when it has ended, and it is kept', async () => {
  await watch(page);
  await chat(page).open();
  const { window } = chat(page);
  await window.getByRole('button', { name: 'Record a voice message' }).waitFor();
  await page.clock.install();
  await record(page);
  const limit = 'A recording can be up to 5 minutes long.';
  const status = window.locator('.voice').getByRole('status');
  await expect.poll(() => status.innerText()).toBe(`Recording\n${limit}`);
  await window
    .getByRole('timer')
    .getByText(/^0:\d\d \/ 5:00$/)
    .waitFor();
  await page.clock.fastForward('04:31');
  await expect.poll(() => status.innerText()).toBe(`4:30\n${limit}`);
  expect(await listening(page)).toBe(1);
  await page.clock.fastForward('00:30');
  await window.getByRole('alert').getByText(limit, { exact: true }).waitFor();
  expect(await listening(page)).toBe(0);
  expect(await names()).toEqual(['voice-message.webm']);
  await window.getByText('Added: \u2068voice-message.webm\u2069').waitFor();
  // Once it is sent nobody needs to hear it any more.
  await page.keyboard.press('Enter');
  await window.getByRole('alert').getByText(limit).waitFor({ state: 'detached' });
});

test('a microphone that is refused, and one that is not there or taken, are said in a sentence each', async () => {
  await chat(page).open();
  for (const [why, sentence] of [
    ['NotFoundError', en.microphoneMissing],
    ['NotAllowedError', en.microphoneRefused],
    ['NotReadableError', en.microphoneMissing],
  ] as const) {
    await tell(page, why);
    await chat(page).window.getByRole('button', { name: 'Record a voice message' }).click();
    await chat(page).window.getByRole('alert').getByText(sentence).waitFor();
  }
  expect(await said(page)).toEqual([]);
});

const tell = (page: Page, why: string) =>
  page.evaluate((why) => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', why));
  }, why);
/** What listens by now. */
const listening = (page: Page) =>
  page.evaluate(() => window.testTracks.filter(({ readyState }) => readyState === 'live').length);
const watch = (page: Page) =>
  page.evaluate(() => {
    window.testTracks = [];
    const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (wanted) => {
      const stream = await ask(wanted);
      window.testTracks.push(...stream.getTracks());
      return stream;
    };
  });
async function record(page: Page) {
  await chat(page).window.getByRole('button', { name: 'Record a voice message' }).click();
  await chat(page).window.getByRole('timer').getByText(/^0:/).waitFor();
  expect(await listening(page)).toBe(1);
}
const names = () => tray().locator('bdi').allTextContents();

test('nobody is recorded behind what covers the recorder, nor for another conversation; what was said is kept', async () => {
  await watch(page);
  await chat(page).open();
  await say(service, page, 'With a voice');
  await record(page);
  await pick(page, 'Conversations');
  await expect.poll(() => listening(page)).toBe(0);
  await page.keyboard.press('Escape');
  await expect.poll(names).toEqual(['voice-message.webm']);
  await tray().getByRole('button', { name: 'Remove voice-message.webm' }).click();
  // It stays with the conversation for which it was said.
  await record(page);
  await pick(page, 'New conversation');
  await expect.poll(() => listening(page)).toBe(0);
  await chat(page).bubble('With a voice').waitFor({ state: 'detached' });
  expect(await tray().count()).toBe(0);
  await pick(page, 'Conversations');
  await chat(page)
    .window.getByRole('button', { name: /With a voice/ })
    .click();
  await expect.poll(names).toEqual(['voice-message.webm']);
});

test('who signs out is not recorded any more, and leaves no voice to the next one', async () => {
  await watch(page);
  await chat(page).open();
  await say(service, page, 'Mine alone');
  await record(page);
  await page.evaluate(() => window.parley?.reset());
  await expect.poll(() => listening(page)).toBe(0);
  await chat(page).window.getByRole('button', { name: 'Record a voice message' }).waitFor();
  await record(page);
  await page.keyboard.press('Enter');
  await expect.poll(names).toEqual(['voice-message.webm']);
});

test('a recorder that ends by itself takes the focus from nobody', async () => {
  await watch(page);
  await chat(page).open();
  await record(page);
  await chat(page).close();
  await expect.poll(() => listening(page)).toBe(0);
  expect(await chat(page).launcher.evaluate((button) => button.matches(':focus'))).toBe(true);
  await chat(page).open();
  await expect.poll(names).toEqual(['voice-message.webm']);
  await tray().getByRole('button', { name: 'Remove voice-message.webm' }).click();
  await record(page);
  const isThere = await goElsewhere(page);
  // As when a headset is unplugged.
  await page.evaluate(() => {
    for (const track of window.testTracks) {
      track.stop();
      track.dispatchEvent(new Event('ended'));
    }
  });
  await expect.poll(names).toEqual(['voice-message.webm']);
  expect(await isThere()).toBe(true);
});

test('that the microphone is refused is said anew each time, and no longer once it is not', async () => {
  await watch(page);
  await chat(page).open();
  const alert = chat(page).window.getByRole('alert').getByText(en.microphoneRefused);
  const microphone = chat(page).window.getByRole('button', { name: 'Record a voice message' });
  await page.evaluate(() => {
    window.testGranted = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  });
  await tell(page, 'NotAllowedError');
  await microphone.click();
  await alert.waitFor();
  const first = await alert.elementHandle();
  await microphone.click();
  await expect.poll(() => first?.evaluate((element) => element.isConnected)).toBe(false);
  await alert.waitFor();
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = window.testGranted;
  });
  await record(page);
  expect(await alert.count()).toBe(0);
});

/** What engines do of themselves, each in its own way: types of recordings, sides of words, bars that scroll. */
import { expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import { hostPage } from '../support/browser.js';
import { faultsHead, useEngineTab } from '../support/engine-tab.js';

const here = useEngineTab();

async function open(name: string): Promise<void> {
  const html = hostPage(here.service.url, { head: faultsHead });
  await here.tab.goto(here.service.url + (await here.service.page(`own-ways-${name}`, html)));
  await here.tab.click('button', en.openChat);
  await expect.poll(() => here.tab.texts('dialog', en.window)).toHaveLength(1);
}

const problem = () =>
  here.tab.eval(
    () =>
      document.querySelector('parley-chat')?.shadowRoot?.querySelector('.composer [role=alert]')?.textContent,
  );

test('a voice message has the ending of what it is, and is heard before it is sent', async () => {
  await open('voice');
  const records = await here.tab.eval(() => {
    navigator.mediaDevices.getUserMedia = async () =>
      new AudioContext().createMediaStreamDestination().stream;
    return ['webm', 'ogg', 'mp4'].some((one) => MediaRecorder.isTypeSupported(`audio/${one}`));
  });
  await here.tab.click('button', en.record);
  if (!records) {
    // WebKit for Linux may have a recorder that records nothing.
    await expect.poll(problem).toBe(en.microphoneMissing);
    return;
  }
  await here.tab.click('button', en.stopRecording);
  const kept = () =>
    here.tab.eval(async () => {
      const tray = document.querySelector('parley-chat')?.shadowRoot?.querySelector('.tray');
      const player = tray?.querySelector('audio');
      const bytes = player && (await (await fetch(player.src)).arrayBuffer());
      const begins = String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0)).subarray(0, 4));
      return [begins, tray?.querySelector('bdi')?.textContent];
    });
  await expect.poll(kept).toBeOneOf([
    ['OggS', 'voice-message.ogg'],
    ['\x1aE\xdf\xa3', 'voice-message.webm'],
  ]);
});

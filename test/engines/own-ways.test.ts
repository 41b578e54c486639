/** What engines do of themselves, each in its own way: types of recordings, sides of words, bars that scroll. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import { agent, arabic, hostPage } from '../support/browser.js';
import { faultsHead, useEngineTab } from '../support/engine-tab.js';

const here = useEngineTab();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-own-ways-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function open(name: string, window = en.window, attributes = ''): Promise<void> {
  const html = hostPage(here.service.url, { head: faultsHead });
  const tagged = html.replace('data-inbox-identifier', `${attributes} data-inbox-identifier`);
  await here.tab.goto(here.service.url + (await here.service.page(`own-ways-${name}`, tagged)));
  await here.tab.click('button', en.openChat);
  await expect.poll(() => here.tab.texts('dialog', window)).toHaveLength(1);
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
  // Nobody ends it in the moment in which it begins: a press so soon, in the place of the first, would be a part of that.
  const passed = () =>
    here.tab.eval(
      () => document.querySelector('parley-chat')?.shadowRoot?.querySelector('.passed')?.textContent,
    );
  await expect.poll(passed).toContain(':01');
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

test('words in the other direction begin on their own side', async () => {
  await open('sides', arabic('window'), 'data-locale="ar"');
  await here.tab.fill(arabic('message'), 'مرحبا');
  await here.tab.press('Enter');
  await expect
    .poll(() => here.service.db.query('select 1 from messages where content = $1', ['مرحبا']))
    .toHaveLength(1);
  const conversation = await agent(here.service).conversationOf('مرحبا');
  await agent(here.service).answer(conversation, 'A line that is as long as that\nlast');
  await agent(here.service).answer(conversation, '- An item that is as long as that\n- last');
  /** How far each text's last line begins from the side where its first one does. */
  const indents = () =>
    here.tab.eval(() => {
      const root = document.querySelector('parley-chat')?.shadowRoot;
      const range = document.createRange();
      return [...(root?.querySelectorAll('.theirs .content') ?? [])].map((content) => {
        const items = content.querySelectorAll('li');
        const starts = [...(items.length ? items : [content])].flatMap((words) => {
          range.selectNodeContents(words);
          return [...range.getClientRects()].filter(({ width }) => width).map(({ left }) => Math.round(left));
        });
        return (starts.at(-1) ?? 0) - (starts[0] ?? 0);
      });
    });
  await expect.poll(indents).toEqual([0, 0]);
});

test('a file that waits leaves nothing to be scrolled sideways', async () => {
  await open('tray');
  const path = join(folder, 'list.txt');
  await writeFile(path, 'boots, hats');
  await here.tab.attach(path);
  await expect.poll(() => here.tab.texts('listitem')).toContainEqual(expect.stringContaining('list.txt'));
  const sideways = await here.tab.eval(() => {
    const composer = document.querySelector('parley-chat')?.shadowRoot?.querySelector('.composer');
    if (!composer) return undefined;
    return getComputedStyle(composer).overflowX === 'hidden'
      ? 0
      : composer.scrollWidth - composer.clientWidth;
  });
  expect(sideways).toBe(0);
});

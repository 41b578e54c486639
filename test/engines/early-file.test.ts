/**
 * A file that comes later than its message, in the engine that runs this: browsers remember what did not come, and what
 * is asked for again must really be.
 */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import { agent, hostPage, type ShopService, startShopService } from '../support/browser.js';
import { type Engine, launchEngine } from '../support/engines.js';
import { type FaultProxy, startFaultProxy, status, times } from '../support/fault-proxy.js';
import { freePort } from '../support/free-port.js';
import { png, wav } from '../support/media.js';
import { startMs } from '../support/service.js';

let engine: Engine;
let service: ShopService;
let proxy: FaultProxy;
beforeAll(async () => {
  const port = await freePort();
  proxy = await startFaultProxy(`http://127.0.0.1:${port}`);
  [engine, service] = await Promise.all([
    launchEngine(inject('engine')),
    startShopService({ port, publicUrl: proxy.url }),
  ]);
}, startMs);
afterAll(async () => {
  await engine?.stop();
  await proxy?.stop();
  await service?.end();
});

test('a picture, a voice and a film that were not there yet are asked for again', async () => {
  const profile = await engine.newProfile();
  const tab = await profile.newTab();
  await tab.goto(proxy.url + (await service.page('early', hostPage(proxy.url))));
  await tab.click('button', en.openChat);
  await tab.fill(en.message, 'Pictures, please');
  await tab.press('Enter');
  const conversation = await agent(service).conversationOf('Pictures, please');
  for (const name of ['harbour.png', 'voice.wav', 'film.webm'])
    proxy.rule(times(1, ({ path }) => (path.endsWith(name) ? status(404) : undefined)));
  const form = new FormData();
  form.append('content', 'Here they are');
  form.append('attachments[]', new File([png(64, 40, [40, 120, 220])], 'harbour.png'));
  form.append('attachments[]', new File([wav(1)], 'voice.wav'));
  form.append('attachments[]', new File([Buffer.from('1a45dfa3', 'hex')], 'film.webm'));
  await agent(service).tell(conversation, form);
  /** To the first request for it and to the next one. Some ask for parts at once. */
  const answers = (name: string) =>
    proxy.requests
      .filter(({ path }) => path.endsWith(name))
      .map(({ status }) => (status === 206 ? 200 : status))
      .slice(0, 2);
  await expect
    .poll(() => ['harbour.png', 'voice.wav', 'film.webm'].map(answers))
    .toEqual([
      [404, 200],
      [404, 200],
      [404, 200],
    ]);
  await expect
    .poll(() =>
      tab.eval(
        () =>
          document.querySelector('parley-chat')?.shadowRoot?.querySelector<HTMLImageElement>('.picture img')
            ?.naturalWidth,
      ),
    )
    .toBe(64);
  await profile.close();
});

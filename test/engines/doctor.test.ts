/** The doctor in the engine that runs this: each tells of a blocked request, a socket and a clock in its own way. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Actor } from '../support/actor.js';
import { hostPage, type ShopService, startShopService } from '../support/browser.js';
import { type Engine, launchEngine } from '../support/engines.js';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.js';
import { startMs } from '../support/service.js';

let engine: Engine;
let service: ShopService;
let proxy: FaultProxy;
beforeAll(async () => {
  [engine, service] = await Promise.all([launchEngine(inject('engine')), startShopService()]);
  proxy = await startFaultProxy(service.url);
}, startMs);
afterAll(async () => {
  await Promise.all([engine?.stop(), proxy?.stop(), service?.end()]);
});

/** What it says of each thing that is not fine. */
async function ailing(tab: Actor): Promise<string[]> {
  const read = () =>
    tab.eval(
      () => document.querySelector('parley-doctor')?.shadowRoot?.querySelector('textarea')?.value ?? '',
    );
  await expect.poll(read, { timeout: 45_000 }).toContain('Parley doctor');
  return (await read()).split('\n').filter((line) => /^\[(?!fine)/.test(line));
}

test('it finds a healthy page well, and names what a policy blocks and where storage is refused', async () => {
  const profile = await engine.newProfile();
  const tab = await profile.newTab();
  const healthy = await service.page('healthy', hostPage(proxy.url));
  await tab.goto(`${service.url}${healthy}?parley-doctor`);
  expect(await ailing(tab)).toEqual([]);

  const strict = await service.page(
    'strict',
    hostPage(proxy.url, {
      head: `<meta http-equiv="Content-Security-Policy" content="script-src 'self'; connect-src 'self'; img-src 'self' data:; media-src 'self'">`,
    }),
  );
  await tab.goto(`${service.url}${strict}?parley-doctor`);
  const blocks = '[problem] Security policy: Your content security policy blocks';
  expect((await ailing(tab)).filter((line) => line.includes('Security policy'))).toEqual([
    `${blocks} requests and the socket: add ${proxy.url} ${proxy.url.replace('http', 'ws')} to its connect-src.`,
    `${blocks} pictures: add blob: ${proxy.url} to its img-src.`,
    `${blocks} voice messages and videos: add blob: ${proxy.url} to its media-src.`,
  ]);

  await service.page(
    'sandbox',
    `<!doctype html><html lang="en"><title>A frame</title><h1>A frame</h1><iframe title="Shop" width="900" height="700" sandbox="allow-scripts" src="${healthy}?parley-doctor"></iframe></html>`,
  );
  await tab.goto(`${service.url}/pages/sandbox.html`);
  expect(await ailing(await tab.frame())).toEqual([
    '[problem] Storage: This page is a sandboxed frame and may keep nothing: add allow-same-origin to the frame’s sandbox. Until then a visitor is a new one on every page.',
  ]);
  await profile.close();
});

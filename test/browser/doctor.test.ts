/**
 * The doctor (`?parley-doctor`) on healthy pages and on pages with planted faults: it names each with what to do, can
 * be used by keyboard, changes nothing, and tells nothing that belongs to a person.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { agent, chat, hostPage, openShop, useShop } from '../support/browser.js';
import { ailing, doctor, lines, slowMs } from '../support/doctor.js';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.js';
import { objections } from '../support/objections.js';

const { browser, service } = await useShop();
let proxy: FaultProxy;
beforeEach(async () => {
  proxy = await startFaultProxy(service.url);
});
afterEach(() => proxy.stop());

/** The page of an owner whose service is behind the proxy, and so of another origin. */
async function open(name: string, more: Parameters<typeof hostPage>[1] = {}, query = '?parley-doctor') {
  const path = await service.page(name, hostPage(proxy.url, more));
  return openShop(browser, service.url + path + query);
}

test('on a healthy page it says that all is well, creates nothing and leaves nothing behind', async () => {
  const plain = await open('plain', {}, '?parley=doctor');
  await chat(plain.page).launcher.waitFor();
  expect(plain.requests.filter(({ path }) => path.startsWith('/assets/'))).toEqual([]);
  await plain.close();

  const before = await service.rows();
  const shop = await open('healthy');
  await shop.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const report = await doctor(shop.page).report();
  expect(ailing(report)).toEqual([]);
  expect(report.split('\n')[0]).toMatch(/^Parley doctor, [\dT:.-]+Z: All is well\.$/);
  expect(lines(report).map((line) => line.replace(/^\[fine\] ([^:]+):.*/, '$1'))).toEqual([
    'Tag and options',
    'Files of the chat',
    'Service',
    'Cross-origin requests',
    'Inbox',
    'Socket',
    'Security policy',
    'Storage',
    'Clock',
    'Place on the page',
  ]);
  expect(report).toMatch(new RegExp(`service: +${proxy.url}`));
  expect(report).toMatch(/service answers: +200, version \d/);
  expect(report).toMatch(/widget: +\d+\.\d+\.\d+, .*\bstage-/);

  await doctor(shop.page).panel.getByRole('button', { name: 'Copy the report' }).click();
  await doctor(shop.page).panel.getByText('Copied.').waitFor();
  expect(await shop.page.evaluate(() => navigator.clipboard.readText())).toBe(report);

  // Nothing was made, there or here.
  expect(await service.rows()).toEqual(before);
  // Nobody waits for a browser to take a database away.
  await expect
    .poll(() =>
      shop.page.evaluate(async () => [
        localStorage.length,
        sessionStorage.length,
        document.cookie,
        await indexedDB.databases(),
      ]),
    )
    .toEqual([0, 0, '', []]);
  expect(shop.errors).toEqual([]);

  // Its own file is the only new one of ours, and a second look says the same.
  await doctor(shop.page).panel.getByRole('button', { name: 'Check again' }).click();
  await doctor(shop.page)
    .panel.getByText('Looking at this page')
    .waitFor({ state: 'hidden', timeout: slowMs });
  expect(ailing(await doctor(shop.page).report())).toEqual([]);
  await shop.close();
});

test('an inbox for proven visitors alone is none of its problems, and is said', async () => {
  await service.db.query('update inboxes set hmac_mandatory = true');
  const shop = await open('proven');
  const report = await doctor(shop.page).report();
  await service.db.query('update inboxes set hmac_mandatory = false');
  expect(ailing(report)).toEqual([]);
  expect(report).toContain('without identify() and a hash no visitor can write.');
  await shop.close();
});

test('a socket that does not open is told apart from a service that does not answer', async () => {
  proxy.refuseSockets();
  const shop = await open('socket');
  expect(ailing(await doctor(shop.page).report())).toEqual([
    `[problem] Socket: The socket ${proxy.url.replace('http', 'ws')}/cable does not open, though requests get through: let whatever stands before the service (proxy, balancer, firewall) pass WebSocket upgrades to /cable on. Until then answers come within half a minute while the window is open, and later while it is closed.`,
  ]);
  await shop.close();
});

test('a service that lets no other page read its answers is told what to send', async () => {
  proxy.rule(() => async (exchange) => {
    const answer = await exchange.forward();
    const headers = Object.entries(answer.headers).filter(([name]) => !name.startsWith('access-control-'));
    exchange.answer({ ...answer, headers: Object.fromEntries(headers) });
  });
  const shop = await open('cors');
  expect(ailing(await doctor(shop.page).report())).toEqual([
    `[problem] Cross-origin requests: The service answers, but does not let this page read it (CORS): let it send Access-Control-Allow-Origin: ${service.url} (or *) with every answer below /public/.`,
    '[not checked] Inbox: Cannot be checked before the service answers.',
  ]);
  await shop.close();
});

test('storage that a sandboxed frame is refused is said, with what the frame must allow', async () => {
  const path = await service.page('sandboxed', hostPage(proxy.url));
  await service.page(
    'sandbox',
    `<!doctype html><html lang="en"><title>A frame</title><h1>A frame</h1><iframe title="Shop" width="900" height="700" sandbox="allow-scripts" src="${path}?parley-doctor"></iframe></html>`,
  );
  const shop = await openShop(browser, `${service.url}/pages/sandbox.html`);
  expect(ailing(await doctor(shop.page.frameLocator('iframe')).report())).toEqual([
    '[problem] Storage: This page is a sandboxed frame and may keep nothing: add allow-same-origin to the frame’s sandbox. Until then a visitor is a new one on every page.',
  ]);
  await shop.close();
});

test('storage that an owner keeps empty is tried once the visitor has written', async () => {
  const name = 'sparing';
  await service.page(name, hostPage(proxy.url).replace('data-inbox', 'data-storage="memory" data-inbox'));
  const shop = await openShop(browser, `${service.url}/pages/${name}.html?parley-doctor`);
  const storage = async () =>
    lines(await doctor(shop.page).report()).find((line) => line.includes('] Storage:'));
  expect(await storage()).toBe(
    '[fine] Storage: As your options say, nothing is kept before a visitor writes or your page calls allow().',
  );
  await shop.page.goto(`${service.url}/pages/${name}.html`);
  await chat(shop.page).open();
  await chat(shop.page).say('Keep me from now on');
  await chat(shop.page)
    .bubble('Keep me from now on')
    .getByText(/Sent|Delivered/)
    .waitFor();
  await shop.page.goto(`${service.url}/pages/${name}.html?parley-doctor`);
  expect(await storage()).toBe(
    '[fine] Storage: This browser keeps drafts, messages that wait, and who the visitor is.',
  );
  await shop.close();
});

test('an inbox that the service does not have is said, with where to copy the right one', async () => {
  const html = hostPage(proxy.url).replace('{{inbox}}', 'an-inbox-of-yore');
  const path = await service.page('inbox', html);
  const shop = await openShop(browser, `${service.url}${path}?parley-doctor`);
  expect(ailing(await doctor(shop.page).report())).toEqual([
    '[problem] Inbox: The service has no API inbox with this identifier: copy the identifier from the settings of an inbox of the API kind into data-inbox-identifier.',
  ]);
  await shop.close();
});

test('an address that is none is named, and the rest waits for another one', async () => {
  const path = await service.page('no-address', hostPage('https://<your-host>'));
  const shop = await openShop(browser, `${service.url}${path}?parley-doctor`);
  const report = await doctor(shop.page).report();
  expect(ailing(report)).toEqual([
    expect.stringMatching(
      /^\[problem\] Tag and options: data-base-url must be an address, like "https:\/\/support\.example\.com"\.$/,
    ),
  ]);
  expect(shop.errors).toEqual([]);
  await shop.close();
});

test('a clock that is off by a day is noticed', async () => {
  const path = await service.page('clock', hostPage(proxy.url));
  const shop = await openShop(browser, 'about:blank');
  await shop.page.clock.setSystemTime(Date.now() - 24 * 3_600_000);
  await shop.page.goto(`${service.url}${path}?parley-doctor`);
  expect(ailing(await doctor(shop.page).report())).toEqual([
    '[problem] Clock: This device’s clock is 1 day behind the service’s: set it right, or the service’s if this shows on every device. Until then times and office hours are shown wrong.',
  ]);
  await shop.close();
});

test('a tag that says too much, twice, and a bar of the page over the launcher are all named', async () => {
  const html = hostPage(proxy.url, {
    body: '<main><h1>A shop</h1></main><div id="cookies" class="bar" style="position:fixed;inset:auto 0 0;height:120px;z-index:2147483647;background:#eee">We bake</div>',
  }).replace(/<script .*<\/script>/, (tag) =>
    tag
      .replace('data-inbox', 'data-greetings="Hi" data-scheme="drak" data-offset-x="far" data-inbox')
      .repeat(2),
  );
  const path = await service.page('tag', html);
  const shop = await openShop(browser, `${service.url}${path}?parley-doctor`);
  expect(ailing(await doctor(shop.page).report())).toEqual([
    '[problem] Tag and options: data-offset-x must be a number of pixels, like "20".',
    '[problem] Tag and options: data-scheme must be "auto", "light" or "dark".',
    '[warning] Tag and options: There is no data-greetings: did you mean data-greeting?',
    '[warning] Tag and options: This page has 2 tags of the chat: keep one, and make further chats with mount() of the package. The first one that ran is obeyed.',
    '[problem] Place on the page: div#cookies.bar lies over the launcher: move it, give it a lower z-index, write data-launcher-avoids="auto" or name it there, or give the chat another corner with data-position or more distance with data-offset-y.',
  ]);
  await shop.close();
});

test('an accent that the window does not take is named, on the tag and in the style sheet', async () => {
  const says =
    'must be a colour without transparency, as #…, rgb(), hsl(), hwb() or a name: of others, like oklch(), the chat does not know how to derive its own.';
  const tagged = async (accent: string) => {
    const html = hostPage(proxy.url).replace('data-inbox', `data-accent="${accent}" data-inbox`);
    const path = await service.page('accent', html);
    const shop = await openShop(browser, `${service.url}${path}?parley-doctor`);
    const found = ailing(await doctor(shop.page).report());
    await shop.close();
    return found;
  };
  for (const accent of ['oklch(0.5 0.1 20)', '#0b6e4f80'])
    expect(await tagged(accent)).toEqual([`[problem] Tag and options: data-accent ${says}`]);
  for (const accent of ['hsl(150 80% 20%)', 'rebeccapurple']) expect(await tagged(accent)).toEqual([]);
  const shop = await open('sheet', {
    head: '<style>parley-chat { --parley-accent: color(srgb 0.1 0.4 0.3) }</style>',
  });
  expect(ailing(await doctor(shop.page).report())).toEqual([
    `[problem] Tag and options: --parley-accent ${says}`,
  ]);
  await shop.close();
});

test('a window in a part of the page is not judged before it is scrolled to, and needs room', async () => {
  const html = hostPage(proxy.url, {
    body: '<main style="height:3000px"><h1>A shop</h1></main><div id="help" style="height:600px"></div>',
  }).replace('data-inbox', 'data-inside="#help" data-inbox');
  const path = await service.page('inside', html);
  const shop = await openShop(browser, `${service.url}${path}?parley-doctor`);
  const { page } = shop;
  const again = async () => {
    await doctor(page).panel.getByRole('button', { name: 'Check again' }).click();
    return lines(await doctor(page).report()).filter((line) => line.includes('] Place on the page:'));
  };
  await page.evaluate(() => window.parley?.open());
  await chat(page).field.waitFor();
  await doctor(page).report();
  await page.evaluate(() => scrollTo(0, 0));
  expect(await again()).toEqual([
    '[fine] Place on the page: The window lies further along the page. To have checked what lies over it, scroll to it and check again.',
  ]);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  expect(await again()).toEqual(['[fine] Place on the page: Nothing lies over the launcher or the window.']);
  await page.addStyleTag({ content: '#help { height: 0 !important }' });
  expect(await again()).toEqual([
    '[problem] Place on the page: The window has no room: give its place on the page a width and a height, and show it if it is hidden.',
  ]);
  await shop.close();
});

test('the report holds no secret of a visitor who has chatted', async () => {
  const shop = await open('canaries', {}, '?parley-doctor&reset=canary-query#canary-hash');
  const { page } = shop;
  await page.context().addCookies([{ name: 'canary', value: 'canary-cookie', url: service.url }]);
  await page.evaluate(() => {
    document.title = 'canary-title';
    localStorage.setItem('canary-storage', 'canary-storage');
  });
  await doctor(page).report();
  await doctor(page).panel.getByRole('button', { name: 'Close the doctor' }).click();
  await chat(page).open();
  await chat(page).say('canary-message');
  const conversation = await agent(service).conversationOf('canary-message');
  await agent(service).answer(conversation, 'canary-answer');
  await chat(page).bubble('canary-answer').waitFor();
  await chat(page).field.fill('canary-draft');
  const secrets = await service.db.query<{ source_id: string; pubsub_token: string }>(
    'select source_id, pubsub_token from contact_inboxes',
  );
  expect(secrets.length).toBeGreaterThan(0);

  await page.reload();
  const report = await doctor(page).report();
  expect(ailing(report)).toEqual([]);
  expect(report).toMatch(/visitor known here: +yes/);
  // And the window, which is open again, was looked at.
  await chat(page).field.waitFor();
  const shown = (await doctor(page).panel.innerText()) + report;
  for (const { source_id, pubsub_token } of secrets) {
    expect(shown).not.toContain(source_id);
    expect(shown).not.toContain(pubsub_token);
  }
  expect(shown).not.toMatch(/canary/);
  expect(shop.console.join().match(/canary/)).toBeNull();
  await shop.close();
});

test('it can be used by keyboard, in both directions, and axe finds nothing in it', async () => {
  proxy.refuseSockets();
  const shop = await open('keys', {
    head: '<script>addEventListener("keydown", () => { document.title = "heard" })</script>',
  });
  const { page } = shop;
  const { panel, report } = doctor(page);
  await report();
  for (const dir of ['ltr', 'rtl']) {
    await page.evaluate((dir) => {
      document.documentElement.dir = dir;
    }, dir);
    expect(await objections(page, dir, 'document', [320, 390, 1280])).toEqual([]);
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const { x, width: taken } = (await panel.boundingBox()) ?? { x: 0, width: 0 };
      expect(taken).toBeLessThanOrEqual(width - 20);
      // At the start of a line, away from the launcher.
      expect(Math.round(dir === 'rtl' ? width - x - taken : x)).toBe(12);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    }
  }
  const focused = () =>
    page.evaluate(() => {
      const active = document.querySelector('parley-doctor')?.shadowRoot?.activeElement;
      return active?.getAttribute('aria-label') ?? active?.textContent ?? '';
    });
  const walked: string[] = [];
  for (let step = 0; step < 5; step++) {
    await page.keyboard.press('Tab');
    walked.push(await focused());
  }
  expect(walked).toEqual([
    'Close the doctor',
    'What was checked',
    'The report as text',
    'Copy the report',
    'Check again',
  ]);
  // Without leave to write the clipboard, the words are there to be copied by hand.
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await panel.getByText(/^(Copied|Press Ctrl\+C)/).waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  // The page's own keys were not meant.
  expect(await page.title()).toBe('A shop');
  await shop.close();
});

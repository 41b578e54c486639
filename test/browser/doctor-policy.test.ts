/**
 * What the doctor (`?parley-doctor`) says of a page's security policy: which directive to change, so that it still
 * allows what it allowed, and asks for nothing that the chat does not need.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hostPage, openShop, useShop } from '../support/browser.js';
import { ailing, doctor, lines } from '../support/doctor.js';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.js';

const { browser, service } = await useShop();
let proxy: FaultProxy;
beforeEach(async () => {
  proxy = await startFaultProxy(service.url);
});
afterEach(() => proxy.stop());

test('a policy that forbids what the chat needs', async () => {
  const path = await service.page(
    'policy',
    hostPage(proxy.url, {
      head: `<meta http-equiv="Content-Security-Policy" content="default-src 'self' https://cdn.example.com; connect-src 'self'; img-src 'self' data:; script-src 'self'">`,
    }),
  );
  const shop = await openShop(browser, `${service.url}${path}?parley-doctor`);
  const socket = proxy.url.replace('http', 'ws');
  expect(ailing(await doctor(shop.page).report())).toEqual([
    '[problem] Service: The page’s own content security policy blocks the service: see below what to add.',
    '[not checked] Cross-origin requests: Cannot be checked before the service answers.',
    '[not checked] Inbox: Cannot be checked before the service answers.',
    '[problem] Socket: The page’s own content security policy blocks the socket: see below what to add. Until then answers come within half a minute while the window is open, and later while it is closed.',
    `[problem] Security policy: Your content security policy blocks requests and the socket: add ${proxy.url} ${socket} to its connect-src.`,
    `[problem] Security policy: Your content security policy blocks pictures: add blob: ${proxy.url} to its img-src.`,
    `[problem] Security policy: Your content security policy blocks voice messages and videos: it has no media-src, so its default-src decides; write media-src 'self' https://cdn.example.com blob: ${proxy.url}.`,
    '[not checked] Clock: The service does not tell its time here: let it send Access-Control-Expose-Headers: Date.',
  ]);
  await shop.close();
});

test('what a policy is told to say leaves allowed what it allowed, and asks for nothing of the page’s own', async () => {
  const elsewhere = service.url.replace('127.0.0.1', 'localhost');
  const html = hostPage(proxy.url, {
    // Pictures and scripts that the page makes by itself, and that are blocked.
    body: `<h1>A shop</h1><script nonce="r4nd0m">
      const made = (type) => URL.createObjectURL(new Blob([''], { type }));
      new Image().src = made('image/png');
      document.head.append(Object.assign(document.createElement('script'), { src: made('text/javascript') }));
    </script>`,
  })
    .replace('{{origin}}', elsewhere)
    .replace('data-inbox', 'data-attachments="false" data-inbox');
  const security = async (name: string, policy: string) => {
    const path = await service.page(name, html, { 'content-security-policy-report-only': policy });
    const shop = await openShop(browser, `${service.url}${path}?parley-doctor`);
    const found = lines(await doctor(shop.page).report()).filter((line) =>
      line.includes('] Security policy:'),
    );
    await shop.close();
    return found;
  };
  const blocks =
    '[warning] Security policy: Your content security policy would block (it only reports so far) files of the chat:';
  const rest = `connect-src *; img-src ${proxy.url}; media-src ${proxy.url}`;
  expect(await security('elements', `script-src-elem 'nonce-r4nd0m'; script-src 'none'; ${rest}`)).toEqual([
    `${blocks} add ${elsewhere} to its script-src-elem.`,
  ]);
  expect(await security('scripts', `script-src 'nonce-r4nd0m'; ${rest}`)).toEqual([
    `${blocks} add ${elsewhere} to its script-src.`,
  ]);
  expect(await security('general', `default-src 'nonce-r4nd0m' data:; ${rest}`)).toEqual([
    `${blocks} it has no script-src, so its default-src decides; write script-src 'nonce-…' data: ${elsewhere}.`,
  ]);
  expect(await security('nothing', `default-src 'none'; ${rest}`)).toEqual([
    `${blocks} it has no script-src, so its default-src decides; write script-src ${elsewhere}.`,
  ]);
});

test('a script of the page’s own is none of the chat’s, where page and service have one origin', async () => {
  const elsewhere = service.url.replace('127.0.0.1', 'localhost');
  const html = hostPage(service.url, {
    body: `<h1>A shop</h1><script nonce="r4nd0m">
      document.head.append(Object.assign(document.createElement('script'), { src: '/own.js' }));
    </script>`,
  }).replace('{{origin}}', elsewhere);
  const path = await service.page('own', html, {
    'content-security-policy': `script-src 'nonce-r4nd0m' ${elsewhere}`,
  });
  const shop = await openShop(browser, `${service.url}${path}?parley-doctor`);
  expect(ailing(await doctor(shop.page).report())).toEqual([]);
  await shop.close();
});

test('the picture of the launcher needs leave, too, where it is shown', async () => {
  const elsewhere = service.url.replace('127.0.0.1', 'localhost');
  const security = async (picture: string, more = '') => {
    const head = `<meta http-equiv="Content-Security-Policy" content="img-src blob: ${proxy.url}">`;
    const html = hostPage(proxy.url, { head }).replace(
      'data-inbox',
      `data-launcher-image="${picture}" ${more} data-inbox`,
    );
    const path = await service.page('picture', html);
    const shop = await openShop(browser, `${service.url}${path}?parley-doctor`);
    const found = ailing(await doctor(shop.page).report());
    await shop.close();
    return found;
  };
  const blocks =
    '[problem] Security policy: Your content security policy blocks pictures: add SOURCE to its img-src.';
  expect(await security(`${elsewhere}/logo.png`)).toEqual([blocks.replace('SOURCE', elsewhere)]);
  expect(await security('/logo.png')).toEqual([blocks.replace('SOURCE', "'self'")]);
  expect(await security('data:image/svg+xml,%3Csvg/%3E')).toEqual([blocks.replace('SOURCE', 'data:')]);
  expect(await security(`${elsewhere}/logo.png`, 'data-launcher="hidden"')).toEqual([]);
});

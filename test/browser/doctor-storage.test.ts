/**
 * What the doctor (`?parley-doctor`) says of a page's security policy where the service keeps files on another host, as
 * a deployment with a bucket does: it gives addresses of its own and sends whoever asks there on. Browsers look at where
 * a redirect ends, and name where it began.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  chat,
  hostPage,
  openShop,
  type ShopService,
  startShopService,
  useBrowser,
} from '../support/browser.js';
import { ailing, doctor } from '../support/doctor.js';
import { png, wav } from '../support/media.js';
import { startMs } from '../support/service.js';

const browser = await useBrowser();
let service: ShopService;
/** The same server, under a name that makes it another origin. The page lies there, too. */
let bucket: string;
beforeAll(async () => {
  service = await startShopService({
    before: (http, next) =>
      http.req.path.startsWith('/uploads/') && http.req.header('host')?.startsWith('127.')
        ? Promise.resolve(http.redirect(bucket + http.req.path))
        : next(),
  });
  bucket = service.url.replace('127.0.0.1', 'localhost');
}, startMs);
afterAll(() => service.end());

const picture = { name: 'lamp.png', mimeType: 'image/png', buffer: png(40, 30, [200, 120, 40]) };
const voice = { name: 'voice.wav', mimeType: 'audio/wav', buffer: wav(1) };

/** Sends files on a page with this policy, and has the page checked again. */
async function sent(policy: string, files: (typeof picture)[], blocked = files.length, head = '') {
  const html = hostPage(service.url, {
    head: `<meta http-equiv="Content-Security-Policy" content="${policy}">${head}`,
  });
  const shop = await openShop(browser, `${bucket}${await service.page('bucket', html)}?parley-doctor`);
  const { panel, report } = doctor(shop.page);
  expect(ailing(await report())).toEqual([]);
  await chat(shop.page).open();
  await chat(shop.page).window.locator('input[type=file]').setInputFiles(files);
  await chat(shop.page).say('See this');
  const shown = chat(shop.page).log.locator('img[alt="lamp.png"][src^=http]');
  if (blocked === 0)
    await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(40);
  // A player asks more than once.
  const violations = async () => [...new Set(await shop.violations())].sort();
  await expect.poll(violations).toHaveLength(blocked);
  const seen = await violations();
  await panel.getByRole('button', { name: 'Check again' }).click();
  const found = ailing(await report());
  await shop.close();
  return { violations: seen, found };
}

const told = (rest: string) => [
  `[problem] Security policy: Your content security policy blocks files: ${service.url}, which it allows, sends them on to another host, that of its file storage (the browser’s network panel names it). ${rest}`,
];

test('it is that host that the policy lacks, and not the service once more', async () => {
  const { violations, found } = await sent(`img-src ${service.url} blob:; media-src ${service.url} blob:`, [
    picture,
    voice,
  ]);
  expect(violations).toEqual([
    expect.stringMatching(`^img-src ${service.url}/uploads/.*/lamp.png$`),
    expect.stringMatching(`^media-src ${service.url}/uploads/.*/voice.wav$`),
  ]);
  expect(found).toEqual(told('Add that host to its img-src and media-src.'));
});

test('with that host all is well', async () => {
  const sources = `${service.url} ${bucket} blob:`;
  expect(await sent(`img-src ${sources}; media-src ${sources}`, [picture, voice], 0)).toEqual({
    violations: [],
    found: [],
  });
});

test('what is not restricted needs no word, and what a general directive allows stays allowed', async () => {
  // Hosts may stand alone.
  const { host } = new URL(service.url);
  expect((await sent(`img-src ${host} blob:`, [picture])).found).toEqual(
    told('Add that host to its img-src.'),
  );
  const general = `default-src ${service.url} ${service.url.replace('http', 'ws')} ${bucket}`;
  const { found } = await sent(`${general} blob:; img-src ${service.url} blob:`, [picture]);
  expect(found).toEqual(
    told(
      `Add that host to its img-src. It has no media-src, so its default-src decides; write media-src ${general.replace('default-src ', '')} blob: and that host.`,
    ),
  );
});

test('it hears of it between two checks where the browser keeps no reports, as Firefox and Safari', async () => {
  const { found } = await sent(
    `img-src ${service.url} blob:`,
    [picture],
    1,
    '<script>delete window.ReportingObserver</script>',
  );
  expect(found).toEqual(told('Add that host to its img-src.'));
});

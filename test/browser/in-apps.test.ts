/** The browsers within apps, which have neither downloads nor paper: nothing is offered there that would not come. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import { focused, item, more, openTagged, pick, say } from '../support/around.js';
import { chat, useShop } from '../support/browser.js';

const { browser, service } = await useShop();

const linux = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const facebook = `Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP2A; wv) ${linux} Version/4.0 Chrome/142.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/485.0;]`;
const instagram = `${iPhone} Mobile/15E148 Instagram 361.0.0.35.82 (iPhone14,5; iOS 18_1; en_US)`;

/** The sheet of the system, which answers as it is told to. */
const share = (page: Page) =>
  page.addInitScript(() => {
    const shared: string[] = [];
    const refused: string[] = [];
    Object.assign(window, { shared, refused, refusal: '' });
    Object.assign(navigator, {
      canShare: ({ files }: ShareData) => files?.every((file) => file instanceof File),
      async share({ files = [] }: ShareData) {
        const refusal: unknown = Reflect.get(window, 'refusal');
        if (typeof refusal === 'string' && refusal) {
          refused.push(files[0]?.name ?? '');
          throw new DOMException('no', refusal);
        }
        for (const file of files) shared.push(`${file.name}\n${await file.text()}`);
      },
    });
  });
const shared = (page: Page): Promise<string[]> => page.evaluate(() => Reflect.get(window, 'shared'));
const refused = (page: Page): Promise<string[]> => page.evaluate(() => Reflect.get(window, 'refused'));
const answer = (page: Page, refusal: string) =>
  page.evaluate((refusal) => void Object.assign(window, { refusal }), refusal);

async function open(name: string, userAgent: string, shares: boolean) {
  const shop = await openTagged(browser, service, name, '', { userAgent, hasTouch: true });
  if (shares) {
    await share(shop.page);
    await shop.page.reload();
  }
  const downloads: string[] = [];
  shop.page.on('download', (download) => downloads.push(download.suggestedFilename()));
  await chat(shop.page).open();
  await say(service, shop.page, 'Keep a copy of this');
  return { ...shop, downloads };
}

test.each([
  ['Facebook on Android', facebook, false, 0, 0],
  ['Instagram on an iPhone', instagram, false, 0, 0],
  ['Instagram on an iPhone that shares', instagram, true, 1, 0],
  ['Chrome on an iPhone', `${iPhone} CriOS/142.0 Mobile/15E148 Safari/604.1`, false, 1, 0],
  ['Safari on an iPhone', `${iPhone} Version/18.1 Mobile/15E148 Safari/604.1`, false, 1, 1],
  [
    'Chrome on Android',
    `Mozilla/5.0 (Linux; Android 10; K) ${linux} Chrome/142.0.0.0 Mobile Safari/537.36`,
    false,
    1,
    1,
  ],
] as const)(
  'saving and printing are offered where they happen: %s',
  async (name, agent, shares, save, print) => {
    const { page, close } = await open(name.replaceAll(' ', '-'), agent, shares);
    await more(page).click();
    await item(page, en.keep).waitFor();
    const offered = [];
    for (const key of ['saveText', 'saveHtml', 'print'] as const)
      offered.push(await item(page, en[key]).count());
    expect(offered).toEqual([save, save, print]);
    await item(page, en.keep).click();
    await chat(page).window.getByRole('button', { name: en.forget }).waitFor();
    expect(await chat(page).window.getByRole('button', { name: en.saveData }).count()).toBe(save);
    await close();
  },
);

test('an app that shares files gets the copy, and only what was taken is said to be there', async () => {
  const { page, downloads, errors, close } = await open('shares', instagram, true);
  const done = chat(page).window.getByRole('status').getByText('✓');
  // Too long after the press: another one helps.
  await answer(page, 'NotAllowedError');
  await pick(page, en.saveText);
  await chat(page).window.getByRole('alert').getByText(en.saveFailed).waitFor();
  await answer(page, '');
  await pick(page, en.saveText);
  await done.waitFor();
  expect(await chat(page).window.getByRole('alert').getByText(en.saveFailed).count()).toBe(0);
  expect(await shared(page)).toEqual([expect.stringMatching(/\.txt\n[\s\S]*Keep a copy of this/)]);
  // Whoever sends the sheet away wants nothing, and is told nothing.
  await page.reload();
  await chat(page).bubble('Keep a copy of this').waitFor();
  await answer(page, 'AbortError');
  await pick(page, en.saveHtml);
  await pick(page, en.keep);
  await chat(page).window.getByRole('button', { name: en.saveData }).click();
  await expect.poll(() => refused(page)).toEqual([expect.stringMatching(/\.html$/), 'chat-data.json']);
  expect(await done.count()).toBe(0);
  expect(await chat(page).window.getByRole('alert').getByText(/./).count()).toBe(0);
  // And of what was refused they are told.
  await answer(page, 'NotAllowedError');
  await chat(page).window.getByRole('button', { name: en.saveData }).click();
  await chat(page).window.getByRole('status').getByText(en.saveFailed).waitFor();
  await answer(page, '');
  await chat(page).window.getByRole('button', { name: en.saveData }).click();
  await expect
    .poll(() => shared(page))
    .toEqual([
      expect.stringMatching(/^chat-data\.json\n[\s\S]*"knownToTheService": true,\s+"conversation": \d+/),
    ]);
  expect(downloads).toEqual([]);
  expect(errors).toEqual([]);
  await close();
});

test('a web view that says what a desktop says, and prints nothing, keeps neither the focus nor one frame more', async () => {
  const { page, close } = await openTagged(browser, service, 'no-paper');
  await page.evaluate(() => {
    const { append } = Element.prototype;
    Element.prototype.append = function (...nodes) {
      append.apply(this, nodes);
      const [frame] = nodes;
      if (frame instanceof HTMLIFrameElement && frame.contentWindow)
        frame.contentWindow.print = () =>
          Object.assign(window, { presses: Number(Reflect.get(window, 'presses') ?? 0) + 1 });
    };
  });
  await chat(page).open();
  await say(service, page, 'Not on paper');
  for (const press of [1, 2]) {
    await pick(page, en.print);
    await expect.poll(() => page.evaluate(() => Reflect.get(window, 'presses'))).toBe(press);
    expect(await focused(page)).toBe('More');
    expect(await chat(page).window.locator('iframe').count()).toBe(1);
  }
  await close();
});

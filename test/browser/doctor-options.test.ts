/** What the doctor says of options that are obeyed and yet are not what was meant. */
import { expect, test } from 'vitest';
import { hostPage, openShop, useShop } from '../support/browser.js';
import { ailing, doctor } from '../support/doctor.js';

const { browser, service } = await useShop();

/** @returns what is not well on a page whose tag has these attributes, too */
async function examined(name: string, attributes: string, body = '<main><h1>A shop</h1></main>') {
  const html = hostPage(service.url, { body }).replace('data-inbox', `${attributes} data-inbox`);
  const path = await service.page(name, html);
  const shop = await openShop(browser, `${service.url}${path}?parley-doctor`);
  const report = await doctor(shop.page).report();
  await shop.close();
  return { report, ailing: ailing(report) };
}

test('a sentence that there is not, or that cannot be said, is named', async () => {
  const sentences = { titel: 'Ask us', title: 5, retry: 'Once more', greetings: 'Hello' };
  const said = await examined('sentences', `data-sentences='${JSON.stringify(sentences)}'`);
  expect(said.ailing).toEqual([
    '[problem] Tag and options: data-sentences, "title" must be some words, or where they depend on a number {"one":"…","other":"…"}.',
    '[warning] Tag and options: There is no sentence "titel" in data-sentences: did you mean "title"?',
    '[warning] Tag and options: There is no sentence "greetings" in data-sentences: write its name as it stands in src/text/en.ts or beside it.',
  ]);
});

test.each([
  ['launcher="help"', 'data-launcher', 'help'],
  ['launcher="#hlep"', 'data-launcher', '#hlep'],
  ['inside="#chta"', 'data-inside', '#chta'],
])('data-%s, which no element of the page fits, is named', async (attribute, option, selector) => {
  const body = '<main><button id="help">Help</button><div id="chat"></div></main>';
  const said = await examined('nowhere', `data-${attribute}`, body);
  expect(said.ailing).toEqual([
    `[warning] Place on the page: No element of this page fits ${option}="${selector}": correct the selector, unless the element comes later. A class begins with a dot, an id with #.`,
  ]);
});

test('what is said of a launcher that is not ours is what is so', async () => {
  const own = await examined('own', 'data-launcher="#help"', '<main><button id="help">Help</button></main>');
  expect(own.ailing).toEqual([]);
  expect(own.report).toContain('as your options say: a button of your page opens the chat.');
  const hidden = await examined('none', 'data-launcher="hidden"');
  expect(hidden.ailing).toEqual([]);
  expect(hidden.report).toContain(
    'There is no launcher, as your options say: open() and toggle() show the chat.',
  );
});

test.each([
  ['data-inside="#chat"', '<main><div id="chat" style="height: 500px"></div></main>'],
  ['data-launcher="#help"', '<main><button id="help">Help</button></main>'],
])('of a chat with %s that is hidden on this page, nothing is said to show it', async (attribute, body) => {
  const { report, ailing } = await examined('excluded', `${attribute} data-pages="/elsewhere/*"`, body);
  expect(ailing).toEqual([]);
  expect(report).toContain('The chat is hidden on this page or at this hour, as your options say.');
});

test('a page on which something never comes is looked at all the same', async () => {
  const shop = await openShop(browser, 'about:blank');
  const { page } = shop;
  await page.route('**/never.png', () => {});
  const path = await service.page('never', hostPage(service.url, { body: '<img src="/never.png" alt="">' }));
  await page.goto(`${service.url}${path}?parley-doctor`, { waitUntil: 'commit' });
  expect(ailing(await doctor(page).report())).toEqual([]);
  expect(await page.evaluate(() => document.readyState)).toBe('interactive');
  await shop.close();
});

test('files that may be larger than a service takes by itself are named', async () => {
  expect((await examined('larger', 'data-max-file-mb="100"')).ailing).toEqual([
    '[warning] Tag and options: data-max-file-mb is more than the 40 that a service takes by itself: unless yours was set to take more, it refuses such files once they have been sent.',
  ]);
});

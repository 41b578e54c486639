/** What the doctor says of options that are obeyed and yet are not what was meant. */
import { expect, test } from 'vitest';
import { hostPage, openShop, useShop } from '../support/browser.js';
import { ailing, doctor } from '../support/doctor.js';
import { holdFiles } from '../support/held-files.js';

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
  const german = { greetin: 'Hallo', greeting: 'Hallo', 'preChat.topc': 'Thema', 'preChat.topic': 'Thema' };
  const sentences = { titel: 'Ask us', title: 5, retry: 'Once more', greetings: 'Hello', de: german };
  const said = await examined(
    'sentences',
    `data-pre-chat='[{"name":"topic"}]' data-sentences='${JSON.stringify(sentences)}'`,
  );
  expect(said.ailing).toEqual([
    '[problem] Tag and options: data-sentences, "title" must be some words, or where they depend on a number {"one":"…","other":"…"}.',
    '[warning] Tag and options: There is no sentence "titel" in data-sentences: did you mean "title"?',
    '[warning] Tag and options: There is no sentence "greetings" in data-sentences: write its name as it stands in sentences.json of the package.',
    '[warning] Tag and options: There is no sentence "greetin" in "de" of data-sentences: did you mean "greeting"?',
    '[warning] Tag and options: There is no sentence "preChat.topc" in "de" of data-sentences: did you mean "preChat.topic"?',
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
  ['pages="/help/*"', 'The chat is hidden on this page, as your options say.'],
  ['inside="#chat" data-pages="/help/*"', 'The chat is hidden on this page, as your options say.'],
  ['launcher="#help" data-pages="!/pages/*"', 'The chat is hidden on this page, as your options say.'],
])('data-%s hides the chat on another page, and that is what is said', async (attributes, sentence) => {
  const body = '<main><button id="help">Help</button><div id="chat" style="height:600px"></div></main>';
  const said = await examined('away', `data-${attributes}`, body);
  expect(said.ailing).toEqual([]);
  expect(said.report).toContain(`[fine] Place on the page: ${sentence}`);
});

test('a window whose place on the page has no height of its own has no room for what is said', async () => {
  const said = await examined('no-height', 'data-inside="#chat"', '<main><div id="chat"></div></main>');
  expect(said.ailing).toEqual([
    '[problem] Place on the page: The conversation has no room in the window: give the element around it a height of its own, like height: 600px.',
  ]);
});

test('a chat that a call has hidden is told from one that has been closed', async () => {
  const hides =
    '<main><div id="chat" style="height:600px"></div></main><script>window.parley = [(chat) => chat.hide()]</script>';
  expect((await examined('hid', 'data-inside="#chat"', hides)).ailing).toEqual([
    '[warning] Place on the page: The chat is hidden by hide(): show() brings it back.',
  ]);
});

test('a page that never ends loading, and a file that stalls, do not keep the rest from being told', async () => {
  const body = '<main><h1>A shop</h1><img src="/never.png" alt=""></main>';
  const path = await service.page('stalled', hostPage(service.url, { body }));
  const shop = await openShop(browser, `${service.url}/`);
  const { page } = shop;
  await holdFiles(page, /never\.png/);
  const engine = await holdFiles(page, /\/chat-/);
  await page.clock.install();
  await page.goto(`${service.url}${path}?parley-doctor`, { waitUntil: 'commit' });
  await doctor(page).panel.waitFor();
  await page.clock.fastForward('00:10');
  await expect.poll(engine.count).toBeGreaterThan(0);
  await page.clock.fastForward('00:15');
  expect(ailing(await doctor(page).report())).toContainEqual(
    expect.stringMatching(
      /^\[problem\] Files of the chat: Files of the chat do not come \((?:window, )?engine\)/,
    ),
  );
  await shop.close();
});

test('in quirks mode, too, what lies below the screen is not on it', async () => {
  const html = hostPage(service.url, {
    head: '<style>html { transform: translateX(0) }</style>',
    body: '<main style="height: 3000px"><h1>A shop</h1></main>',
  }).replace('<!doctype html>', '');
  const shop = await openShop(browser, `${service.url}${await service.page('quirks', html)}?parley-doctor`);
  expect(ailing(await doctor(shop.page).report())).toContain(
    '[problem] Place on the page: The launcher is not on the screen: remove zoom, transform or filter from the html element of the page.',
  );
  await shop.close();
});

test('files that may be larger than a service takes by itself are named', async () => {
  expect((await examined('larger', 'data-max-file-mb="100"')).ailing).toEqual([
    '[warning] Tag and options: data-max-file-mb is more than the 40 that a service takes by itself: unless yours was set to take more, it refuses such files once they have been sent.',
  ]);
});

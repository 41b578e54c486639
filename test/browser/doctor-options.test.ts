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

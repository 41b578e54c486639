/** Words of the chat are marked and copied with the mouse, also on a page that lets nothing of its own be marked. */
import { expect, test } from 'vitest';
import { openTagged, say } from '../support/around.js';
import { agent, chat, useShop } from '../support/browser.js';
import { png } from '../support/media.js';
import { inside } from '../support/talk.js';

const { browser, service } = await useShop({ whole: true });

test.each([
  ['over the page', 'html { user-select: none }', '', ''],
  [
    'in a place of the page',
    '* { user-select: none !important }',
    'data-inside="#help"',
    '<div id="help" style="height: 600px; width: 400px"></div>',
  ],
])('the words of a chat %s, and the name of a picture', async (where, rule, attributes, body) => {
  const host = { head: `<style>${rule}</style>`, ...(body && { body }) };
  const name = `selected-${where.replaceAll(' ', '-')}`;
  const { page, errors, close } = await openTagged(browser, service, name, attributes, {}, host);
  const selected = () => page.evaluate(() => getSelection()?.toString().trim());
  if (!attributes) await chat(page).open();
  const words = `Where is parcel 4711, ${where}?`;
  const conversation = await say(service, page, words);
  await chat(page).bubble(words).locator('.content').click({ clickCount: 3 });
  expect(await selected()).toBe(words);
  const form = new FormData();
  form.append('content', `Here it is, ${where}`);
  form.append('attachments[]', new File([png(64, 40, [40, 120, 220])], 'parcel.png'));
  await agent(service).tell(conversation, form);
  const picture = inside(page, `Here it is, ${where}`).getByRole('link', { name: 'parcel.png' });
  await picture.getByRole('img').waitFor();
  await picture.click();
  await page.locator('parley-chat .lightbox bdi').click({ clickCount: 3 });
  expect(await selected()).toBe('parcel.png');
  await page.keyboard.press('Escape');
  // What is no words of the chat is as the page wants it.
  const { launcher } = chat(page);
  if (!attributes) expect(await launcher.evaluate((one) => getComputedStyle(one).userSelect)).toBe('auto');
  expect(errors).toEqual([]);
  await close();
});

/** A chat that is ended on a slow line, in a real Chromium. */
import { expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import { focused, openTagged, pick, say } from '../support/around.js';
import { chat, useShop } from '../support/browser.js';
import { holdFiles } from '../support/held-files.js';
import { objections } from '../support/objections.js';

const { browser, service } = await useShop();

test('while a chat is being ended the button says so, and no later answer takes the visitor from where they have gone', async () => {
  const { page, close } = await openTagged(browser, service, 'ending');
  await chat(page).open();
  await say(service, page, 'End this slowly');
  await pick(page, 'End chat');
  const { window } = chat(page);
  const end = window.getByRole('button', { name: 'End chat' });
  const busy = () => end.getAttribute('aria-busy');
  const problem = window.getByRole('alert').getByText('could not be ended');
  const answers = await holdFiles(page, '**/toggle_status');
  await end.click();
  await expect.poll(answers.count).toBe(1);
  expect([await busy(), await end.getAttribute('aria-disabled')]).toEqual(['true', 'true']);
  await window.getByRole('status').getByText(en.sending).waitFor();
  expect(await objections(page, 'ending')).toEqual([]);
  await end.click({ force: true });
  expect(answers.count()).toBe(1);
  await answers.abort();
  await problem.waitFor();
  expect(await busy()).toBeNull();

  await end.click();
  await expect.poll(answers.count).toBe(1);
  await problem.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await pick(page, 'What we keep');
  await answers.abort();
  // Told once the conversation is seen again.
  await page.keyboard.press('Escape');
  await problem.waitFor();
  await pick(page, 'End chat');
  await end.click();
  await expect.poll(answers.count).toBe(1);
  await page.keyboard.press('Escape');
  await pick(page, 'What we keep');
  await answers.release();
  await window.locator('.ended').getByText('This conversation has ended.').waitFor({ state: 'attached' });
  expect(await focused(page)).toBe('What we keep');
  await close();
});

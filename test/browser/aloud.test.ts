/** What is seen and does not take the focus is said, once: in a real browser, by what its live regions were given. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import { chat, useShop } from '../support/browser.js';
import { gate } from '../support/gate.js';
import { inside, talk } from '../support/talk.js';

const { browser, service } = await useShop();

/** All that regions of the chat say from now on, in order. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  const heard = await page.evaluateHandle(() => {
    const said: string[] = [];
    const root = document.querySelector('parley-chat')?.shadowRoot;
    new MutationObserver((changes) => {
      const regions = changes.map(({ target }) =>
        (target instanceof Element ? target : target.parentElement)?.closest(
          '[aria-live=polite], [role=status], [role=alert]',
        ),
      );
      for (const region of new Set(regions)) if (region?.textContent) said.push(region.textContent);
    }).observe(root ?? document, { subtree: true, childList: true, characterData: true });
    return said;
  });
  return () => heard.jsonValue();
}

/** Of what has the focus in the chat. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const active = document.activeElement?.shadowRoot?.activeElement;
    return active && [active.role, active.ariaLabel, getComputedStyle(active).outlineStyle];
  });

test('who has gone on hears that the answer has arrived, and which; who has waited comes to a group that says it', async () => {
  const { page, hear, close } = await talk(browser, service, 'Ask me things');
  const items = [{ name: 'city', label: 'City', type: 'text' }];
  await hear('form', 'Your details', { items });
  const form = inside(page, 'Your details');
  await form.getByLabel('City').fill('Oslo');
  const held = gate();
  await page.route('**/messages/*', async (route) => {
    await held.opened;
    await route.continue();
  });
  const said = await listen(page);
  await form.getByRole('button', { name: 'Send' }).press('Enter');
  await form.getByText(en.sendingAnswer).waitFor();
  await chat(page).field.focus();
  await page.keyboard.type('Meanwhile');
  held.open();
  await form.getByRole('definition').waitFor();
  const answer = `${en.answerSent} City Oslo`;
  await expect.poll(said).toContain(answer);
  expect(await focused(page)).toEqual([null, en.message, 'none']);

  await hear('input_select', 'Which lamp?', { items: [{ title: 'Desk', value: 'desk' }] });
  await inside(page, 'Which lamp?').getByRole('button', { name: 'Desk' }).press('Enter');
  const group = ['group', `${en.chosen}: Desk`, 'solid'];
  await expect.poll(() => focused(page)).toEqual(group);
  // By that it is heard; and of the other nothing more.
  await expect.poll(said).toContainEqual(expect.stringContaining('Which lamp?'));
  const told = await said();
  expect(told.filter((words) => words.includes(en.chosen))).toEqual([]);
  expect(told.filter((words) => words === answer)).toHaveLength(1);
  await close();
});

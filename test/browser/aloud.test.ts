/** What is seen and does not take the focus is said, once: in a real browser, by what its live regions were given. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import { pick, say } from '../support/around.js';
import { agent, chat, useShop } from '../support/browser.js';
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

/** Among what was said at one time: what comes within a moment is said together. */
const among = (words: string) => expect.stringContaining(words);

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
  await expect.poll(said).toContainEqual(among(answer));
  expect(await focused(page)).toEqual([null, en.message, 'none']);

  await hear('input_select', 'Which lamp?', { items: [{ title: 'Desk', value: 'desk' }] });
  await inside(page, 'Which lamp?').getByRole('button', { name: 'Desk' }).press('Enter');
  const group = ['group', `${en.chosen}: Desk`, 'solid'];
  await expect.poll(() => focused(page)).toEqual(group);
  // By that it is heard; and of the other nothing more.
  await expect.poll(said).toContainEqual(among('Which lamp?'));
  const told = await said();
  expect(told.filter((words) => words.includes(en.chosen))).toEqual([]);
  expect(told.filter((words) => words.includes(answer))).toHaveLength(1);
  await close();
});

test('what asks is heard as a question, with what can be answered', async () => {
  const { page, hear, close } = await talk(browser, service, 'Ask me more');
  const said = await listen(page);
  const titles = ['Desk', 'Floor', 'Wall', 'Bed', 'Door', 'Garden'];
  await hear('input_select', 'Which lamp is it?', {
    items: titles.map((title) => ({ title, value: title })),
  });
  const heard = (words: string) => expect.poll(async () => (await said()).join(' | ')).toContain(words);
  await heard(`${en.choose}: Desk, Floor, Wall, Bed, Door`);
  const items = [
    { name: 'city', label: 'City', type: 'text' },
    { name: 'why', label: 'Why?', type: 'text_area' },
  ];
  await hear('form', 'Tell us more', { items });
  await heard('Ada: Tell us more. City, Why?');
  await hear('input_email', 'Where are you?', {});
  await heard(`Ada: Where are you?. ${en.email}`);
  await hear('input_csat', 'How was it?', {});
  await heard(`Ada: How was it?. ${en.rating}`);
  await close();
});

test('that somebody is typing is said once after the visitor’s words, and no more between the answers to them', async () => {
  const { page, hear, conversation, close } = await talk(browser, service, 'Anybody there?');
  await expect.poll(() => page.evaluate(() => window.parley?.status().line)).toBe('live');
  await chat(page).bubble('Anybody there?').getByText('Sent', { exact: true }).waitFor();
  const said = await listen(page);
  const typing = async () => (await said()).filter((words) => /is typing/.test(words));
  const dots = chat(page).log.locator('.typing');
  const type = async () => {
    await agent(service).typing(conversation, true);
    await dots.waitFor();
    await agent(service).typing(conversation, false);
    await dots.waitFor({ state: 'detached' });
  };
  await agent(service).typing(conversation, true);
  await expect.poll(typing).toHaveLength(1);
  await hear('text', 'Yes', {});
  await type();
  await hear('text', 'We are', {});
  await expect.poll(async () => (await said()).join()).toContain('We are');
  expect(await typing()).toHaveLength(1);
  await say(service, page, 'Good');
  await agent(service).typing(conversation, true);
  await expect.poll(typing).toHaveLength(2);
  await close();
});

test('another conversation is said to be one, and which', async () => {
  const { page, conversation, close } = await talk(browser, service, 'About my lamp');
  await chat(page).bubble('About my lamp').getByText('Sent', { exact: true }).waitFor();
  await service.agent('POST', `/api/v1/accounts/1/conversations/${conversation}/toggle_status`, {
    status: 'resolved',
  });
  const said = await listen(page);
  await chat(page).window.getByRole('button', { name: en.startNew }).press('Enter');
  await expect.poll(said).toContainEqual(among(en.newConversation));
  await say(service, page, 'About my chair');
  await pick(page, en.conversations);
  await chat(page)
    .window.getByRole('button', { name: /About my lamp/ })
    .press('Enter');
  await chat(page).bubble('About my lamp').waitFor();
  await expect.poll(said).toContainEqual(expect.stringMatching(/\bYou: .About my lamp./));
  await close();
});

test('who signs in meanwhile is told that a new conversation begins, and that the earlier one is not lost', async () => {
  const { page, close } = await talk(browser, service, 'Nobody in particular');
  await chat(page).bubble('Nobody in particular').getByText('Sent', { exact: true }).waitFor();
  const note = chat(page).log.getByText(en.signedIn);
  expect(await note.count()).toBe(0);
  const said = await listen(page);
  const outcome = await page.evaluate(() => window.parley?.identify({ identifier: 'mary' }));
  expect(outcome?.ok).toBe(true);
  await note.waitFor();
  await expect.poll(said).toContainEqual(among(en.signedIn));
  expect((await said()).filter((words) => words.includes(en.signedIn))).toHaveLength(1);
  await page.reload();
  await note.waitFor();
  await say(service, page, 'As Mary');
  await note.waitFor({ state: 'detached' });
  await pick(page, en.newConversation);
  await chat(page).log.getByText(en.emptyTitle).waitFor();
  expect(await note.count()).toBe(0);
  await close();
});

test('the small button of a message is called once, and says what it does to whoever points at it', async () => {
  const { page, close } = await talk(browser, service, 'Copy this');
  const button = chat(page).bubble('Copy this').getByRole('button', { name: en.copy });
  expect(await button.getAttribute('title')).toBeNull();
  await button.hover();
  expect(await button.getAttribute('title')).toBe(en.copy);
  // Safari takes a list whose marks are "none" for none.
  const list = chat(page).log.getByRole('list').first();
  expect(await list.evaluate((rows) => getComputedStyle(rows).listStyleType)).toBe('""');
  await close();
});

test('who wishes for more contrast sees quiet words as the others, and lines as words', async () => {
  const { page, close } = await talk(browser, service, 'Quietly');
  await page.emulateMedia({ contrast: 'more' });
  const colours = await chat(page).window.evaluate((dialog) => {
    const style = getComputedStyle(dialog);
    return ['--text', '--muted', '--line', '--control'].map((token) => style.getPropertyValue(token));
  });
  expect(new Set(colours).size).toBe(1);
  expect(colours[0]).toMatch(/^#/);
  await close();
});

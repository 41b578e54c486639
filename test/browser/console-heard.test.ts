/** What the console tells who does not see it, in a real browser before a real service. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agent, chat } from '../support/browser.js';
import { type Console, startConsole } from '../support/console.js';
import { startMs } from '../support/service.js';

let here: Console;
beforeAll(async () => {
  here = await startConsole();
}, startMs);
afterAll(() => here.end());

const button = (name: string) => here.desk.getByRole('button', { name, exact: true });
const text = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) });

test('what is attached and taken away is told, each time, and not what did not fit', async () => {
  const { close } = await here.talk('Send me all pages');
  const heard = await here.listen();
  await here.desk.reload();
  await here.log().getByText('Send me all pages', { exact: true }).waitFor();
  const attach = (...names: string[]) =>
    here.desk.getByLabel('Files', { exact: true }).setInputFiles(names.map(text));
  const told: unknown[] = [];
  const tells = (words: unknown) => {
    told.push(words);
    return expect.poll(heard).toEqual(told);
  };
  await attach('first.txt', 'second.txt');
  await tells('2 files added: first.txt, second.txt');
  for (let n = 0; n < 2; n += 1) {
    await button('Remove first.txt').click();
    await tells('first.txt was removed.');
    await attach('first.txt');
    await tells('Added: first.txt');
  }
  await attach(...Array.from({ length: 14 }, (_, n) => `${n}.txt`));
  await tells(expect.stringMatching(/^13 files added: 0\.txt, .+, 12\.txt$/));
  await close();
});

test('a search for a canned answer that finds none says so, and shows no list', async () => {
  await here.service.agent('POST', '/api/v1/accounts/1/canned_responses', {
    short_code: 'hours',
    content: 'We open at nine.',
  });
  const { close } = await here.talk('When do you open today?');
  await button('Canned answers').click();
  const search = here.dialog().getByRole('combobox');
  const status = here.dialog().getByRole('status');
  const isExpanded = () => search.getAttribute('aria-expanded');
  await here.dialog().getByRole('option', { name: 'We open at nine.' }).waitFor();
  // There before it is filled: what comes with its words says them not everywhere.
  expect(await status.textContent()).toBe('');
  expect(await isExpanded()).toBe('true');
  await search.fill('nobody wrote this');
  await expect.poll(() => status.textContent()).toBe('None has these words.');
  expect(await isExpanded()).toBe('false');
  expect(await here.dialog().getByRole('listbox').count()).toBe(0);
  expect(await here.dialog().getByRole('link', { name: 'Write one' }).count()).toBe(1);
  await search.fill('nine');
  await expect.poll(isExpanded).toBe('true');
  expect(await status.textContent()).toBe('');
  await here.desk.keyboard.press('Escape');
  await close();
});

/** As a screen reader gets them. */
async function described(role: string) {
  const line = await here.desk.context().newCDPSession(here.desk);
  const { nodes } = await line.send('Accessibility.getFullAXTree');
  await line.detach();
  return nodes
    .filter((node) => node.role?.value === role)
    .map(({ name, description }) => ({
      name: String(name?.value ?? ''),
      description: String(description?.value ?? ''),
    }));
}

test('who quotes is told in the field what the reply answers', async () => {
  const { conversation, close } = await here.talk('Which of the two?');
  await agent(here.service).tell(conversation, { content: 'The green one' });
  const description = async () =>
    (await described('textbox')).find(({ name }) => name === 'Reply')?.description;
  await button('Quote “The green one”').click();
  await expect.poll(description).toMatch(/^Answers \S.* The green one \S.* sees this\. Enter sends/);
  await button('Do not quote').click();
  await expect.poll(description).toMatch(/^\S.* sees this\. Enter sends/);
  expect(await description()).not.toContain('The green one');
  await close();
});

test('no button says a part of its name twice, and who points at it reads what it is', async () => {
  const { conversation, close } = await here.talk('What are all these for?');
  await agent(here.service).tell(conversation, { content: 'To be pressed' });
  await button('Delete “To be pressed”').waitFor();
  const twice = async () =>
    (await described('button')).filter(
      ({ name, description }) => description !== '' && name.includes(description),
    );
  expect(await twice()).toEqual([]);
  for (const [name, tip] of [
    ['Attach files', 'Attach files'],
    ['Quote “To be pressed”', 'Quote'],
    ['Ask the visitor', 'Quick replies, forms, cards'],
    ['Put aside', 'Put aside'],
  ] as const) {
    await button(name).hover();
    const read = await button(name).evaluate((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const middle = [(left + right) / 2, (top + bottom) / 2] as const;
      // Also beside the icon.
      const places = [middle, [left + 5, middle[1]], [middle[0], bottom - 5]] as const;
      return places.map(([x, y]) =>
        document.elementFromPoint(x, y)?.closest('[title]')?.getAttribute('title'),
      );
    });
    expect(read, name).toEqual([tip, tip, tip]);
  }
  await close();
});

test('what was read out is not met a second time beside the message', async () => {
  const { page, close } = await here.talk('I come back');
  const heard = await here.listen();
  await here.desk.reload();
  await here.log().getByText('I come back', { exact: true }).waitFor();
  await here.desk.clock.install();
  await chat(page).say('Here I am');
  await expect.poll(heard).toEqual([expect.stringMatching(/: Here I am$/)]);
  const standing = here.desk.locator('[aria-live=polite]').filter({ hasText: 'Here I am' });
  expect(await standing.count()).toBe(1);
  await here.desk.clock.fastForward(10_000);
  await expect.poll(() => standing.count()).toBe(0);
  await here.log().getByText('Here I am', { exact: true }).waitFor();
  await close();
});

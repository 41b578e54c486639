/** How the console shows what was said: as the visitor sees it, in a real browser before a real service. */
import type { Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { agent, chat } from '../support/browser.js';
import { type Console, startConsole } from '../support/console.js';
import { png, wav } from '../support/media.js';
import { objections } from '../support/objections.js';
import { startMs } from '../support/service.js';
import { inside } from '../support/talk.js';

let here: Console;
beforeAll(async () => {
  here = await startConsole();
}, startMs);
afterAll(() => here.end());

const row = (words: string) => here.log().getByRole('listitem').filter({ hasText: words });

const findings = z.array(z.string());

async function say(words: string) {
  await here.field().fill(words);
  await here.field().press('Enter');
}

const reply = `Two ways, **the first** is [shorter](https://shop.example/short):

- open \`settings\`
- press *Save*

| plan | price |
|------|------:|
| small | 9 |

1. or call
2. and wait

> as you said

\`\`\`sh
npm start
\`\`\``;

test('an agent’s markdown is shown as the visitor sees it, with the same links', async () => {
  const { page, close } = await here.talk('How do I change it?');
  await say(reply);
  const told = row('Two ways');
  await told.getByText('Sent').or(told.getByText('Delivered')).or(told.getByText('Seen')).first().waitFor();
  const shape = (from: typeof told) =>
    from
      .locator('.blocks')
      .first()
      .evaluate((blocks) =>
        [...blocks.querySelectorAll('*')].map((one) => `${one.localName} ${one.textContent}`),
      );
  const inWindow = chat(page).log.getByRole('listitem').filter({ hasText: 'Two ways' });
  expect(await shape(told)).toEqual(await shape(inWindow));
  expect(await told.getByRole('list').count()).toBe(2);
  const link = told.getByRole('link', { name: 'shorter' });
  expect(await link.getAttribute('href')).toBe('https://shop.example/short');
  expect(await link.getAttribute('target')).toBe('_blank');
  for (const word of ['noopener', 'noreferrer', 'nofollow']) {
    expect((await link.getAttribute('rel'))?.split(' ')).toContain(word);
  }
  // One line has no room for marks.
  const item = here.desk.getByRole('navigation', { name: 'Conversations' }).locator('.item[aria-current]');
  await item.getByText('Two ways, the first is shorter (https://shop.example/short)').waitFor();

  // A link that says another place than its own says its own, too; one that runs code is none.
  await say('[bank.example](https://elsewhere.example/) and [run](javascript:alert(1))');
  const sly = row('and run');
  await sly.getByText('(elsewhere.example)').waitFor();
  expect(await sly.getByRole('link').count()).toBe(1);
  await close();
});

test('a visitor’s words stay as they are but for addresses; a note is marked as a reply is', async () => {
  const { page, close } = await here.talk('**I** see <b>this</b> at https://shop.example/broken?a=1.');
  const asked = row('**I** see <b>this</b> at');
  const link = asked.getByRole('link', { name: 'https://shop.example/broken?a=1', exact: true });
  expect(await link.getAttribute('href')).toBe('https://shop.example/broken?a=1');
  expect(await link.getAttribute('rel')).toContain('noopener noreferrer nofollow');
  expect(await link.getAttribute('target')).toBe('_blank');
  expect(await asked.locator('.text b, .text strong').count()).toBe(0);

  await here.desk.getByRole('radio', { name: 'Private note' }).check();
  const field = here.desk.getByRole('textbox', { name: 'Private note' });
  await field.fill('**Ask** _Grace_');
  await field.press('Enter');
  const note = here.log().getByText('Ask Grace', { exact: true });
  await note.waitFor();
  expect(await note.locator('strong').textContent()).toBe('Ask');
  await here.desk.getByRole('radio', { name: 'Reply' }).check();

  // A list in Arabic has its numbers on the right.
  await say('1. افتح الإعدادات\n2. اضغط حفظ');
  await chat(page).log.getByText('افتح الإعدادات').waitFor();
  const list = row('افتح الإعدادات').locator('ol');
  expect(await list.evaluate((one) => getComputedStyle(one).direction)).toBe('rtl');
  await close();
});

test('files are shown whole, played or fetched, and one line says what they are', async () => {
  const { conversation, close } = await here.talk('Send me files');
  const tell = (name: string, data: BlobPart) => {
    const form = new FormData();
    form.append('attachments[]', new File([data], name));
    return agent(here.service).tell(conversation, form);
  };
  const preview = here.desk
    .getByRole('navigation', { name: 'Conversations' })
    .locator('.item[aria-current] .preview');
  const said = (words: string) => preview.getByText(words, { exact: true }).waitFor();

  await tell('tower.png', png(200, 800, [40, 120, 220]));
  await said('Picture');
  const tower = here.log().getByRole('img', { name: 'tower.png' });
  await expect.poll(() => tower.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(200);
  expect(await tower.boundingBox()).toMatchObject({ width: 65, height: 260 });

  await tell('voice-message.wav', wav(1));
  await said('Voice message');
  const sound = here.log().getByLabel('voice-message.wav');
  await expect.poll(() => sound.evaluate((audio: HTMLAudioElement) => audio.duration)).toBeCloseTo(1);
  const room = await sound.boundingBox();
  expect(room?.width).toBeGreaterThan(250);
  expect(room?.height).toBeGreaterThan(40);
  const fetched = here.desk.waitForEvent('download');
  await here.log().getByRole('link', { name: 'voice-message.wav' }).click();
  expect((await fetched).suggestedFilename()).toBe('voice-message.wav');

  // What the browser cannot play is a file and no dead player.
  await tell('film.webm', Buffer.from('1a45dfa3', 'hex'));
  await said('film.webm');
  await here.log().getByRole('link', { name: 'film.webm' }).waitFor();
  await expect.poll(() => here.log().locator('video').count()).toBe(0);
  await close();
});

test('what can be done with a message stands beside it and covers no words, on a phone too', async () => {
  const { close } = await here.talk('Short');
  await say('A reply that is long enough to want more than a line of its own on any screen, and then some');
  await row('A reply that is')
    .getByText(/Sent|Delivered|Seen/)
    .waitFor();
  for (const width of [1280, 390]) {
    await here.desk.setViewportSize({ width, height: 800 });
    for (const words of ['Short', 'A reply that is']) {
      const bubble = row(words);
      await bubble.locator('.text').hover();
      const [text, tools] = await Promise.all([
        bubble.locator('.text').boundingBox(),
        bubble.locator('.bubble-actions').boundingBox(),
      ]);
      if (!text || !tools) throw new Error('one of them is not there');
      expect(tools.x >= text.x + text.width || tools.x + tools.width <= text.x).toBe(true);
      expect(tools.x).toBeGreaterThanOrEqual(0);
      expect(tools.x + tools.width).toBeLessThanOrEqual(width);
    }
  }
  await here.desk.setViewportSize({ width: 1280, height: 800 });
  await close();
});

test('a search shows the words it found, not the last ones, and marks them not by colour alone', async () => {
  const { close } = await here.talk(
    `${'Good day to you. '.repeat(9)}\nMy Halogen bulb flickers since Monday`,
  );
  await say('Did you try **another socket**?');
  await row('Did you try').waitFor();
  const list = here.desk.getByRole('navigation', { name: 'Conversations' });
  const item = list.locator('.item[aria-current]');
  const search = list.getByRole('searchbox');
  await search.fill('halogen BULB');
  await expect.poll(() => list.locator('mark').allTextContents()).toEqual(['Halogen bulb']);
  expect(await item.locator('bdi').nth(1).textContent()).toBe(
    '… to you. My Halogen bulb flickers since Monday',
  );
  await list.getByRole('button', { name: /Found: … to you. My Halogen bulb flickers/ }).waitFor();
  // Of one line that is longer than its place the beginning is seen: the words stand in it.
  const [mark, preview] = await Promise.all([list.locator('mark').boundingBox(), item.boundingBox()]);
  if (!mark || !preview) throw new Error('one of them is not there');
  expect(mark.x + mark.width).toBeLessThanOrEqual(preview.x + preview.width);
  expect(await objections(here.desk, 'found', "'.list'")).toEqual([]);
  expect(await list.locator('mark').evaluate((words) => getComputedStyle(words).textDecorationLine)).toBe(
    'underline',
  );
  await search.fill('another');
  await expect.poll(() => list.locator('mark').allTextContents()).toEqual(['another']);
  await item.getByText('You: ').waitFor();
  await search.fill('');
  await item.getByText('Did you try another socket?').waitFor();
  await expect.poll(() => list.locator('mark').count()).toBe(0);
  await close();
});

test('axe objects to nothing in markdown, by day and by night', async () => {
  const { close } = await here.talk('Show me all of it');
  await say(reply);
  await row('Two ways').locator('pre').waitFor();
  await here.desk.evaluate(here.axe);
  for (const colorScheme of ['light', 'dark'] as const) {
    await here.desk.emulateMedia({ colorScheme });
    const found = await here.desk.evaluate(`(async () => {
      const { violations } = await axe.run('[role=log]', { resultTypes: ['violations'] });
      return violations.flatMap(({ id, nodes }) => nodes.map(({ failureSummary }) => id + ' ' + failureSummary));
    })()`);
    expect(findings.parse(found)).toEqual([]);
  }
  await close();
});

test('what comes is read out once; what was there, is loaded of before or was said here is not', async () => {
  const { page, conversation, close } = await here.talk('The first words');
  for (let n = 1; n <= 25; n += 1) await agent(here.service).tell(conversation, { content: `Old ${n}` });
  const heard = await here.listen();
  await here.desk.reload();
  await here.log().getByText('Old 25').waitFor();
  await here.desk.getByRole('button', { name: 'Load earlier' }).click();
  await here.log().getByText('The first words').waitFor();
  await say('Said here');
  await row('Said here')
    .getByText(/Sent|Delivered|Seen/)
    .waitFor();
  await chat(page).say('Come *just* now');
  await expect.poll(heard).toEqual([expect.stringMatching(/^.+: Come \*just\* now$/)]);
  await close();
});

test('a history that comes at the second try is not read out, and what comes after it is', async () => {
  const { page, conversation, close } = await here.talk('Words of before');
  await agent(here.service).tell(conversation, { content: 'More of before' });
  const heard = await here.listen();
  let refused = 0;
  const refuse = (route: Route) => {
    refused += 1;
    return route.abort();
  };
  await here.desk.route(`**/conversations/${conversation}/messages?*`, refuse);
  await here.desk.route(`**/conversations/${conversation}/messages`, refuse);
  await here.desk.reload();
  await here.desk.getByRole('status').getByText('The conversation could not be loaded').waitFor();
  // It is asked for with the page, and by itself once more as soon as the line is up.
  await expect.poll(() => refused).toBeGreaterThanOrEqual(2);
  await here.desk.unrouteAll();
  await here.desk.getByRole('button', { name: 'Try again' }).click();
  await here.log().getByText('More of before').waitFor();
  await chat(page).say('Words of now');
  await expect.poll(heard).toEqual([expect.stringMatching(/: Words of now$/)]);
  await close();
});

test('what a visitor answers to a question is read out where it is before the agent’s eyes', async () => {
  const { page, conversation, close } = await here.talk('Ask me something');
  await agent(here.service).tell(conversation, {
    content: 'Which colour?',
    content_type: 'input_select',
    content_attributes: { items: ['Blue', 'Green'].map((title) => ({ title, value: title })) },
  });
  const heard = await here.listen();
  await here.desk.reload();
  await here.log().getByText('Which colour?').waitFor();
  await inside(page, 'Which colour?').getByRole('button', { name: 'Green' }).click();
  await expect.poll(heard).toEqual([expect.stringMatching(/^.+: Answered: Green$/)]);
  await close();
});

test('a reply that fails before the agent’s eyes is read out, each time, and not when one comes back to it', async () => {
  const { conversation, close } = await here.talk('Can you hear me?');
  const heard = await here.listen();
  await here.desk.reload();
  await here.log().getByText('Can you hear me?', { exact: true }).waitFor();
  const sending = `**/conversations/${conversation}/messages`;
  // History has the same address, and is asked for once more as soon as the line is up.
  let lost = 0;
  await here.desk.route(sending, (route) => {
    if (lost === 0 || route.request().method() !== 'POST') return route.fallback();
    lost -= 1;
    return route.abort();
  });
  const fail = () => {
    lost += 1;
  };
  const problem = expect.stringContaining('The reply was not sent: the service does not answer.');
  fail();
  await say('Lost on the way');
  await expect.poll(heard).toEqual([problem]);
  // It may have arrived: history is asked first.
  fail();
  await here.log().getByRole('button', { name: 'Try again' }).click();
  await expect.poll(heard).toEqual([problem, problem]);
  await here.desk.getByRole('link', { name: 'Contacts' }).click();
  await here.desk.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
  await here.desk.goBack();
  await here.log().getByRole('button', { name: 'Discard' }).click();
  await here.log().getByText('Lost on the way').waitFor({ state: 'detached' });
  expect((await heard()).filter((words: string) => /not sent/.test(words))).toHaveLength(2);
  await close();
});

/** What stands in the window is longer than it, or takes another width: the reader's place stays, and the page hears nothing. */
import { expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import { agent, hostPage, english as say } from '../support/browser.js';
import { faultsHead, useEngineTab } from '../support/engine-tab.js';
import { fill, viewHere } from '../support/thread.js';

declare global {
  interface Window {
    testDrawn?: boolean;
  }
}

const here = useEngineTab();

/** Two frames: what was done before has been drawn. */
async function drawn(): Promise<void> {
  await here.tab.eval(() => {
    window.testDrawn = false;
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        window.testDrawn = true;
      }),
    );
  });
  await expect.poll(() => here.tab.eval(() => window.testDrawn)).toBe(true);
}

async function open(name: string): Promise<void> {
  const html = hostPage(here.service.url, { head: faultsHead });
  await here.tab.goto(here.service.url + (await here.service.page(name, html)));
  await here.tab.click('button', /^Open chat/);
  await expect.poll(() => here.tab.texts('dialog', en.window)).toHaveLength(1);
}

const sees = (words: string) =>
  expect
    .poll(() =>
      here.tab.eval(
        () => document.querySelector('parley-chat')?.shadowRoot?.querySelector('[role=log]')?.textContent,
      ),
    )
    .toContain(words);

async function write(words: string): Promise<number> {
  await here.tab.fill(en.message, words);
  await here.tab.press('Enter');
  await expect
    .poll(() => here.service.db.query('select 1 from messages where content = $1', [words]))
    .toHaveLength(1);
  return agent(here.service).conversationOf(words);
}

test('the window takes another width, with more written than a line holds', async () => {
  await open('width');
  const conversation = await write('Wide or narrow');
  for (let n = 0; n < 12; n++)
    await agent(here.service).answer(conversation, `As wide as it can be, ${n}. `.repeat(12).trim());
  await sees('As wide as it can be, 11');
  await here.tab.fill(en.message, 'Not sent yet, and longer than a line. '.repeat(6).trim());
  const width = () =>
    here.tab.eval(
      () =>
        document.querySelector('parley-chat')?.shadowRoot?.querySelector('dialog')?.getBoundingClientRect()
          .width ?? 0,
    );
  for (let turn = 0; turn < 3; turn++) {
    const before = await width();
    await here.tab.click('button', en.menu);
    await here.tab.click('menuitemcheckbox', en.larger);
    await here.tab.press('Escape');
    await expect.poll(width).not.toBe(before);
    await drawn();
    // The newest words are still the last ones.
    await expect.poll(async () => (await here.tab.eval(viewHere)).left).toBeLessThanOrEqual(1);
  }
});

test('who reads the newest words reads them still when somebody types, and answers', async () => {
  await open('typing');
  const conversation = await write('Is somebody there?');
  await expect.poll(() => here.tab.eval(() => window.parley?.status().line)).toBe('live');
  const types = () =>
    here.tab.eval(() => !!document.querySelector('parley-chat')?.shadowRoot?.querySelector('.typing'));
  for (let n = 0; n < 8; n++) {
    await agent(here.service).typing(conversation, true);
    await expect.poll(types).toBe(true);
    await agent(here.service).answer(conversation, `Somebody is, ${n}. `.repeat(9).trim());
    await sees(`Somebody is, ${n}`);
    await expect.poll(types).toBe(false);
    // Between two frames rows may have got their height already and the view not yet its place.
    await expect.poll(async () => (await here.tab.eval(viewHere)).left).toBeLessThanOrEqual(1);
  }
});

test('in a long conversation the reader stays where they are, whatever comes below', async () => {
  await open('long');
  const conversation = await write('Hello');
  await fill(here.service, conversation, 900);
  await here.tab.reload();
  await sees('Line 900');
  const pageBackOnce = () => {
    const root = document.querySelector('parley-chat')?.shadowRoot;
    root?.querySelector<HTMLElement>('.older button:not([aria-disabled=true])')?.click();
    return root?.querySelectorAll('.row').length ?? 0;
  };
  await expect
    .poll(() => here.tab.eval(pageBackOnce), { timeout: 90_000, interval: 50 })
    .toBeGreaterThanOrEqual(901);
  const scrollBy = (px: number) =>
    here.tab.eval((by) => {
      document.querySelector('parley-chat')?.shadowRoot?.querySelector('[role=log]')?.scrollBy(0, by);
    }, px);
  await scrollBy(100_000);
  await expect.poll(async () => (await here.tab.eval(viewHere)).left).toBeLessThanOrEqual(1);
  // In steps: rows that were never in sight are only thought to be so high.
  for (let step = 0; step < 12; step++) {
    const { row } = await here.tab.eval(viewHere);
    await scrollBy(-500);
    await expect.poll(async () => (await here.tab.eval(viewHere)).row).not.toBe(row);
  }
  // What has only now come into sight gets its height in the next frames, and the view its place after that.
  let rests = await here.tab.eval(viewHere);
  await expect
    .poll(async () => {
      const last = rests;
      await drawn();
      rests = await here.tab.eval(viewHere);
      return rests.row === last.row && rests.at === last.at;
    })
    .toBe(true);
  const before = rests;
  expect(before.row).toMatch(/^Line \d+/);
  await agent(here.service).answer(conversation, 'Down there');
  await sees('Down there');
  await drawn();
  await expect
    .poll(async () => {
      const { row, at } = await here.tab.eval(viewHere);
      return [row, Math.abs(at - before.at) <= 1];
    })
    .toEqual([before.row, true]);
  await here.tab.click('button', say('latestNew', { count: 1 }));
  await expect.poll(async () => (await here.tab.eval(viewHere)).left).toBeLessThanOrEqual(1);
}, 180_000);

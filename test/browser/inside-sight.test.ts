/** A window that is a part of the page is read where it is seen: not further down, nor in a part that is closed. There what comes is heard. */
import { expect, test } from 'vitest';
import { openTagged, say } from '../support/around.js';
import { agent, chat, useShop } from '../support/browser.js';
import { countSounds, soundsOf } from '../support/sounds.js';
import { wakeAtOnce } from '../support/wake-at-once.js';

const { browser, service } = await useShop({ whole: true });

test.each([
  ['further down', '<div style="height: 3000px"></div><div id="help" style="height: 420px"></div>'],
  [
    'in a part that is closed',
    '<details id="part"><summary>Help</summary><div id="help" style="height: 420px"></div></details>',
  ],
])(
  'an answer that comes while the window is %s is heard once, and unread until it is seen',
  async (where, body) => {
    const name = `sight-${body.length}`;
    const { page, close } = await openTagged(browser, service, name, 'data-inside="#help"', {}, { body });
    const show = (shown: boolean) =>
      page.evaluate((shown) => {
        const part = document.querySelector('details');
        if (part) part.open = shown;
        else scrollTo(0, shown ? document.documentElement.scrollHeight : 0);
      }, shown);
    await show(true);
    const conversation = await say(service, page, `Is it read ${where}?`);
    const unread = () => page.evaluate(() => window.parley?.unread());
    const readBy = async () => {
      const rows = await service.db.query<{ content: string }>(
        `select content from messages where sender_type = 'User' and status = 'read'
         and conversation_id = (select id from conversations where display_id = $1)`,
        [conversation],
      );
      return rows.map(({ content }) => content);
    };
    await page.evaluate(countSounds);
    await page.evaluate(wakeAtOnce);
    await agent(service).answer(conversation, 'It was seen');
    await expect.poll(readBy).toEqual(['It was seen']);
    await show(false);
    // Observers are told in the order in which they came: ours last.
    await chat(page).host.evaluate(
      (host) =>
        new Promise<void>((gone) => {
          new IntersectionObserver((seen) => seen.at(-1)?.isIntersecting || gone()).observe(host);
        }),
    );
    await agent(service).answer(conversation, 'It was not seen');
    await expect.poll(unread).toBe(1);
    await expect.poll(() => soundsOf(page)).toBe(1);
    expect(await readBy()).toEqual(['It was seen']);
    await agent(service).answer(conversation, 'Nor was this');
    // Each of them, and not what was seen when it came.
    await expect.poll(() => soundsOf(page)).toBe(2);
    await show(true);
    await expect.poll(unread).toBe(0);
    await expect.poll(readBy).toEqual(expect.arrayContaining(['It was not seen', 'Nor was this']));
    expect(await soundsOf(page)).toBe(2);
    await close();
  },
);

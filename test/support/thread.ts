/** Long conversations in a real browser: how they are made, paged back, read and measured. */
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { agent, chat, openShop, type ShopService } from './browser.js';
import { startFaultProxy } from './fault-proxy.js';

declare global {
  interface Window {
    /** When the last frame with a message came, before anybody else heard of it. */
    frameAt: number;
    /** Done before anybody else hears of it. */
    atFrame?: () => void;
  }
}

/** For the pages that come after. */
export const watchFrames = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    window.WebSocket = class extends WebSocket {
      constructor(address: string | URL, protocols?: string | string[]) {
        super(address, protocols);
        this.addEventListener('message', ({ data }) => {
          if (!String(data).includes('message.created')) return;
          window.frameAt = performance.now();
          window.atFrame?.();
        });
      }
    };
  });

/** Messages of both sides, a minute apart, the newest an hour old. They are announced to nobody. */
export async function fill(service: ShopService, conversation: number, count: number): Promise<void> {
  await service.db.query(
    `insert into messages (account_id, inbox_id, conversation_id, content, message_type, sender_type, sender_id,
       created_at, updated_at)
     select c.account_id, c.inbox_id, c.id, 'Line ' || n || repeat(' and some more words', n % 7),
       case when n % 5 < 2 then 0 else 1 end,
       case when n % 5 < 2 then 'Contact' else 'User' end,
       case when n % 5 < 2 then c.contact_id else (select min(id) from users) end,
       now() - ($2::int - n + 60) * interval '1 minute', now()
     from conversations c, generate_series(1, $2::int) n where c.display_id = $1::int`,
    [conversation, count],
  );
}

/**
 * A visitor with this many messages of before, whose window stands open and whose line is up.
 * @param through whether by way of the proxy; a picture from elsewhere than the service is not shown
 */
export async function enterThread(browser: Browser, service: ShopService, count: number, through = true) {
  const proxy = await startFaultProxy(service.url);
  const shop = await openShop(browser, `${through ? proxy.url : service.url}/`);
  const { page } = shop;
  await watchFrames(page);
  await chat(page).open();
  const words = `Hello from visitor ${proxy.url.split(':').at(-1)}`;
  await chat(page).say(words);
  const conversation = await agent(service).conversationOf(words);
  await chat(page).log.getByText('Sent', { exact: true }).waitFor();
  await fill(service, conversation, count);
  // Twice, because the first time all of it is new.
  await page.reload();
  await chat(page)
    .log.getByText(new RegExp(`^Line ${count}\\b`))
    .waitFor({ state: 'attached' });
  await page.reload();
  await agent(service).answer(conversation, 'The newest');
  await chat(page).bubble('The newest').waitFor();
  // That may have come with history; what comes now is heard.
  await expect.poll(() => page.evaluate(() => window.parley?.status().line)).toBe('live');
  return { proxy, shop, conversation };
}

/** Pages back, as the visitor does with the button, until so many rows are here. */
export const pageBack = (page: Page, count: number): Promise<number> =>
  page.evaluate(async (wanted) => {
    const root = document.querySelector('parley-chat')?.shadowRoot;
    const rows = () => root?.querySelectorAll('.row').length ?? 0;
    const frame = () => new Promise((next) => requestAnimationFrame(next));
    for (let before = -1; rows() < wanted; ) {
      const button = root?.querySelector<HTMLElement>('.older button');
      if (!button) break;
      if (rows() !== before && button.getAttribute('aria-disabled') !== 'true') {
        before = rows();
        button.click();
      }
      await frame();
    }
    return rows();
  }, count);

export interface View {
  top: number;
  /** To the end. */
  left: number;
  /** The first row that begins in sight, and how far below the upper edge. */
  row: string;
  at: number;
}

/** What the reader sees; for any page to work out. */
export const viewHere = (): View => {
  const log = document.querySelector('parley-chat')?.shadowRoot?.querySelector('[role=log]');
  if (!log) throw new Error('there is no conversation on this page');
  const edge = log.getBoundingClientRect().top;
  const row = [...log.querySelectorAll('.row')].find((one) => one.getBoundingClientRect().top >= edge);
  return {
    top: log.scrollTop,
    left: log.scrollHeight - log.scrollTop - log.clientHeight,
    row: row?.querySelector('.content')?.textContent ?? '',
    at: (row?.getBoundingClientRect().top ?? 0) - edge,
  };
};
export const view = (page: Page): Promise<View> => page.evaluate(viewHere);

/** Where the row with these words stands in the reader's view. */
export const placeOf = (page: Page, words: string): Promise<number | undefined> =>
  page.evaluate((wanted) => {
    const log = document.querySelector('parley-chat')?.shadowRoot?.querySelector('[role=log]');
    const content = [...(log?.querySelectorAll('.content') ?? [])].find((one) => one.textContent === wanted);
    const row = content?.closest('.row');
    return log && row ? row.getBoundingClientRect().top - log.getBoundingClientRect().top : undefined;
  }, words);

/** Two frames: what was done before has been drawn. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );

/** The chat moves no more: it opens with a motion, whose last steps are less than a pixel. */
export const still = (page: Page): Promise<unknown> =>
  page.evaluate(() => {
    const motions = document.querySelector('parley-chat')?.shadowRoot?.getAnimations() ?? [];
    return Promise.allSettled(motions.map(({ finished }) => finished));
  });

/** As a wheel does, in steps. */
export async function scrollBy(page: Page, by: number): Promise<void> {
  await page.evaluate((distance) => {
    const log = document.querySelector('parley-chat')?.shadowRoot?.querySelector('[role=log]');
    log?.scrollBy(0, distance);
  }, by);
  await drawn(page);
}

/** From the frame of a message of the other side to its painted row, in milliseconds: each of them. */
export async function appendMs(
  page: Page,
  words: readonly string[],
  answer: (words: string) => Promise<void>,
): Promise<number[]> {
  const took: number[] = [];
  for (const one of words) {
    const watch = await page.evaluateHandle((wanted) => {
      const root = document.querySelector('parley-chat')?.shadowRoot;
      const painted = new Promise<number>((done) => {
        const seen = new MutationObserver(() => {
          // Not by a selector over all: that would be measured, too.
          const parts = [...(root?.querySelector('.thread')?.children ?? [])];
          const pile = parts.filter(({ localName }) => localName === 'section').at(-1);
          const last = pile?.lastElementChild?.lastElementChild;
          if (last?.querySelector('.content')?.textContent !== wanted) return;
          seen.disconnect();
          requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - window.frameAt)));
        });
        if (root) seen.observe(root, { childList: true, subtree: true });
      });
      return { painted };
    }, one);
    await answer(one);
    took.push(await watch.evaluate(({ painted }) => painted));
  }
  return took;
}

export const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** Once it stands where it did two frames ago: rows may have got their height already, and the view not yet its place. */
async function restingPlaceOf(page: Page, row: string): Promise<number> {
  let before: number | undefined;
  let place = await placeOf(page, row);
  await expect
    .poll(async () => {
      before = place;
      await drawn(page);
      place = await placeOf(page, row);
      return place !== undefined && place === before;
    })
    .toBe(true);
  return place ?? Number.NaN;
}

/** The reader goes up; whatever is done then, the row that they read stays where it is. */
export async function readerUp(page: Page, by: number) {
  await scrollBy(page, -by);
  const { row } = await view(page);
  expect(row).not.toBe('');
  const before = await restingPlaceOf(page, row);
  return {
    row,
    async stays() {
      await drawn(page);
      await drawn(page);
      // Between two frames rows may have got their height already and the view not yet its place.
      await expect
        .poll(async () => Math.abs(((await placeOf(page, row)) ?? Infinity) - before))
        .toBeLessThanOrEqual(1);
    },
  };
}

/** How states of the gallery look, where it can be measured: what belongs together stands together and is read. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useShop } from '../support/browser.js';
import { show } from '../support/gallery.js';

const { browser, service } = await useShop();

/** A state of the gallery, of which nothing moves. */
async function seen(state: string, width: number, dir: 'ltr' | 'rtl' = 'ltr') {
  const viewport = { width, height: { 320: 568, 390: 844 }[width] ?? 800 };
  const page = await browser.newPage({ viewport, reducedMotion: 'reduce' });
  await show(page, service.url, state, dir);
  return page;
}

/** What a style says of the first element. */
const style = (page: Page, selector: string, property: string) =>
  page
    .locator(`parley-chat ${selector}`)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

test('code among words is told from them by its ground, alone in its paragraph or in a list', async () => {
  const page = await seen('inline-code', 390);
  const ground = await style(page, 'code', 'background-color');
  expect(ground).toBe(await style(page, '.panel', 'background-color'));
  expect(ground).not.toBe(await style(page, '.theirs .bubble', 'background-color'));
  await page.close();
});

/** Where it stands on the screen. */
const edges = (page: Page, selector: string) =>
  page
    .locator(`parley-chat ${selector}`)
    .first()
    .evaluate((element) => {
      const { left, right, top, bottom, width } = element.getBoundingClientRect();
      return { left, right, top, bottom, width, middle: (left + right) / 2 };
    });

test('the small print of files is as quiet as the theme lets it be, and no quieter', async () => {
  for (const state of ['sounds-and-places', 'pictures-and-files', 'tray']) {
    const page = await seen(state, 390);
    const quiet = await page
      .locator('parley-chat :is(.named small, .heard)')
      .evaluateAll((all) =>
        all.map((element) => [
          getComputedStyle(element).opacity,
          element.closest('.theirs, .composer') && getComputedStyle(element).color,
        ]),
      );
    const muted = await style(page, '.tool', 'color');
    expect(quiet.length, state).toBeGreaterThan(0);
    for (const [opacity, color] of quiet) expect([opacity, color ?? muted], state).toEqual(['1', muted]);
    await page.close();
  }
});

test('a picture fills the bubble that its words have made wider', async () => {
  const page = await seen('pictures-and-files', 1280);
  const gaps = await page
    .locator('parley-chat .bubble:has(> .picture) > .picture:only-of-type')
    .evaluateAll((all) =>
      all.map((link) => {
        const bubble = link.parentElement?.getBoundingClientRect();
        const picture = link.querySelector('img')?.getBoundingClientRect();
        return [(picture?.left ?? 0) - (bubble?.left ?? 0), (bubble?.right ?? 0) - (picture?.right ?? 0)];
      }),
    );
  expect(gaps.length).toBeGreaterThan(0);
  for (const [before, after] of gaps) expect(before).toBeCloseTo(after ?? 0, 0);
  // Nor does it move what is below it by coming in another shape than was said.
  const heights = await page
    .locator('parley-chat .picture:only-of-type img')
    .first()
    .evaluate(async (picture: HTMLImageElement) => {
      const before = picture.offsetHeight;
      await new Promise((resolve) => {
        picture.onload = resolve;
        picture.src = '/parley.png';
      });
      return [before, picture.offsetHeight];
    });
  expect(heights[1]).toBe(heights[0]);
  await page.close();
});

test('behind a screen there is no accent that could shine through at its corners', async () => {
  const page = await seen('conversations', 1280);
  await expect.poll(() => style(page, '.header', 'background-color')).toBe('rgba(0, 0, 0, 0)');
  expect(await style(page, '.header', 'background-image')).toBe('none');
  await page.close();
});

test('where files are dropped nothing is seen of what is behind', async () => {
  const page = await seen('drop', 390);
  const [veil, panel] = [await edges(page, '.drop'), await edges(page, '.panel')];
  expect(veil).toEqual(panel);
  await page.close();
});

test('what is wrong with a box to tick stands with it, and not with what follows', async () => {
  const page = await seen('questions-problems', 390);
  const [box, wrong, next] = [
    await edges(page, '.checkbox input'),
    await edges(page, '.checkbox .wrong'),
    await edges(page, '.questions .go'),
  ];
  expect(wrong.top - box.bottom).toBeLessThan(next.top - wrong.bottom);
  await page.close();
});

test('a measure in a table stays on one line', async () => {
  const page = await seen('table', 390);
  const lines = await page.locator('parley-chat td[align]').evaluateAll((all) =>
    all.map((cell) => {
      const words = document.createRange();
      words.selectNodeContents(cell);
      return words.getClientRects().length;
    }),
  );
  expect(new Set(lines)).toEqual(new Set([1]));
  await page.close();
});

test('a long Latin name in a window from the right begins each of its lines at the right', async () => {
  const page = await seen('long-words', 390, 'rtl');
  const lines = await page
    .locator('parley-chat .author bdi')
    .first()
    .evaluate((name) => {
      const words = document.createRange();
      words.selectNodeContents(name);
      return [...words.getClientRects()].map(({ right }) => Math.round(right));
    });
  expect(lines.length).toBeGreaterThan(1);
  expect(new Set(lines).size).toBe(1);
  await page.close();
});

test('titles, welcome, words and rows of a window begin at one edge', async () => {
  const fresh = await seen('empty', 1280);
  expect((await edges(fresh, '.header h2')).left).toBeCloseTo((await edges(fresh, '.empty')).left, 0);
  await fresh.close();
  const list = await seen('conversations', 390);
  expect((await edges(list, '.bar h2')).left).toBeCloseTo((await edges(list, '.about')).left, 0);
  await list.close();
  const emoji = await seen('emoji', 320);
  const [search, field] = [await edges(emoji, '.emoji-head'), await edges(emoji, '.field')];
  expect([search.left, search.right]).toEqual([field.left, field.right]);
  await emoji.close();
});

test('what takes a file out of the tray stands above what sends', async () => {
  const page = await seen('tray', 390);
  expect((await edges(page, '.tray button')).middle).toBeCloseTo((await edges(page, '.send')).middle, 0);
  await page.close();
});

test('why words were refused ends where it is said that they were not delivered', async () => {
  const page = await seen('failed', 390);
  const lasts = await page.locator('parley-chat :is(.state.failed, .refused p)').evaluateAll((all) =>
    all.map((element) => {
      const words = document.createRange();
      words.selectNodeContents(element);
      return Math.round(words.getBoundingClientRect().right);
    }),
  );
  expect(lasts.length).toBe(2);
  expect(new Set(lasts).size).toBe(1);
  await page.close();
});

test('the hour that the team is back is not torn from its half of the day', async () => {
  const page = await seen('closed-hours', 320);
  expect(await page.locator('parley-chat .away').textContent()).toMatch(/\d:\d\d[\u00a0\u202f][AP]M/);
  await page.close();
});

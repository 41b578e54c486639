/**
 * The states of the gallery in a real browser: what axe objects to, which targets are too small, and which words
 * cannot be read. It does not know what the states are.
 */
import type { Browser, Page } from 'playwright-core';
import { objectionsNow, UNJUDGED } from './objections.js';

export interface Combination {
  state: string;
  scheme: 'light' | 'dark';
  dir: 'ltr' | 'rtl';
  width: number;
}

const HEIGHTS: Record<number, number> = { 320: 568, 390: 844, 1280: 800 };
export const schemes = ['light', 'dark'] as const;
export const directions = ['ltr', 'rtl'] as const;
export const widths = [320, 390, 1280];

/** Each state at least once, and the rest of `count` spread over all of them. */
export const spread = (states: readonly string[], count: number): Combination[] =>
  Array.from({ length: Math.max(count, states.length) }, (_, i) => ({
    state: states[i % states.length] ?? '',
    scheme: schemes[i % 2] ?? 'light',
    dir: directions[(i >> 1) % 2] ?? 'ltr',
    width: widths[i % 3] ?? 390,
  }));

export const every = (states: readonly string[]): Combination[] =>
  states.flatMap((state) =>
    schemes.flatMap((scheme) =>
      directions.flatMap((dir) => widths.map((width) => ({ state, scheme, dir, width }))),
    ),
  );

export async function statesOf(browser: Browser, url: string): Promise<string[]> {
  const page = await browser.newPage();
  await page.goto(`${url}/gallery`);
  const names = await page
    .locator('[data-state]')
    .evaluateAll((items) => items.map((item) => item.getAttribute('data-state') ?? ''));
  await page.close();
  return names;
}

export async function show(page: Page, url: string, state: string, dir: string): Promise<void> {
  await page.goto(`${url}/gallery-state?state=${state}&dir=${dir}`);
  // Ten thousand messages take a busy machine more than the half minute that a driver gives.
  await page.locator(`html[data-ready="${state}"]`).waitFor({ timeout: 120_000 });
}

/** The phone's window is as high as the page was last told, and it is told before its next frame. */
export async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.evaluate(() => new Promise(requestAnimationFrame));
}

/** Where axe could not tell the contrast of anything in the window. */
export const unjudged: string[] = [];

/** What axe finds in the state that a page shows already, seen as the combination says. In words. */
export async function objectionsHere(
  page: Page,
  { state, scheme, dir, width }: Combination,
): Promise<string[]> {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  await resize(page, width, HEIGHTS[width] ?? 800);
  const all = (await objectionsNow(page)).map((words) => ({
    words,
    where: `${state}, ${scheme}, ${dir}, ${width} px`,
  }));
  unjudged.push(...all.flatMap(({ words, where }) => (words === UNJUDGED ? where : [])));
  return all.flatMap(({ words, where }) => (words === UNJUDGED ? [] : `${where}: ${words}`));
}

/** Works the list off on two pages at once. */
export async function shared<Item>(
  browser: Browser,
  items: readonly Item[],
  work: (page: Page, item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items];
  const worker = async () => {
    const page = await browser.newPage({ reducedMotion: 'reduce' });
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(page, next);
    await page.close();
  };
  await Promise.all([worker(), worker()]);
}

/** WCAG 1.4.12: what a reader may ask for. Taken back once the work is done. */
export async function spacedOut(page: Page, work: () => Promise<unknown>): Promise<void> {
  await page.evaluate(() => {
    const root = document.querySelector('parley-chat')?.shadowRoot;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }',
    );
    root?.adoptedStyleSheets.push(sheet);
  });
  await work();
  await page.evaluate(() => {
    document.querySelector('parley-chat')?.shadowRoot?.adoptedStyleSheets.pop();
  });
}

/** WCAG 1.4.4, as a browser does that enlarges text alone. */
export const doubleText = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const elements = [
      ...(document.querySelector('parley-chat')?.shadowRoot?.querySelectorAll<HTMLElement>('*') ?? []),
    ];
    const sizes = elements.map((element) => Number.parseFloat(getComputedStyle(element).fontSize));
    elements.forEach((element, i) => {
      element.style?.setProperty('font-size', `${2 * (sizes[i] ?? 16)}px`, 'important');
    });
  });

/** Words that stand outside of the window, or are cut off by a box that cannot be scrolled; and what is too wide. */
export const unreadable = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const root = document.querySelector('parley-chat')?.shadowRoot;
    const found = new Set<string>();
    const named = (element: Element) => `${element.localName}.${element.className}`;
    if (!root) return ['There is no chat.'];
    if (document.documentElement.scrollWidth > innerWidth) found.add('the page is wider than the screen');
    for (const element of root.querySelectorAll<HTMLElement>(
      '.panel, .transcript, .page, .composer, .questions, .menu',
    )) {
      if (element.clientWidth && element.scrollWidth > element.clientWidth + 1) {
        const edge = element.getBoundingClientRect();
        const beyond = [...element.querySelectorAll('*')].filter((inner) => {
          const { left, right } = inner.getBoundingClientRect();
          return left < edge.left - 1 || right > edge.right + 1;
        });
        const names = beyond.map(named).join(', ');
        found.add(`${named(element)} is ${element.scrollWidth} wide in ${element.clientWidth}: ${names}`);
      }
    }
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      // Said only, or the covered thread; meant to be a beginning; drawings.
      if (!node.textContent?.trim() || !parent || parent.closest('.sr, style, option, [inert]')) continue;
      if (parent.closest('.last, .emoji-tones span, .preview span, .avatar, .emoji td')) continue;
      if (!parent.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })) continue;
      const floats = getComputedStyle(parent).position === 'absolute';
      range.selectNodeContents(node);
      for (const { left, right, top, bottom, width } of range.getClientRects()) {
        if (!width) continue;
        let [across, down] = [true, true];
        const cut = (how: string, box: Element) =>
          found.add(`"${node.textContent?.slice(0, 40)}" is cut ${how} by ${named(box)}`);
        for (let box: Element | null = parent; box && (across || down); box = box.parentElement) {
          const { overflowX, overflowY } = getComputedStyle(box);
          const edge = box.getBoundingClientRect();
          const holds = (value: string) =>
            /hidden|clip/.test(value) || (box?.localName === 'button' && !floats);
          if (across && holds(overflowX) && (left < edge.left - 2 || right > edge.right + 2))
            cut('across', box);
          if (down && holds(overflowY) && (top < edge.top - 3 || bottom > edge.bottom + 3)) cut('down', box);
          if (/auto|scroll/.test(overflowX)) across = false;
          if (/auto|scroll/.test(overflowY)) down = false;
          if (box.localName === 'dialog') break;
        }
        if (across && (left < -2 || right > innerWidth + 2))
          found.add(`"${node.textContent.slice(0, 40)}" stands outside`);
      }
    }
    return [...found];
  });

const MAIN =
  '.launcher, .menu-button, .close, .back, .send, .tool, .go, .menu button, .tall, button.choice, .action, .lightbox button, .line-button, .composer textarea, .entry :is(select, textarea, [type=text], [type=email], [type=tel]), .faces label, .quote';

/** Targets below 44 px among the main controls, and below 24 px among the rest, where nothing keeps their distance. */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate((main) => {
    const root = document.querySelector('parley-chat')?.shadowRoot;
    const all = [
      ...(root?.querySelectorAll<HTMLElement>('button, a[href], input, select, textarea, label') ?? []),
    ].filter(
      (element) =>
        !element.matches('.sr, [type=file]') &&
        (element.localName !== 'label' || element.matches('.faces label')) &&
        !element.closest('[inert]') &&
        element.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true }),
    );
    const boxes = all.map((element) => element.getBoundingClientRect());
    const centre = ({ x, y, width, height }: DOMRect) => [x + width / 2, y + height / 2] as const;
    return all.flatMap((element, i) => {
      const box = boxes[i];
      if (!box?.width) return [];
      const least = Math.round(Math.min(box.width, box.height) * 10) / 10;
      const said = `${element.localName}.${element.className} "${element.ariaLabel ?? element.textContent?.slice(0, 30)}": ${least} px`;
      if (element.matches(main)) return least < 44 && !element.closest('.faces') ? [said] : [];
      // A link within a sentence is as high as its line.
      if (least >= 24 || (element.localName === 'a' && getComputedStyle(element).display === 'inline'))
        return [];
      const [x, y] = centre(box);
      const crowded = boxes.some((other, j) => {
        if (i === j) return false;
        const dx = Math.max(other.left - x, 0, x - other.right);
        const dy = Math.max(other.top - y, 0, y - other.bottom);
        return Math.hypot(dx, dy) < 12;
      });
      return crowded ? [said] : [];
    });
  }, MAIN);

/**
 * The same phone in each engine, 390 by 844: the window fills the screen and stays above the keyboard, the way back takes
 * it before the page, and the page behind stays where it was. The visual viewport is one that the page sets.
 */
import { expect, inject, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import { agent, hostPage } from '../support/browser.js';
import { faultsHead, useEngineTab } from '../support/engine-tab.js';

declare global {
  interface Window {
    /** As a keyboard does that comes, goes, or pushes the page up. */
    testKeyboard?: (height: number, offsetTop?: number) => void;
  }
}

const PHONE = { width: 390, height: 844 };

const here = useEngineTab(PHONE);

const head = `${faultsHead}<script>
  const view = Object.assign(new EventTarget(), { height: innerHeight, width: innerWidth, offsetTop: 0, offsetLeft: 0, scale: 1 });
  Object.defineProperty(window, 'visualViewport', { get: () => view });
  testKeyboard = (height, offsetTop = 0) => {
    Object.assign(view, { height, offsetTop });
    view.dispatchEvent(new Event('resize'));
    view.dispatchEvent(new Event('scroll'));
  };
</script>`;

async function goTo(name: string): Promise<void> {
  const html = hostPage(here.service.url, {
    head,
    body: `<main><h1>A shop</h1>${'<p>Much to read.</p>'.repeat(120)}</main>`,
  });
  await here.tab.goto(here.service.url + (await here.service.page(`phone-${name}`, html)));
}

/** Where the parts of the window stand on the screen, in whole pixels. */
const look = () =>
  here.tab.eval(() => {
    const root = document.querySelector('parley-chat')?.shadowRoot;
    const box = (selector: string) => root?.querySelector(selector)?.getBoundingClientRect();
    const [panel, header, composer] = [box('dialog'), box('.header'), box('.composer')];
    const field = root?.querySelector('textarea');
    return {
      panel: [panel?.left, panel?.top, panel?.right, panel?.bottom].map((edge) => Math.round(edge ?? -1)),
      headerTop: Math.round(header?.top ?? -1),
      composerBottom: Math.round(composer?.bottom ?? -1),
      /** A smaller one makes an iPhone zoom in. */
      letters: field ? Number.parseFloat(getComputedStyle(field).fontSize) : 0,
      focused: root?.activeElement?.ariaLabel ?? '',
      modal: root?.querySelector('dialog')?.matches(':modal') ?? false,
    };
  });
const isOpen = async () => (await here.tab.texts('dialog', en.window)).length > 0;
async function open(): Promise<void> {
  await here.tab.click('button', /^Open chat/);
  // The window itself: what catches the first keys has the composer's name, too.
  await expect.poll(isOpen).toBe(true);
  await expect.poll(async () => (await look()).focused).toBe(en.message);
}

test('the window fills the screen, and what the keyboard leaves of it', async () => {
  await goTo('keyboard');
  await open();
  // Firefox for Linux has a scrollbar that takes room.
  const screen = await here.tab.eval(() => [document.documentElement.clientWidth, innerHeight] as const);
  const [width, height] = screen;
  // WebKit's own window is a little wider, and its page a little lower.
  expect(width).toBeLessThanOrEqual(inject('engine') === 'webkit' ? 479 : PHONE.width);
  // It rises to its place.
  await expect.poll(look).toMatchObject({
    panel: [0, 0, width, height],
    headerTop: 0,
    composerBottom: height,
    modal: true,
  });
  expect((await look()).letters).toBeGreaterThanOrEqual(16);
  const keyboard = async (top: number, bottom: number) => {
    await here.tab.eval((view, offsetTop) => window.testKeyboard?.(view, offsetTop), bottom - top, top);
    await expect.poll(look).toMatchObject({ headerTop: top, composerBottom: bottom });
  };
  await keyboard(0, height - 320);
  // As an iPhone does, which pushes the page up as well.
  await keyboard(180, height - 140);
  await here.tab.type('From above the keyboard');
  await here.tab.press('Enter');
  const conversation = await agent(here.service).conversationOf('From above the keyboard');
  await agent(here.service).answer(conversation, 'Good to hear');
  // What is new stands above the composer, and the keyboard stays.
  await expect
    .poll(() =>
      here.tab.eval(() => {
        const root = document.querySelector('parley-chat')?.shadowRoot;
        const last = [...(root?.querySelectorAll('.bubble') ?? [])].at(-1);
        const end = root?.querySelector('.composer')?.getBoundingClientRect().top ?? 0;
        const { top = 0, bottom = 0 } = last?.getBoundingClientRect() ?? {};
        return last?.textContent?.includes('Good to hear') && top > 0 && bottom <= end + 1;
      }),
    )
    .toBe(true);
  expect((await look()).focused).toBe(en.message);
  await keyboard(0, height);
});

test('the way back takes the window before the page, which is where it was', async () => {
  await goTo('before');
  await goTo('back');
  await here.tab.eval(() => scrollTo(0, 700));
  await open();
  // The page behind has nothing of a finger that drags in the window.
  expect(await here.tab.eval(() => scrollY)).toBe(700);
  // After the answer: the way back may end the page that would give it.
  const back = () => here.tab.eval(() => void setTimeout(() => history.back()));
  await back();
  await expect.poll(isOpen).toBe(false);
  await expect.poll(async () => (await look()).focused).toBe(en.openChat);
  expect(await here.tab.eval(() => [location.pathname.includes('phone-back'), scrollY])).toEqual([true, 700]);
  // Closed by its button, it leaves nothing to go back through.
  await open();
  await here.tab.eval(() => {
    const root = document.querySelector('parley-chat')?.shadowRoot;
    root?.querySelector<HTMLElement>('dialog .close')?.click();
  });
  await expect.poll(isOpen).toBe(false);
  await expect.poll(() => here.tab.eval(() => history.state)).toBe(null);
  await back();
  await expect.poll(() => here.tab.eval(() => location.pathname.includes('phone-before'))).toBe(true);
});

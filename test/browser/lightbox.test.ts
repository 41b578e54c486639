/** A picture that lies over everything, and what goes on around it meanwhile. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import ar from '../../src/text/locales/ar.js';
import { openTagged, pick, say } from '../support/around.js';
import { agent, chat, useShop } from '../support/browser.js';
import { png } from '../support/media.js';
import { inside } from '../support/talk.js';

declare global {
  interface Window {
    testHeld?: boolean[];
  }
}

const { browser, service } = await useShop({ whole: true });
const lightboxOf = (page: Page) => page.locator('parley-chat dialog.lightbox');

/** A visitor before a picture that they have opened. */
async function look(name: string, attributes = '', body = '', options: BrowserContextOptions = {}) {
  const shop = await openTagged(browser, service, name, attributes, options, body ? { body } : {});
  const { page } = shop;
  if (!attributes) await chat(page).open();
  else await page.evaluate(() => window.parley?.open());
  const conversation = await say(service, page, `A picture for ${name}, please`);
  const form = new FormData();
  form.append('content', `Here it is, ${name}`);
  form.append('attachments[]', new File([png(640, 400, [40, 120, 220])], 'sea.png'));
  await agent(service).tell(conversation, form);
  const opener = inside(page, `Here it is, ${name}`).getByRole('link', { name: 'sea.png' });
  // Before what draws pictures is there, it is a link to the file.
  await opener.getByRole('img').waitFor();
  await opener.click();
  await lightboxOf(page).waitFor();
  return { ...shop, conversation };
}

test.each([
  ['over the page', 'over', '', ''],
  [
    'in a place of the page',
    'placed',
    'data-inside="#chat"',
    '<div id="chat" style="height: 600px; width: 400px"></div>',
  ],
])(
  'a chat %s that is taken away takes its picture with it, and leaves nobody listening',
  async (...given) => {
    const [, name, attributes, body] = given;
    const { page, errors, close } = await look(name, attributes, body);
    await page.evaluate(() => window.parley?.destroy());
    await lightboxOf(page).waitFor({ state: 'detached' });
    const cdp = await page.context().newCDPSession(page);
    const { result } = await cdp.send('Runtime.evaluate', { expression: 'document' });
    if (!result.objectId) throw new Error('there is no document');
    const { objectId } = result;
    // The test itself listens to one; what has drawn takes its own away after the next frame.
    await expect
      .poll(async () => {
        const { listeners } = await cdp.send('DOMDebugger.getEventListeners', { objectId });
        return listeners.map(({ type }) => type);
      })
      .toEqual(['securitypolicyviolation']);
    // What the browser tells later is told by now.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    expect(errors).toEqual([]);
    await close();
  },
);

test('a file that is dropped on a picture is not opened by the browser in place of the page', async () => {
  const { page, close } = await look('dropped');
  const refused = await lightboxOf(page)
    .getByRole('img')
    .evaluate((picture) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'x.txt', { type: 'text/plain' }));
      const over = new DragEvent('dragover', {
        bubbles: true,
        composed: true,
        cancelable: true,
        dataTransfer,
      });
      return !picture.dispatchEvent(over);
    });
  expect(refused).toBe(true);
  await close();
});

test('what is said while a picture lies over it has not been seen', async () => {
  const { page, conversation, close } = await look('unseen');
  const seenAt = async () => {
    const [row] = await service.db.query<{ at: string | null }>(
      'select contact_last_seen_at::text as at from conversations where display_id = $1',
      [conversation],
    );
    return row?.at;
  };
  const statusOf = async (words: string) => {
    const [row] = await service.db.query<{ status: string }>(
      'select status from messages where content = $1',
      [words],
    );
    return row?.status;
  };
  // That the message with the picture was seen may reach the service after the picture was opened.
  await expect.poll(() => statusOf('Here it is, unseen')).toBe('read');
  const before = await seenAt();
  await agent(service).answer(conversation, 'And this is how it hangs');
  await inside(page, 'And this is how it hangs').waitFor({ state: 'attached' });
  await expect.poll(() => page.evaluate(() => window.parley?.unread())).toBe(1);
  expect(await seenAt()).toBe(before);
  await page.keyboard.press('Escape');
  await lightboxOf(page).waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate(() => window.parley?.unread())).toBe(0);
  await expect.poll(seenAt).not.toBe(before);
  await close();
});

test('a picture that was looked at and is deleted later closes nothing that lies over the chat by then', async () => {
  const { page, conversation, close } = await look('deleted');
  await page.keyboard.press('Escape');
  await lightboxOf(page).waitFor({ state: 'detached' });
  await pick(page, 'What we keep');
  const heading = chat(page).window.getByRole('heading', { name: 'What we keep' });
  await heading.waitFor();
  const [told] = await service.db.query<{ id: number }>('select id from messages where content = $1', [
    'Here it is, deleted',
  ]);
  const path = `/api/v1/accounts/1/conversations/${conversation}/messages/${told?.id}`;
  expect((await service.agent('DELETE', path)).status).toBe(200);
  await page.locator('parley-chat .picture').waitFor({ state: 'detached' });
  // What has drawn it puts away what it had some frames later.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 5; frame += 1)
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  });
  await page.keyboard.press('Escape');
  await heading.waitFor({ state: 'detached' });
  expect(await page.evaluate(() => window.parley?.status().open)).toBe(true);
  await close();
});

test('beside the notch of a phone on its side what is done with a picture can be seen and reached', async () => {
  const { page, close } = await look('notch');
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setSafeAreaInsetsOverride', { insets: { left: 59, right: 59 } });
  await page.setViewportSize({ width: 844, height: 390 });
  const edges = async (part: Locator) => {
    const box = await part.boundingBox();
    return [box?.x ?? 0, (box?.x ?? 0) + (box?.width ?? 0)];
  };
  const leave = lightboxOf(page).getByRole('button', { name: en.closePicture });
  await expect.poll(async () => (await edges(leave))[1]).toBeLessThanOrEqual(844 - 59);
  expect((await edges(lightboxOf(page).getByText('sea.png')))[0]).toBeGreaterThanOrEqual(59);
  await close();
});

test('what has become of the line while a picture lies over it is told once the picture has gone', async () => {
  const { page, close } = await look('line');
  await page.context().setOffline(true);
  const status = page.locator('parley-chat [part=status] p');
  await status.filter({ hasText: en.offline }).waitFor({ state: 'attached' });
  const under = await status.elementHandle();
  await page.keyboard.press('Escape');
  await lightboxOf(page).waitFor({ state: 'detached' });
  // Anew: of what stood there already nobody is told.
  await expect.poll(() => under?.evaluate((words) => words.isConnected)).toBe(false);
  await status.filter({ hasText: en.offline }).waitFor();
  await close();
});

/** What of the chat has the focus. */
const focusedIn = (page: Page) =>
  page.evaluate(() => document.querySelector('parley-chat')?.shadowRoot?.activeElement?.className);

/** A second picture, in a message of its own, which is shown by a press. */
async function two(name: string) {
  const shop = await look(name);
  const { page, conversation } = shop;
  const form = new FormData();
  form.append('content', `Another, ${name}`);
  form.append('attachments[]', new File([png(400, 640, [220, 120, 40])], 'hill.png'));
  await agent(service).tell(conversation, form);
  const picture = lightboxOf(page).getByRole('img');
  // It came while the first was looked at, and is beside it all the same.
  await lightboxOf(page).getByRole('button', { name: en.nextPicture }).click();
  await expect.poll(() => picture.getAttribute('alt')).toBe('hill.png');
  const takeBack = async (words: string) => {
    const [told] = await service.db.query<{ id: number }>('select id from messages where content = $1', [
      words,
    ]);
    const path = `/api/v1/accounts/1/conversations/${conversation}/messages/${told?.id}`;
    expect((await service.agent('DELETE', path)).status).toBe(200);
    await expect.poll(() => page.locator('parley-chat .thread').getByText(words).count()).toBe(0);
  };
  return { ...shop, picture, takeBack };
}

test('a picture that is taken back while it is looked at goes, and the conversation has the focus', async () => {
  const { page, takeBack, close } = await two('taken back');
  await takeBack('Another, taken back');
  await lightboxOf(page).waitFor({ state: 'detached' });
  // What it was opened from is there.
  await expect.poll(() => focusedIn(page)).toBe('picture');
  await close();
});

test('a picture stays though the one it was reached from is taken back', async () => {
  const { page, picture, takeBack, close } = await two('beside');
  await takeBack('Here it is, beside');
  await expect.poll(() => lightboxOf(page).getByRole('button', { name: en.nextPicture }).count()).toBe(0);
  expect(await picture.getAttribute('alt')).toBe('hill.png');
  await page.keyboard.press('Escape');
  await lightboxOf(page).waitFor({ state: 'detached' });
  await expect.poll(() => focusedIn(page)).toBe('transcript');
  await close();
});

test('a picture that lies over everything speaks the language that the page goes over to', async () => {
  const { page, close } = await look('language');
  await page.evaluate(() => window.parley?.setLocale('ar'));
  await lightboxOf(page).getByRole('button', { name: ar.closePicture }).waitFor();
  expect(await lightboxOf(page).evaluate(({ lang, dir }: HTMLElement) => [lang, dir])).toEqual(['ar', 'rtl']);
  await close();
});

test('a wheel or a finger on a picture does not move the page behind it', async () => {
  const { page, errors, close } = await look('still', '', '<div style="height: 4000px">A long page</div>');
  // Some engines would; what they are told not to do none does.
  await page.evaluate(() => {
    window.testHeld = [];
    window.addEventListener(
      'wheel',
      (event) => void setTimeout(() => window.testHeld?.push(event.defaultPrevented)),
      { capture: true, passive: true },
    );
  });
  const held = () => page.evaluate(() => window.testHeld);
  const picture = lightboxOf(page).getByRole('img');
  await picture.hover();
  await page.mouse.wheel(0, 300);
  await expect.poll(held).toEqual([true]);
  await picture.click();
  await lightboxOf(page).locator('.zoomed').waitFor();
  await page.setViewportSize({ width: 400, height: 300 });
  await picture.hover();
  await page.mouse.wheel(0, 40);
  await expect.poll(held).toEqual([true, false]);
  // Where it is wider than the screen, and no higher, it goes to the side.
  await page.setViewportSize({ width: 400, height: 900 });
  await picture.hover();
  await page.mouse.wheel(40, 0);
  await expect.poll(held).toEqual([true, false, false]);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  expect(errors).toEqual([]);
  await close();
});

test('a finger turns to the next picture and closes it; two fingers, an enlarged picture and a mouse do not', async () => {
  const { page, conversation, errors, close } = await look('swiped', '', '', { hasTouch: true });
  const form = new FormData();
  form.append('content', 'And the lake, swiped');
  form.append('attachments[]', new File([png(640, 400, [20, 160, 90])], 'lake.png'));
  await agent(service).tell(conversation, form);
  const title = lightboxOf(page).locator('.tools p');
  await expect.poll(() => title.textContent()).toContain('1 of 2');
  const cdp = await page.context().newCDPSession(page);
  const drag = async (x: number, y: number, ...others: { x: number; y: number }[]) => {
    const box = await lightboxOf(page).locator('.view').boundingBox();
    if (!box) throw new Error('there is no picture');
    const middle = { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', part = 0) =>
      cdp.send('Input.dispatchTouchEvent', {
        type,
        touchPoints:
          type === 'touchEnd'
            ? []
            : [{ x: middle.x + x * part, y: middle.y + y * part }, ...others].map((one, id) => ({
                ...one,
                id,
              })),
      });
    await touch('touchStart');
    for (const part of [0.25, 0.5, 0.75, 1]) await touch('touchMove', part);
    await touch('touchEnd');
  };
  /** What is shown once the page has drawn what came of it. */
  const shown = async () => {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    return title.locator('bdi').textContent();
  };
  await drag(-120, 20);
  expect(await shown()).toBe('lake.png');
  await drag(120, -20);
  expect(await shown()).toBe('sea.png');
  // Too short, more upwards than to the side, and up.
  await drag(-45, 0);
  await drag(-60, -90);
  await drag(0, -160);
  await drag(0, 70);
  expect(await shown()).toBe('sea.png');
  await page.evaluate(() =>
    addEventListener(
      'touchmove',
      // It goes no further than the picture: what became of it is known afterwards.
      (event) =>
        setTimeout(() => {
          document.documentElement.dataset.still = `${event.defaultPrevented}`;
        }),
      true,
    ),
  );
  const still = () => page.evaluate(() => document.documentElement.dataset.still);
  await drag(0, 70);
  await expect.poll(still).toBe('true');
  // Two fingers enlarge the page, and one goes about in it then.
  await drag(-120, 0, { x: 40, y: 200 });
  await page.evaluate(() => Object.defineProperty(visualViewport, 'scale', { configurable: true, value: 2 }));
  await drag(-120, 0);
  await drag(0, 160);
  await expect.poll(still).toBe('false');
  await page.evaluate(() => Object.defineProperty(visualViewport, 'scale', { configurable: true, value: 1 }));
  expect(await shown()).toBe('sea.png');
  const picture = lightboxOf(page).getByRole('img');
  await picture.click();
  await lightboxOf(page).locator('.zoomed').waitFor();
  await drag(-120, 0);
  await drag(0, 160);
  expect(await shown()).toBe('sea.png');
  await picture.click();
  await lightboxOf(page).locator('.zoomed').waitFor({ state: 'detached' });
  await picture.hover();
  const box = await picture.boundingBox();
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 100, { steps: 4 });
  await page.mouse.up();
  expect(await shown()).toBe('sea.png');
  await page.evaluate(() => window.parley?.setLocale('ar'));
  await lightboxOf(page).getByRole('button', { name: ar.closePicture }).waitFor();
  await drag(120, 0);
  expect(await shown()).toBe('lake.png');
  await drag(0, 160);
  await lightboxOf(page).waitFor({ state: 'detached' });
  expect(errors).toEqual([]);
  await close();
});

/**
 * The playground: each option's control changes the tag, the program and the framed page; a link carries all of it; the
 * numbers of the contrast are the theme's; and the policy it prints is enough for the chat, and none of it is too much.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ratioOf } from '../../demo/playground/model/contrast.js';
import { optionsTable } from '../../src/options-table.js';
import { type Token, theme } from '../../src/theme/theme.js';
import { agent, chat, openShop, useShop } from '../support/browser.js';
import { startFaultProxy } from '../support/fault-proxy.js';
import { png, wav } from '../support/media.js';
import { objections } from '../support/objections.js';

const slowMs = 30_000;

const { browser, service } = await useShop();

const frame = (page: Page) => page.frameLocator('iframe');
const code = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).innerText();
const control = (page: Page, option: string) => page.locator(`[data-option="${option}"]`);
const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();

async function openAll(page: Page) {
  const closed = page.locator('details:not([open]) > summary');
  while (await closed.count()) await closed.first().click();
}

/** As a person would: picks what can be picked, and types the rest. */
async function set(page: Page, option: string, value: string) {
  const place = control(page, option);
  const field = place.locator('select, input[type=checkbox], input[type=text], textarea').first();
  const kind = await field.evaluate((element) =>
    element instanceof HTMLInputElement ? element.type : element.localName,
  );
  if (kind === 'select') await field.selectOption(value);
  else if (kind === 'checkbox') await field.setChecked(value === 'true');
  else await field.fill(value);
}

/** The attributes of the tag in the framed page. */
const shown = (page: Page) =>
  frame(page)
    .locator('script[data-inbox-identifier]')
    .evaluate((tag) =>
      Object.fromEntries(
        [...tag.attributes].map(({ name, value }) => [name, name === 'nonce' ? 'r4nd0m' : value]),
      ),
    );

test('every option has a control that changes the tag, the program, the framed page and the link', async () => {
  const shop = await openShop(browser, `${service.url}/playground`);
  const { page } = shop;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await chat(frame(page)).launcher.waitFor({ timeout: slowMs });
  await openAll(page);
  expect(await page.locator('[data-option]').count()).toBe(optionsTable.length);

  // A second address of the same service, so that nothing leaves this machine.
  const examples: Record<string, string> = { baseUrl: service.url.replace('127.0.0.1', 'localhost') };
  const wanted: Record<string, string> = {};
  for (const { name, attribute, example } of optionsTable) {
    const value = examples[name] ?? example;
    await set(page, name, value);
    wanted[name === 'nonce' ? 'nonce' : attribute] = value;
    // As it stands in HTML.
    const written = `${name === 'nonce' ? 'nonce' : attribute}="${value.replaceAll('"', '&quot;')}"`;
    expect(await code(page, 'The tag'), name).toContain(written);
  }
  expect(await page.locator('[aria-invalid]').count()).toBe(0);
  await expect.poll(() => shown(page), { timeout: slowMs }).toMatchObject(wanted);

  // The program says the same, each value as what it is.
  await tab(page, 'npm');
  const program = await code(page, 'The program');
  expect(program).toMatch(/^import \{ mount \} from 'parley';\n\nconst chat = mount\(\{\n/);
  const said = await page.evaluate(
    (source) => {
      const made: unknown = new Function(`return ${source}`)();
      return made;
    },
    program.slice(program.indexOf('({') + 1, program.lastIndexOf('}') + 1),
  );
  const typed = Object.fromEntries(
    optionsTable.map(({ name, kind, example }) => {
      const value = examples[name] ?? example;
      const isText = !/^(flag|pixels|whole|count|megabytes|minutes|seconds|fields|sentences)$/.test(kind);
      return [name, isText ? value : JSON.parse(value)];
    }),
  );
  expect(said).toEqual(typed);

  // The link brings somebody else to the same.
  await tab(page, 'Tag');
  const tag = await code(page, 'The tag');
  await page.getByRole('button', { name: 'Copy the link' }).click();
  await page.getByRole('banner').getByText('Copied').waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(await page.evaluate(() => location.href));
  await page.getByRole('button', { name: 'Copy The tag' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(tag);
  const other = await openShop(browser, link);
  expect(await code(other.page, 'The tag')).toBe(tag);
  await other.close();

  // And back: what is as it would be anyway is not written.
  await page.getByRole('button', { name: 'Start over' }).click();
  expect((await code(page, 'The tag')).match(/data-[\w-]+/g)).toEqual([
    'data-base-url',
    'data-inbox-identifier',
  ]);
  await expect.poll(() => page.evaluate(() => location.hash)).toBe('');
  await set(page, 'position', 'top-start');
  await set(page, 'position', 'bottom-end');
  expect(await code(page, 'The tag')).not.toContain('data-position');
  expect(shop.errors).toEqual([]);
  await shop.close();
});

test('what is typed stays as it is typed, also on its way through what holds anyway', async () => {
  const shop = await openShop(browser, `${service.url}/playground`);
  const { page } = shop;
  await openAll(page);
  const tag = () => code(page, 'The tag');
  for (const [option, standard, attribute] of [
    ['offsetX', '20', 'data-offset-x'],
    ['accent', '#3a4fd8', 'data-accent'],
  ] as const) {
    const field = control(page, option).locator('input[type=text]');
    await field.pressSequentially(`${standard}0`);
    expect(await field.inputValue()).toBe(`${standard}0`);
    expect(await tag()).toContain(`${attribute}="${standard}0"`);
    await field.press('Backspace');
    expect(await field.inputValue()).toBe(standard);
    // And what is as it would be anyway is not written.
    expect(await tag()).not.toContain(attribute);
    await expect.poll(() => page.evaluate(() => location.hash)).toBe('');
  }
  expect(await page.locator('summary', { hasText: 'Looks' }).innerText()).not.toContain('set');
  await shop.close();
});

test('the link says what stands there now, also what was emptied, and where the address may not follow', async () => {
  const shop = await openShop(browser, `${service.url}/playground#baseUrl=&title=Ask+us`);
  const { page } = shop;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openAll(page);
  expect(await code(page, 'The tag')).not.toContain('data-base-url');
  // As browsers refuse it to who asks too often.
  await page.evaluate(() => {
    history.replaceState = () => {
      throw new DOMException('Attempt to use history.replaceState() more than 100 times', 'SecurityError');
    };
  });
  await set(page, 'inboxIdentifier', '');
  await set(page, 'title', 'Ask Amina');
  await page.getByRole('button', { name: 'Copy the link' }).click();
  await page.getByRole('banner').getByText('Copied').waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await openShop(browser, link);
  expect(await code(other.page, 'The tag')).toBe(await code(page, 'The tag'));
  expect((await code(other.page, 'The tag')).match(/data-[^>]*/)?.[0]).toBe('data-title="Ask Amina"');
  await other.close();
  expect(shop.errors).toEqual([]);
  await shop.close();
});

test('what is set is seen: by day and night, on a phone and a desk; what is wrong is told', async () => {
  const shop = await openShop(browser, `${service.url}/playground#accent=%230b6e4f&title=Ask+the+shop`);
  const { page } = shop;
  const { launcher, window } = chat(frame(page));
  await launcher.waitFor({ timeout: slowMs });
  const colour = () => launcher.evaluate((button) => getComputedStyle(button).backgroundColor);
  await expect.poll(colour, { timeout: slowMs }).toBe('rgb(11, 110, 79)');
  await page.getByRole('button', { name: 'Open or close' }).click();
  await frame(page).getByText('Ask the shop').waitFor({ timeout: slowMs });
  const width = () =>
    frame(page)
      .locator('html')
      .evaluate(() => innerWidth);
  expect(await width()).toBe(390);
  await page.getByRole('radio', { name: 'Desktop' }).check();
  await expect.poll(width).toBe(1180);
  // It stays open while its looks change.
  await openAll(page);
  await set(page, 'title', 'Ask Amina');
  await frame(page).getByText('Ask Amina').waitFor({ timeout: slowMs });
  await set(page, 'accent', 'gold');
  await expect.poll(colour, { timeout: slowMs }).toBe('rgb(255, 215, 0)');
  expect(await window.count()).toBe(1);

  // What a browser takes for a colour, the chat need not.
  for (const accent of ['oklch(0.5 0.1 20)', 'transparent']) {
    await set(page, 'accent', accent);
    await control(page, 'accent').getByText('Data-accent must be a colour without transparency').waitFor();
    expect(await control(page, 'accent').getByText('the chat keeps its own accent').count()).toBe(1);
  }
  await set(page, 'accent', 'gold');
  await set(page, 'offsetX', 'far');
  await control(page, 'offsetX').getByText('Data-offset-x must be a number of pixels, like "20".').waitFor();
  expect(await control(page, 'offsetX').locator('[aria-invalid=true]').count()).toBe(1);
  await set(page, 'baseUrl', 'nowhere');
  await control(page, 'baseUrl').locator('strong').waitFor();
  await page.getByText('2 options are not obeyed').waitFor();
  await shop.close();
});

test('the framed phone is as large as there is room for, and so is the framed desk', async () => {
  const shop = await openShop(browser, `${service.url}/playground`);
  const { page } = shop;
  const device = page.locator('.device');
  const box = async () => {
    const found = await device.boundingBox();
    if (!found) throw new Error('the framed page is not there');
    return found;
  };
  for (const [width, least] of [
    [1100, 300],
    [1280, 300],
    [1920, 300],
    [390, 280],
    [320, 250],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    // It is measured anew after the page has been laid out.
    await expect
      .poll(
        async () => {
          const { x, width: wide, height } = await box();
          return [wide >= least, Math.abs(wide / height - 390 / 760) < 0.01, x + wide <= width];
        },
        { message: `${width} px` },
      )
      .toEqual([true, true, true]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.mouse.wheel(0, 400);
  for (const place of [device, page.locator('.take')]) {
    await expect
      .poll(async () => {
        const found = await place.boundingBox();
        return !!found && found.y >= 0 && found.y + found.height <= 800;
      })
      .toBe(true);
  }
  await page.getByRole('radio', { name: 'Desktop' }).check();
  await expect
    .poll(async () => {
      const { width, height } = await box();
      return width > 400 && Math.abs(width / height - 1180 / 760) < 0.02;
    })
    .toBe(true);
  await shop.close();
});

test('the contrasts it shows are those of the theme, and enough', async () => {
  const shop = await openShop(browser, `${service.url}/playground`);
  const rows = shop.page.getByRole('table', { name: 'Contrast, the worst of all grounds' }).getByRole('row');
  const grounds = ['surface', 'surface-raised', 'theirs', 'accent-soft', 'hint'] as const;
  for (const accent of ['#3a4fd8', '#ffd400', '#ffffff', '#0b0b0b']) {
    await set(shop.page, 'accent', accent);
    const cells = await rows.evaluateAll((all) =>
      all.slice(1).map((row) => [...row.children].map(({ lastChild }) => lastChild?.textContent ?? '')),
    );
    const worst = (token: Token, on: readonly Token[] = grounds) =>
      (['light', 'dark'] as const).map((scheme) => {
        const tokens = theme(accent, scheme);
        if (!tokens) throw new Error(`${accent} is no colour`);
        const least = Math.min(...on.map((ground) => ratioOf(tokens[token], tokens[ground])));
        return (Math.floor(least * 100) / 100).toFixed(2);
      });
    expect(cells).toEqual([
      ['Text on the accent', ...worst('on-accent', ['accent', 'accent-hover']), '4.50'],
      ['Links and quiet buttons', ...worst('accent-text'), '4.50'],
      ['Text', ...worst('text'), '4.50'],
      ['Quiet text', ...worst('muted'), '4.50'],
      ['Focus ring', ...worst('focus'), '3.00'],
      ['Borders of inputs', ...worst('control'), '3.00'],
    ]);
    for (const [what, ...numbers] of cells) {
      const [day = 0, night = 0, least = 9] = numbers.map(Number);
      expect(Math.min(day, night), `${what} of ${accent}`).toBeGreaterThanOrEqual(least);
    }
  }
  // What cannot be seen as it is, is told as it is painted.
  await set(shop.page, 'accent', '#0b0b0b');
  await shop.page.getByText(/^By night the accent is painted as/).waitFor();
  await shop.close();
});

test('axe finds nothing in it, and tabs are walked by arrows', async () => {
  const shop = await openShop(browser, `${service.url}/playground`);
  const { page } = shop;
  await chat(frame(page)).launcher.waitFor({ timeout: slowMs });
  await openAll(page);
  await set(page, 'offsetX', 'far');
  for (const name of ['Tag', 'npm', 'Security policy']) {
    await tab(page, name);
    expect(await objections(page, name, 'document', [320, 390, 1280])).toEqual([]);
  }
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    // As in the moment before it is measured anew, which comes late on a busy machine.
    const before = await page.locator('.device').evaluate((device: HTMLElement) => {
      const { width } = device.style;
      device.style.width = `${innerWidth + 400}px`;
      const { scrollWidth } = document.documentElement;
      device.style.width = width;
      return scrollWidth <= innerWidth;
    });
    expect(before, `${width} px`).toBe(true);
  }
  await page.keyboard.press('ArrowRight');
  expect(await page.getByRole('tab', { name: 'Tag' }).getAttribute('aria-selected')).toBe('true');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('region', { name: 'The program' }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('npm');
  await shop.close();
});

test.each(['nonce', 'host'] as const)(
  'the policy it prints, by %s, is all that the chat needs',
  async (by) => {
    // Three hosts: the page, the service, and the files with the launcher's picture; uploads come from the page's own.
    const proxy = await startFaultProxy(service.url);
    const files = `${service.url.replace('127.0.0.1', 'localhost')}/parley.js`;
    const launcherImage = new URL('/logo.png', files).href;
    const asked = new URLSearchParams({
      baseUrl: proxy.url,
      launcherImage,
      files,
      uploads: service.url,
      by,
      tab: 'policy',
    });
    const playground = await openShop(browser, `${service.url}/playground#${asked}`);
    const policy = await code(playground.page, 'The policy');
    await playground.close();
    expect(policy.split(';\n')).toEqual([
      by === 'nonce' ? "script-src 'nonce-…' 'strict-dynamic'" : `script-src ${new URL(files).origin}`,
      `connect-src ${proxy.url} ${proxy.url.replace('http', 'ws')}`,
      `img-src ${proxy.url} ${service.url} ${new URL(files).origin} blob:`,
      `media-src ${proxy.url} ${service.url} blob:`,
      "require-trusted-types-for 'script'",
    ]);

    const path = await service.page(
      `policy-${by}`,
      `<!doctype html><html lang="en"><head><title>Strict</title>
     <meta http-equiv="Content-Security-Policy" content="default-src 'none'; ${policy.replace('…', '{{nonce}}')}">
     <script async nonce="{{nonce}}" src="${files}" data-base-url="${proxy.url}" data-inbox-identifier="{{inbox}}" data-launcher-image="${launcherImage}"></script>
     </head><body><h1>Strict</h1></body></html>`,
    );
    const shop = await openShop(browser, `${service.url}${path}?parley-doctor`);
    const { page } = shop;
    const doctor = page.getByRole('dialog', { name: 'Parley doctor' });
    await doctor.getByText('All is well.').waitFor({ timeout: 60_000 });
    await doctor.getByRole('button', { name: 'Close the doctor' }).click();

    await chat(page).open();
    await chat(page).say(`By ${by}`);
    const conversation = await agent(service).conversationOf(`By ${by}`);
    const form = new FormData();
    form.append('content', 'Look and listen');
    form.append('attachments[]', new File([png(64, 40, [40, 120, 220])], 'sea.png'));
    form.append('attachments[]', new File([wav(1)], 'voice.wav'));
    await agent(service).tell(conversation, form);
    const message = chat(page).log.getByRole('listitem').filter({ hasText: 'Look and listen' });
    await message.waitFor({ timeout: slowMs });
    const picture = message.locator('img');
    await expect
      .poll(() => picture.first().evaluate((img: HTMLImageElement) => img.naturalWidth), { timeout: slowMs })
      .toBe(64);
    await page.locator('parley-chat input[type=file]').setInputFiles({
      name: 'mine.png',
      mimeType: 'image/png',
      buffer: png(80, 50, [220, 120, 40]),
    });
    await expect
      .poll(
        () =>
          page.locator('parley-chat .composer img, parley-chat .tray img').evaluateAll((all) => all.length),
        {
          timeout: slowMs,
        },
      )
      .toBeGreaterThan(0);
    expect(await shop.violations()).toEqual([]);
    await shop.close();
    await proxy.stop();
  },
);

/**
 * What comes with a message in a real browser: attachments of each kind, quotes, and one of everything for axe. What
 * the account API cannot send comes from a stub that can say anything.
 */
import { afterAll, expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import { honest, startHostileService } from '../content/hostile-service.js';
import { listening, visit, watched } from '../content/inspect.js';
import { setHidden } from '../support/around.js';
import { agent, chat, useShop } from '../support/browser.js';
import { png, wav } from '../support/media.js';
import { objections } from '../support/objections.js';
import { inside, talk } from '../support/talk.js';

const CHAT = "document.querySelector('parley-chat')";

const { browser, service } = await useShop({ whole: true });
const stub = await startHostileService();
afterAll(() => stub.end());

test('a picture that did not come is a file, and a picture again once the line is back', async () => {
  const { page, conversation, close } = await talk(browser, service, 'A picture of the harbour, please');
  await page.route(/harbour\.png/, (route) => route.abort());
  const form = new FormData();
  form.append('content', 'The harbour');
  form.append('attachments[]', new File([png(64, 40, [40, 120, 220])], 'harbour.png'));
  await agent(service).tell(conversation, form);
  const message = inside(page, 'The harbour');
  await message.getByRole('link', { name: /^harbour\.png/ }).waitFor();
  await message.getByRole('img').waitFor({ state: 'detached' });
  // Who sees it has it asked for before.
  await setHidden(page, true);
  await page.unroute(/harbour\.png/);
  await page.context().setOffline(true);
  await chat(page).window.getByRole('status').getByText(en.offline).waitFor();
  await page.context().setOffline(false);
  await expect
    .poll(() => message.getByRole('img').evaluateAll((all: HTMLImageElement[]) => all[0]?.naturalWidth))
    .toBe(64);
  await close();
});

test('attachments: pictures side by side in a lightbox, sound that plays, files that download', async () => {
  const { page, conversation, close } = await talk(browser, service, 'Files, please');
  const form = new FormData();
  form.append('content', 'Here they are');
  form.append('attachments[]', new File([png(640, 400, [40, 120, 220])], 'sea.png'));
  form.append('attachments[]', new File([png(300, 500, [220, 120, 40])], 'sand.png'));
  // A drawing is a file, here and there.
  form.append('attachments[]', new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], 'plan.svg'));
  form.append('attachments[]', new File([wav(1)], 'voice.wav'));
  form.append('attachments[]', new File([Buffer.from('1a45dfa3', 'hex')], 'film.webm'));
  form.append('attachments[]', new File(['%PDF-1.7'], 'contract.pdf'));
  await agent(service).tell(conversation, form);
  const message = inside(page, 'Here they are');
  const sea = message.getByRole('link', { name: 'sea.png' });
  // Its place is its own before it is here, and after.
  const box = await sea.getByRole('img').boundingBox();
  expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(1, 1);
  await expect
    .poll(() => sea.getByRole('img').evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBe(640);
  expect((await sea.getByRole('img').boundingBox())?.height).toBe(box?.height);
  // Side by side, the wide one and the tall one in the same shape.
  const [left, right] = await message.getByRole('img').evaluateAll((all) =>
    all.map((image) => {
      const { x, y, width, height } = image.getBoundingClientRect();
      return { x, y, width, height };
    }),
  );
  expect(right).toEqual({ ...left, x: right?.x });
  expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0));

  await sea.focus();
  await page.keyboard.press('Enter');
  const lightbox = page.locator('parley-chat dialog.lightbox');
  await lightbox.waitFor();
  expect(await lightbox.getAttribute('aria-label')).toBe('sea.png');
  expect(
    await lightbox.evaluate((element) => [element.getAttribute('lang'), element.getAttribute('dir')]),
  ).toEqual(['en', 'ltr']);
  await lightbox.getByText('Picture 1 of 2').waitFor();
  // A page that scrolls itself, or has shortcuts, hears nothing of it.
  const heard = await lightbox.locator('.view').evaluate((view) => {
    const all = ['keypress', 'keyup', 'wheel', 'touchmove', 'copy', 'mousewheel'];
    const heard: string[] = [];
    const hear = ({ type }: Event) => heard.push(type);
    for (const type of all) window.addEventListener(type, hear);
    for (const type of all) view.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
    for (const type of all) window.removeEventListener(type, hear);
    return heard;
  });
  expect(heard).toEqual(['mousewheel']);
  await page.keyboard.press('ArrowRight');
  await lightbox.getByRole('img', { name: 'sand.png' }).waitFor();
  await lightbox.getByRole('button', { name: 'Next picture' }).click();
  await lightbox.getByRole('button', { name: 'Actual size' }).click();
  expect(await objections(page, 'lightbox', CHAT, [1280])).toEqual([]);
  await page.keyboard.press('Escape');
  await lightbox.waitFor({ state: 'detached' });
  expect(await chat(page).window.isVisible()).toBe(true);
  const focused = () =>
    page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.className ?? 'nothing');
  expect(await focused()).toBe('picture');

  const sound = message.locator('audio');
  await sound.evaluate((audio: HTMLAudioElement) => audio.play());
  await expect.poll(() => sound.evaluate((audio: HTMLAudioElement) => audio.duration)).toBeCloseTo(1, 1);
  // A film that is none becomes a file as soon as its length is asked for.
  await message.locator('video').waitFor({ state: 'detached' });
  await message.getByRole('link', { name: /^film\.webm/ }).waitFor();
  // Rows of files keep their distance, from what is above them and from each other.
  const distances = await message.locator('.bubble > :is(.file, .player)').evaluateAll((rows) =>
    rows.map((row) => {
      const above = row.previousElementSibling?.getBoundingClientRect().bottom ?? 0;
      return Math.round(row.getBoundingClientRect().top - above);
    }),
  );
  expect(distances).toEqual([13, 10, 10, 10]);
  const download = page.waitForEvent('download');
  await message.getByRole('link', { name: /^contract\.pdf/ }).click();
  expect((await download).suggestedFilename()).toBe('contract.pdf');
  await close();
});

test('who has the browser save data sees the pictures of messages and cards that they ask for', async () => {
  const { page, hear, conversation, requests, close } = await talk(browser, service, 'My line is dear');
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true });
  const form = new FormData();
  form.append('content', 'A view');
  form.append('attachments[]', new File([png(640, 400, [40, 120, 220])], 'hills.png'));
  await agent(service).tell(conversation, form);
  const actions = [{ type: 'postback', text: 'Choose it', payload: 'A' }];
  const media_url = `${service.url}/parley.png`;
  await hear('cards', 'A card', { items: [{ title: 'Plan A', media_url, actions }] });
  for (const [words, seen, path] of [
    ['A view', '.picture img', /hills\.png$/],
    ['A card', '.card img', /\/parley\.png$/],
  ] as const) {
    const ask = inside(page, words).getByRole('button', { name: 'Show picture from' });
    await ask.waitFor();
    expect(requests.filter((request) => path.test(request.path))).toEqual([]);
    await ask.click();
    const picture = inside(page, words).locator(seen);
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  }
  await close();
});

test('who has the browser save data sees who answers by initials, others by the picture at the service', async () => {
  const face = `${service.url}/parley.png?face`;
  await service.db.query('update users set avatar_url = $1', [face]);
  const { page, requests, conversation, close } = await talk(browser, service, 'Who is it?');
  await agent(service).answer(conversation, 'It is me');
  const faces = chat(page).log.locator('.avatar img');
  await expect
    .poll(() => faces.evaluateAll((all) => all.length && all.every((one) => one.matches('[src$=face]'))))
    .toBe(true);
  const asked = () => requests.filter(({ url }) => url === face).length;
  await expect.poll(asked).toBe(1);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true });
  await page.reload();
  await inside(page, 'It is me').waitFor();
  await expect.poll(() => chat(page).log.locator('.avatar').first().textContent()).toMatch(/^[A-Z]{1,2}$/);
  expect([await faces.count(), asked()]).toEqual([0, 1]);
  await service.db.query("update users set avatar_url = ''");
  await close();
});

test('a picture that lies over everything stays there while the page becomes as narrow as a phone and wide again', async () => {
  const { page, conversation, close } = await talk(browser, service, 'A picture, please');
  const form = new FormData();
  form.append('content', 'Here it is');
  form.append('attachments[]', new File([png(640, 400, [40, 120, 220])], 'sea.png'));
  form.append('attachments[]', new File([png(300, 500, [220, 120, 40])], 'sand.png'));
  await agent(service).tell(conversation, form);
  const opener = inside(page, 'Here it is').getByRole('link', { name: 'sea.png' });
  // Before what draws pictures is there, it is a link to the file.
  await opener.getByRole('img').waitFor();
  await opener.click();
  const lightbox = page.locator('parley-chat dialog.lightbox');
  const next = lightbox.getByRole('button', { name: 'Next picture' });
  await next.click();
  await lightbox.getByRole('img', { name: 'sand.png' }).waitFor();
  const isModal = () => chat(page).window.evaluate((dialog) => dialog.matches(':modal'));
  const focused = () =>
    page.evaluate(() => {
      const at = document.activeElement?.shadowRoot?.activeElement;
      return at?.ariaLabel ?? at?.className;
    });
  for (const width of [400, 1280, 400]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(isModal).toBe(width === 400);
    await expect.poll(focused).toBe('Next picture');
    // It lies over the window, and takes presses.
    await next.click();
    await next.click();
    await lightbox.getByRole('img', { name: 'sand.png' }).waitFor();
  }
  await page.keyboard.press('Escape');
  await lightbox.waitFor({ state: 'detached' });
  expect(await chat(page).window.isVisible()).toBe(true);
  await expect.poll(focused).toBe('picture');
  // It goes with the window, however that is shown.
  await opener.click();
  await lightbox.waitFor();
  await page.evaluate(() => window.parley?.close());
  await lightbox.waitFor({ state: 'detached' });
  await chat(page).window.waitFor({ state: 'hidden' });
  await close();
});

test('a quote leads to the message it quotes, and a deleted message has nothing more', async () => {
  const { page, conversation, hear, close } = await talk(browser, service, 'Quote me');
  const [first] = await agent(service).messages(conversation);
  for (let i = 0; i < 12; i++) await hear('text', `Line ${i} and ${'more and '.repeat(12)}more`, {});
  await hear('text', 'As you said', { in_reply_to: first?.id });
  const quote = inside(page, 'As you said').getByRole('button', { name: 'In reply to You: Quote me' });
  await quote.click();
  const target = chat(page).bubble('Quote me').locator('.bubble');
  await expect.poll(() => target.evaluate((element) => element.matches(':focus'))).toBe(true);
  const visible = await target.evaluate((element) => {
    const log = element.closest('[role=log]')?.getBoundingClientRect();
    const own = element.getBoundingClientRect();
    return log !== undefined && own.top >= log.top && own.bottom <= log.bottom;
  });
  expect(visible).toBe(true);

  await hear('input_select', 'Soon gone', { items: [{ title: 'A', value: 'a' }] });
  const gone = (await agent(service).messages(conversation)).find(({ content }) => content === 'Soon gone');
  await service.agent('DELETE', `/api/v1/accounts/1/conversations/${conversation}/messages/${gone?.id}`);
  await chat(page).bubble('This message was deleted').waitFor();
  expect(await chat(page).log.getByRole('button', { name: 'A', exact: true }).count()).toBe(0);
  await close();
});

test('axe finds nothing in a thread with one of everything, asked and answered', async () => {
  const { page, hear, conversation, close } = await talk(browser, service, 'All of it');
  const items = [{ title: 'Billing', value: 'billing' }];
  await hear('input_select', 'Asked', { items });
  await hear('input_select', 'Answered', { items, submitted_values: items });
  const field = { name: 'city', label: 'City', type: 'text', required: true };
  const fields = [
    field,
    { name: 'e', label: 'E-mail', type: 'email' },
    { name: 'w', label: 'Why', type: 'text_area' },
    { name: 's', label: 'Size', type: 'select', options: [{ label: 'M', value: 'm' }] },
    { name: 'c', label: 'Terms', type: 'checkbox' },
  ];
  await hear('form', 'Form', { items: fields });
  await hear('form', 'Form done', { items: fields, submitted_values: [{ name: 'city', value: 'Oslo' }] });
  await hear('input_email', 'Address', {});
  await hear('input_csat', 'Rate', {});
  const rating = { csat_survey_response: { rating: 4, feedback_message: 'Good' } };
  await hear('input_csat', 'Rated', { submitted_values: rating });
  await hear('article', 'Articles', {
    items: [{ title: 'A', description: 'B', link: 'https://x.example/' }],
  });
  const actions = [
    { type: 'link', text: 'See', uri: 'https://x.example/' },
    { type: 'postback', text: 'Say', payload: 'P' },
  ];
  await hear('cards', 'Cards', {
    items: [{ title: 'A', description: 'B', media_url: 'http://far.example/a.png', actions }],
  });
  const form = new FormData();
  form.append('content', 'Files');
  form.append('attachments[]', new File([png(64, 40, [40, 120, 220])], 'sea.png'));
  form.append('attachments[]', new File([wav(1)], 'voice.wav'));
  form.append('attachments[]', new File([Buffer.from('1a45dfa3', 'hex')], 'film.webm'));
  form.append('attachments[]', new File(['words'], 'words.txt'));
  await agent(service).tell(conversation, form);
  await chat(page).bubble('Files').locator('audio').waitFor();
  const last = (await agent(service).messages(conversation)).at(-1);
  await hear('text', 'Quoting', { in_reply_to: last?.id });
  await inside(page, 'Form').getByRole('button', { name: 'Send' }).click();
  await inside(page, 'Rate').getByRole('button', { name: 'Send' }).click();
  await inside(page, 'Rate').getByTitle('Okay').click();
  expect(await objections(page, 'everything', CHAT, [390, 1280])).toEqual([]);
  // What is to be pressed can be hit: 44 px for what answers, 24 px for the rest.
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const small = await page.evaluate(() => {
      const root = document.querySelector('parley-chat')?.shadowRoot;
      const main = ['.choice', '.go', '.action', '.entry :is(select, textarea)', '.faces label', '.quote'];
      const of = (selector: string) => [...(root?.querySelectorAll(`.rows ${selector}`) ?? [])];
      return [
        ...main
          .flatMap((one) => of(`${one}:not(li)`))
          .filter((one) => one.getBoundingClientRect().height < 43.5),
        ...of(':is(button, a, label)').filter(
          (one) => one.getBoundingClientRect().height < 23.5 && !one.closest('.entry'),
        ),
      ].map((element) => `${element.tagName} ${element.className} ${element.textContent}`);
    });
    expect(small).toEqual([]);
    const wide = await page.evaluate(() => {
      const log = document.querySelector('parley-chat')?.shadowRoot?.querySelector('[role=log]');
      return log ? log.scrollWidth - log.clientWidth : -1;
    });
    expect(wide).toBe(0);
  }
  await close();
});

test('what the account API cannot send: templates, places, people, other kinds, and shapes of any sort', async () => {
  const seen = await watched(browser, stub);
  const { page } = seen;
  const message = (id: number, content: string | null, more: object) => ({
    id,
    content,
    message_type: 1,
    content_type: 'text',
    content_attributes: {},
    created_at: Math.floor(Date.now() / 1000) - 60,
    conversation_id: 1,
    sender: { id: 1, name: 'Grace', type: 'user' },
    ...more,
  });
  const place = {
    file_type: 'location',
    coordinates_lat: 52.52,
    coordinates_long: 13.405,
    fallback_title: 'Berlin',
  };
  stub.says = {
    ...honest(),
    history: [
      message(1, 'We are away', { message_type: 3, sender: undefined }),
      message(2, 'A place', { attachments: [{ id: 1, ...place }] }),
      message(3, 'A person', {
        attachments: [
          { id: 2, file_type: 'contact', fallback_title: '+4930123', meta: { first_name: 'Max' } },
        ],
      }),
      message(4, 'A story', {
        attachments: [{ id: 3, file_type: 'story_mention', data_url: 'https://x.example/story' }],
      }),
      message(5, 'A film', {
        attachments: [
          { id: 4, file_type: 'embed', data_url: 'https://x.example/film', fallback_title: 'Film' },
        ],
      }),
      message(6, null, {
        content_type: 'integrations',
        content_attributes: { data: { title: 'A meeting' } },
      }),
      message(7, null, {
        content_type: 'sticker',
        attachments: [{ id: 5, file_type: 'image', data_url: `${stub.url}/none.png` }],
      }),
      message(8, 'A letter', {
        content_type: 'incoming_email',
        content_attributes: { email: { subject: 'x' } },
      }),
      message(9, null, {
        content_type: 'hologram',
        content_attributes: { items: [{ title: 'From the future' }] },
      }),
      message(10, 'Broken form', { content_type: 'form', content_attributes: { items: 'none' } }),
      message(11, 'Broken cards', {
        content_type: 'cards',
        content_attributes: { items: [null, 3, { actions: {} }] },
      }),
      message(12, 'What is your name?', { content_type: 'input_text' }),
    ],
  };
  await visit(page, stub);
  await listening(stub, page);
  const { log } = chat(page);
  await log.getByRole('link', { name: 'Show on a map' }).waitFor();
  expect(await log.getByRole('link', { name: 'Show on a map' }).getAttribute('href')).toBe(
    'https://www.openstreetmap.org/?mlat=52.52&mlon=13.405#map=16/52.52/13.405',
  );
  expect(await log.getByRole('link', { name: '+4930123' }).getAttribute('href')).toBe('tel:+4930123');
  for (const words of ['We are away', 'Max', 'A meeting', 'From the future', 'Broken form', 'A letter'])
    await log.getByText(words).waitFor();
  // A picture that does not come is a file with a name.
  await log.getByRole('link', { name: /^none\.png/ }).waitFor();
  expect(await log.getByRole('textbox').count()).toBe(0);
  expect(seen.abroad).toEqual([]);
  expect({ errors: seen.errors, console: seen.console }).toEqual({ errors: [], console: [] });
  expect(await objections(page, 'everything', CHAT, [390, 1280])).toEqual([]);
  // Words that were changed are the new ones.
  stub.event('message.updated', message(12, 'What is your first name?', { content_type: 'input_text' }));
  await log.getByText('What is your first name?').waitFor();
  await seen.context.close();
});

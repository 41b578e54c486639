/**
 * What an agent's message asks of the visitor, in a real browser: sent through the account API, answered by hand or
 * key, and the answer as the service keeps it.
 * @see `createMessage`, `answerPublicMessage` in the service's /openapi.json
 */
import { expect, test } from 'vitest';
import { goElsewhere } from '../support/around.js';
import { agent, chat, english, useShop } from '../support/browser.js';
import { show } from '../support/gallery.js';
import { png } from '../support/media.js';
import { inside, talk } from '../support/talk.js';

const { browser, service } = await useShop();

test('a quick reply is pressed, kept by the service, and known after a reload', async () => {
  const { page, hear, kept, close } = await talk(browser, service, 'Quick, please');
  const items = [
    { title: 'Billing', value: 'billing' },
    { title: 'Delivery', value: 'delivery' },
  ];
  await hear('input_select', 'Which topic?', { items });
  await inside(page, 'Which topic?').getByRole('button', { name: 'Delivery' }).press('Enter');
  const chosen = inside(page, 'Which topic?').getByRole('listitem').filter({ hasText: 'Your answer' });
  await chosen.waitFor();
  expect(await kept('Which topic?')).toEqual([{ title: 'Delivery', value: 'delivery' }]);
  expect(await chosen.textContent()).toBe('Delivery (Your answer)');
  const focused = () =>
    page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.className ?? 'nothing');
  expect(await focused()).toBe('choices');
  await page.reload();
  await inside(page, 'Which topic?').getByText('Billing').waitFor();
  expect(
    await inside(page, 'Which topic?')
      .getByRole('button', { name: /Billing|Delivery/ })
      .count(),
  ).toBe(0);
  await close();
});

test('who has gone on in the page stays there when the answer has arrived', async () => {
  const { page, hear, close } = await talk(browser, service, 'Elsewhere by then');
  await hear('input_select', 'Which lamp?', { items: [{ title: 'Desk', value: 'desk' }] });
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/messages/*', async (route) => {
    await released;
    await route.continue();
  });
  await inside(page, 'Which lamp?').getByRole('button', { name: 'Desk' }).press('Enter');
  await inside(page, 'Which lamp?').getByText(english('sendingAnswer')).waitFor();
  const isThere = await goElsewhere(page);
  release();
  await inside(page, 'Which lamp?').getByText('Your answer').waitFor();
  expect(await isThere()).toBe(true);
  await close();
});

test('a form is filled in by keyboard alone, kept by the service, and becomes a summary', async () => {
  const { page, hear, kept, close } = await talk(browser, service, 'A form, please');
  await hear('form', 'Your details', {
    button_label: 'Send details',
    items: [
      { name: 'city', label: 'City', type: 'text', required: true },
      { name: 'mail', label: 'E-mail', type: 'email', required: true, regex: '@x\\.example$' },
      { name: 'size', label: 'Size', type: 'select', options: [{ label: 'Medium', value: 'M' }] },
      { name: 'why', label: 'Why', type: 'text_area' },
    ],
  });
  const form = inside(page, 'Your details');
  await form.getByRole('button', { name: 'Send details' }).focus();
  await page.keyboard.press('Space');
  expect(await form.getByLabel('City').getAttribute('aria-invalid')).toBe('true');
  // The focus goes there, and with it is heard why.
  expect(await form.getByRole('alert').count()).toBe(0);
  await page.keyboard.type('Oslo');
  await page.keyboard.press('Tab');
  await page.keyboard.type('ada@y.example');
  // Enter sends a form, and this one is not right yet.
  await page.keyboard.press('Enter');
  await form.getByRole('alert').getByText('This does not have the right format.').waitFor();
  await form.getByLabel('E-mail').fill('ada@x.example');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Two\nlines');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await form.getByRole('definition').first().waitFor();
  expect(await kept('Your details')).toEqual([
    { name: 'city', value: 'Oslo' },
    { name: 'mail', value: 'ada@x.example' },
    { name: 'size', value: 'M' },
    { name: 'why', value: 'Two\nlines' },
  ]);
  expect(await form.getByRole('definition').allTextContents()).toEqual([
    'Oslo',
    'ada@x.example',
    'Medium',
    'Two\nlines',
  ]);
  expect(await form.getByRole('textbox').count()).toBe(0);
  // Nothing of it was taken for a message.
  expect(await chat(page).field.inputValue()).toBe('');
  await close();
});

test('read from the right, an answer in Latin letters stands below what it answers', async () => {
  const page = await browser.newPage({ viewport: { width: 320, height: 568 } });
  await show(page, service.url, 'form-answered', 'rtl');
  const number = page.getByRole('definition').getByText('NL-1024');
  const question = page.getByRole('term').first();
  const rightOf = async (part: typeof number) => {
    const right = await part.evaluate((element) => {
      const words = new Range();
      words.selectNodeContents(element);
      return words.getBoundingClientRect().right;
    });
    return Math.round(right);
  };
  expect(await rightOf(number)).toBe(await rightOf(question));
  await page.close();
});

test('half an answer outlives a reload, and is not kept once it is whole', async () => {
  const { page, hear, kept, close } = await talk(browser, service, 'Half an answer');
  const items = [{ name: 'why', label: 'Why?', type: 'text_area', required: true }];
  await hear('form', 'Tell us more', { items });
  const why = inside(page, 'Tell us more').getByRole('textbox', { name: 'Why?' });
  await why.fill('Because of');
  await page.reload();
  await expect.poll(() => why.inputValue()).toBe('Because of');
  await why.pressSequentially(' the boots');
  await inside(page, 'Tell us more').getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => kept('Tell us more')).toEqual([{ name: 'why', value: 'Because of the boots' }]);
  const stored = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  await expect.poll(stored).not.toContain('Because of');
  await close();
});

test('without a network an answer stays, and one press sends it later', async () => {
  const { page, hear, kept, close } = await talk(browser, service, 'Offline, please');
  await hear('form', 'Offline form', { items: [{ name: 'city', label: 'City', type: 'text' }] });
  const form = inside(page, 'Offline form');
  // What draws it comes with the first one.
  await form.getByLabel('City').waitFor();
  await page.context().setOffline(true);
  await form.getByLabel('City').fill('Rome');
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByRole('alert').getByText('could not be sent').waitFor();
  expect(await form.getByLabel('City').inputValue()).toBe('Rome');
  await page.context().setOffline(false);
  // What was thought over meanwhile counts.
  await form.getByLabel('City').fill('Paris');
  await form.getByRole('button', { name: 'Try again' }).click();
  await form.getByRole('definition').waitFor();
  expect(await kept('Offline form')).toEqual([{ name: 'city', value: 'Paris' }]);
  await close();
});

test('the address for answers is the contact’s from then on', async () => {
  const { page, hear, kept, close } = await talk(browser, service, 'Write to me');
  await hear('input_email', 'Where can we reach you?', {});
  const question = inside(page, 'Where can we reach you?');
  await question.getByLabel('Email address').fill('ada.parts@x.example');
  await question.getByRole('button', { name: 'Send' }).click();
  await question.getByText('We can reach you at ada.parts@x.example.').waitFor();
  expect(await kept('Where can we reach you?')).toEqual([{ name: 'email', value: 'ada.parts@x.example' }]);
  const [contact] = await service.db.query<{ id: number }>('select id from contacts where email = $1', [
    'ada.parts@x.example',
  ]);
  expect(contact).toBeDefined();
  // The socket's channel is still theirs.
  await hear('text', 'Still here', {});
  await close();
});

test('an address that was given in the conversation is offered where one is asked for again', async () => {
  const { page, hear, kept, close } = await talk(browser, service, 'Write to me twice');
  await hear('input_email', 'Where do we write?', {});
  const question = inside(page, 'Where do we write?');
  expect(await question.getByLabel('Email address').inputValue()).toBe('');
  await question.getByLabel('Email address').fill('ada.twice@x.example');
  await question.getByRole('button', { name: 'Send' }).click();
  await question.getByText('We can reach you at ada.twice@x.example.').waitFor();
  await hear('input_email', 'Still there?', {});
  const again = inside(page, 'Still there?');
  await expect.poll(() => again.getByLabel('Email address').inputValue()).toBe('ada.twice@x.example');
  const items = [
    { name: 'mail', label: 'E-mail', type: 'email' },
    { name: 'own', label: 'Ours', type: 'email', default: 'us@x.example' },
    { name: 'city', label: 'City', type: 'text' },
  ];
  await hear('form', 'Your details again', { items });
  const form = inside(page, 'Your details again');
  await form.getByLabel('City').waitFor();
  const offered = () =>
    form.getByRole('textbox').evaluateAll((all) => all.map((one) => Reflect.get(one, 'value')));
  expect(await offered()).toEqual(['ada.twice@x.example', 'us@x.example', '']);
  await again.getByRole('button', { name: 'Send' }).click();
  await again.getByText('We can reach you at').waitFor();
  expect(await kept('Still there?')).toEqual([{ name: 'email', value: 'ada.twice@x.example' }]);
  await close();
});

test('what a card’s button says is seen, however far above the end it stands', async () => {
  const { page, hear, close } = await talk(browser, service, 'A card, please');
  const actions = [{ type: 'postback', text: 'Take plan B', payload: 'PLAN_A' }];
  await hear('cards', 'Our plans', { items: [{ title: 'Plan A', description: 'Small', actions }] });
  for (let i = 0; i < 20; i++) await hear('text', `Line ${i} of what else there is to say`, {});
  await inside(page, 'Our plans').getByRole('button', { name: 'Take plan B' }).click();
  const bubble = chat(page).bubble('Take plan B');
  await bubble.getByText('Sent', { exact: true }).waitFor();
  const isSeen = () =>
    bubble.evaluate(
      (element) =>
        new Promise<boolean>((resolve) =>
          new IntersectionObserver(([entry]) => resolve(entry?.isIntersecting === true)).observe(element),
        ),
    );
  await expect.poll(isSeen).toBe(true);
  await close();
});

test('cards: a far picture waits, a link opens on its own, a button says its words', async () => {
  const { page, hear, requests, close } = await talk(browser, service, 'Cards, please');
  const heard = await page.evaluateHandle(async () => {
    const told: unknown[] = [];
    window.parley?.on('action', (detail) => told.push(detail));
    // Who tells of them is in a file of its own, and once it is here it tells of the window first.
    await new Promise<void>((here) => window.parley?.on('open', here));
    return told;
  });
  const far = 'http://far.example/a.png';
  await page.route(far, (route) =>
    route.fulfill({ body: png(40, 20, [200, 30, 30]), contentType: 'image/png' }),
  );
  await hear('cards', 'Our plans', {
    items: [
      {
        title: 'Plan A',
        description: 'Small',
        media_url: far,
        actions: [
          { type: 'link', text: 'See it', uri: 'https://x.example/a' },
          { type: 'postback', text: 'Choose plan A', payload: 'PLAN_A' },
          { type: 'postback', text: 'Ask me later' },
        ],
      },
    ],
  });
  const cards = inside(page, 'Our plans');
  const link = cards.getByRole('link', { name: 'See it' });
  expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual([
    '_blank',
    'noopener noreferrer nofollow ugc',
  ]);
  expect(requests.filter(({ url }) => url.startsWith('http://far'))).toEqual([]);
  await cards.getByRole('button', { name: 'Show picture from far.example' }).click();
  await expect
    .poll(() => cards.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBe(40);
  // Its title stands below it, and is heard once.
  expect(await cards.locator('img').getAttribute('alt')).toBe('');
  await cards.getByRole('button', { name: 'Choose plan A' }).click();
  await chat(page).bubble('Choose plan A').getByText('Sent', { exact: true }).waitFor();
  expect(await agent(service).count('Choose plan A')).toBe(1);
  await cards.getByRole('button', { name: 'Ask me later' }).click();
  await chat(page).bubble('Ask me later').getByText('Sent', { exact: true }).waitFor();
  const conversation = await agent(service).conversationOf('Ask me later');
  expect(await heard.jsonValue()).toEqual([
    { payload: 'PLAN_A', conversation },
    { payload: 'Ask me later', conversation },
  ]);
  await close();
});

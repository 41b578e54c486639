/** What an owner asks before the first message, in a real Chromium. */
import type { BrowserContextOptions } from 'playwright-core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { focused, openTagged, say } from '../support/around.js';
import { chat, useShop } from '../support/browser.js';
import { objections } from '../support/objections.js';
import { drawn } from '../support/thread.js';

const { browser, service } = await useShop();

const open = (name: string, attributes = '', options: BrowserContextOptions = {}) =>
  openTagged(browser, service, name, attributes, options);

const questions = JSON.stringify([
  { name: 'name', required: true },
  { name: 'email', type: 'email', required: true },
  { name: 'phone_number', type: 'tel' },
  { name: 'topic', label: 'What is it about?', type: 'select', options: ['Boots', 'Hats'], required: true },
  { name: 'member', label: 'I am a member', type: 'checkbox' },
  { name: 'terms', label: 'I agree to the [terms](https://shop.example/terms)', type: 'consent' },
]);

test('the questions before the first message are checked, and their answers reach the service', async () => {
  const shop = await open('questions', `data-pre-chat='${questions}'`);
  const { page } = shop;
  await page.getByRole('button', { name: /^Open chat/ }).click();
  const window = chat(page).window;
  const field = (name: string | RegExp) => window.getByRole('textbox', { name });
  // They come after the window: whoever has pressed for it may write at once.
  await expect.poll(() => field('Your name').evaluate((input) => input.matches(':focus'))).toBe(true);
  expect(await chat(page).field.count()).toBe(0);
  await window.getByRole('button', { name: 'Start chatting' }).click();
  await expect.poll(() => window.getByText('Please fill this in.').count()).toBe(2);
  expect(await field('Your name').evaluate((input) => input.matches(':focus'))).toBe(true);
  expect(await field('Your name').getAttribute('aria-invalid')).toBe('true');
  await field('Your name').fill('Ada Lovelace');
  await field('Email address').fill('ada@');
  await field(/^Phone number/).fill('030 123');
  await window.getByRole('button', { name: 'Start chatting' }).click();
  await window.getByText('Please enter an email address').waitFor();
  await window.getByText('Please write the number with its country code').waitFor();
  await window.getByText('Please tick this to go on.').waitFor();
  expect(await field('Email address').evaluate((input) => input.matches(':focus'))).toBe(true);
  await field('Email address').fill('Ada@Example.com');
  await field(/^Phone number/).fill('0049 (30) 123-456');
  await window.getByRole('combobox').selectOption('Hats');
  await window.getByRole('checkbox', { name: 'I agree to the terms' }).check();
  expect(await window.getByRole('link', { name: 'terms' }).getAttribute('href')).toBe(
    'https://shop.example/terms',
  );
  expect(await objections(page, 'questions')).toEqual([]);
  await field('Email address').press('Enter');
  await chat(page).field.waitFor();
  await expect.poll(() => focused(page)).toBe('Message');

  // Another page knows them, before anything was sent.
  await page.reload();
  await chat(page).field.waitFor();
  const conversation = await say(service, page, 'Do you have hats?');
  const stored = z.object({
    custom_attributes: z.unknown(),
    meta: z.object({ sender: z.looseObject({ name: z.string() }) }),
  });
  const { body } = await service.agent('GET', `/api/v1/accounts/1/conversations/${conversation}`);
  const { custom_attributes, meta } = stored.parse(body);
  expect(custom_attributes).toEqual({ topic: 'Hats', member: false, terms: true });
  expect(meta.sender).toMatchObject({
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    phone_number: '+4930123456',
  });
  await shop.close();
});

test('what is typed into the questions outlives a reload, and goes with whoever has typed it', async () => {
  const { page, close } = await open('typed', `data-pre-chat='${questions}'`);
  const email = chat(page).window.getByRole('textbox', { name: 'Email address' });
  const topic = chat(page).window.getByRole('combobox');
  await chat(page).launcher.click();
  await email.fill('ada@example.com');
  await topic.selectOption('Hats');
  await chat(page).window.getByRole('checkbox', { name: 'I am a member' }).check();
  await page.reload();
  await email.waitFor();
  await expect.poll(() => email.inputValue()).toBe('ada@example.com');
  expect(await topic.inputValue()).toBe('Hats');
  expect(await chat(page).window.getByRole('checkbox', { name: 'I am a member' }).isChecked()).toBe(true);

  const typed = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  expect(await typed()).toContain('ada@example.com');
  expect((await page.evaluate(() => window.parley?.reset()))?.ok).toBe(true);
  await expect.poll(() => email.inputValue()).toBe('');
  expect(await typed()).not.toContain('ada@example.com');

  await chat(page).window.getByRole('textbox', { name: 'Your name' }).fill('Grace');
  await email.fill('grace@example.com');
  await topic.selectOption('Boots');
  await chat(page).window.getByRole('checkbox', { name: 'I agree to the terms' }).check();
  await email.press('Enter');
  await chat(page).field.waitFor();
  await expect.poll(typed).not.toContain('grace@example.com');
  await close();
});

test.each([
  [1280, 800],
  [1366, 650],
])('beside questions the welcome is read whole, and leads nowhere: %i × %i', async (width, height) => {
  const tag = `data-greeting="Ask us anything about boots, hats and what else we have." data-pre-chat='${questions}'`;
  const { page, close } = await open(`welcome-${height}`, tag, { viewport: { width, height } });
  await chat(page).launcher.click();
  await chat(page).window.getByLabel('What is it about?').waitFor();
  const welcome = chat(page).log.getByText('Ask us anything');
  await welcome.waitFor();
  const left = () =>
    welcome.evaluate((words) => {
      const view = words.closest('[role=log]')?.getBoundingClientRect().bottom ?? 0;
      return view - words.getBoundingClientRect().bottom;
    });
  await expect.poll(left).toBeGreaterThanOrEqual(0);
  await chat(page).log.hover();
  await page.mouse.wheel(0, 200);
  await drawn(page);
  await page.mouse.wheel(0, -200);
  await drawn(page);
  expect(
    await chat(page)
      .window.getByRole('button', { name: /^Jump to latest/ })
      .count(),
  ).toBe(0);
  await close();
});

test.each([
  ['questions stand before the chat', `data-pre-chat='${questions}'`],
  ['no files are taken', 'data-attachments="false"'],
])(
  'files over the window while %s are refused, so that the browser opens none of them',
  async (why, attributes) => {
    const { page, close } = await open(why.replaceAll(' ', '-'), attributes);
    await page.getByRole('button', { name: /^Open chat/ }).click();
    await page.getByRole('button', { name: 'More' }).waitFor();
    const held = (kind: 'file' | 'words') =>
      chat(page)
        .window.getByRole('heading')
        .first()
        .evaluate((element, kind) => {
          const dataTransfer = new DataTransfer();
          if (kind === 'file') dataTransfer.items.add(new File(['held'], 'held.txt'));
          else dataTransfer.setData('text/plain', 'held words');
          const over = { dataTransfer, bubbles: true, cancelable: true, composed: true };
          return element.dispatchEvent(new DragEvent('dragover', over));
        }, kind);
    expect(await held('file')).toBe(false);
    // They may go into a field.
    expect(await held('words')).toBe(true);
    await close();
  },
);

test('an empty field stands as the chat runs, and what is written into it as it runs itself', async () => {
  const { page, close } = await open('questions-rtl', `data-locale="ar" data-pre-chat='${questions}'`);
  await page.locator('parley-chat button[part=launcher]').click();
  const fields = page.locator('parley-chat .questions :is(input:not([type=checkbox]), textarea)');
  const runs = () => fields.evaluateAll((all) => all.map((field) => getComputedStyle(field).direction));
  // Numbers do everywhere.
  await expect.poll(runs).toEqual(['rtl', 'rtl', 'ltr']);
  await fields.first().fill('Ada');
  await expect.poll(runs).toEqual(['ltr', 'rtl', 'ltr']);
  await fields.first().fill('آدا');
  await expect.poll(runs).toEqual(['rtl', 'rtl', 'ltr']);
  await close();
});

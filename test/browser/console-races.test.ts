/** What an agent does at the console while something else is on its way, in a real browser before a real service. */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { agent } from '../support/browser.js';
import { type Console, startConsole } from '../support/console.js';
import { gate } from '../support/gate.js';
import { startMs } from '../support/service.js';

let here: Console;
beforeAll(async () => {
  here = await startConsole();
}, startMs);
afterAll(() => here.end());

const account = '/api/v1/accounts/1';

const button = (name: string) => here.desk.getByRole('button', { name, exact: true });

/** The second of two quick presses in one place, whatever lies there by now. */
async function pressAgain(what: Locator) {
  const box = await what.boundingBox();
  if (!box) throw new Error('There is nothing to be pressed.');
  await here.desk.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await here.desk.mouse.down({ clickCount: 2 });
  await here.desk.mouse.up({ clickCount: 2 });
}

/** The next request at this address waits, once it was sent, until it is let go. */
async function holdNext(address: string) {
  const sent = gate();
  const held = gate();
  await here.desk.route(
    address,
    async (route) => {
      sent.open();
      await held.opened;
      await route.fallback();
    },
    { times: 1 },
  );
  return { sent: sent.opened, letGo: held.open };
}

test('files land where they were chosen for, wherever a notification has led meanwhile', async () => {
  const other = await here.talk('The visitor who gets no file');
  const { conversation, close } = await here.talk('The visitor whom the file is about');
  const tray = here.desk.getByRole('list', { name: 'Attached' });
  await here.desk.getByRole('radio', { name: 'Private note' }).check();
  const chooser = here.desk.waitForEvent('filechooser');
  await button('Attach files').click();
  const go = async (id: number, words: string) => {
    await here.desk.evaluate((id) => {
      location.hash = `#/${id}`;
    }, id);
    await here.log().getByText(words).waitFor();
  };
  await go(other.conversation, 'The visitor who gets no file');
  const file = { name: 'internal.txt', mimeType: 'text/plain', buffer: Buffer.from('For us') };
  await (await chooser).setFiles(file);
  await go(conversation, 'The visitor whom the file is about');
  await tray.getByText('internal.txt').waitFor();
  expect(await here.desk.getByRole('radio', { name: 'Private note' }).isChecked()).toBe(true);
  await go(other.conversation, 'The visitor who gets no file');
  expect(await tray.count()).toBe(0);
  await other.close();
  await close();
});

test('who presses twice resolves, and does not open again what they resolved', async () => {
  const { close } = await here.talk('The visitor who is content');
  const asked: unknown[] = [];
  here.desk.on('request', (request) => {
    if (request.url().endsWith('/toggle_status')) asked.push(request.postDataJSON());
  });
  await button('Resolve').click();
  await button('Reopen').waitFor();
  await pressAgain(button('Reopen'));
  await button('Reopen').click();
  await here.done('Conversation is open again.');
  expect(asked).toEqual([{ status: 'resolved' }, { status: 'open' }]);
  await close();
});

test('who presses twice on what deletes is asked, and has not answered yet', async () => {
  await here.service.agent('POST', `${account}/labels`, { title: 'stays' });
  await here.open('settings/labels', 'Labels');
  await button('Delete stays').click();
  await pressAgain(here.dialog().getByRole('button', { name: 'Delete label' }));
  await here.dialog().getByRole('button', { name: 'Cancel' }).click();
  await here.dialog().waitFor({ state: 'detached' });
  expect(JSON.stringify((await here.service.agent('GET', `${account}/labels`)).body)).toContain('stays');
});

test('what is told of a contact before their card is read is on it', async () => {
  const made = await here.service.agent('POST', `${account}/contacts`, { name: 'As they were' });
  const { id } = z.object({ payload: z.object({ contact: z.object({ id: z.number() }) }) }).parse(made.body)
    .payload.contact;
  const path = `${account}/contacts/${id}`;
  await here.open('contacts', 'Contacts');
  const read = gate();
  const held = gate();
  await here.desk.route(
    `**${path}`,
    async (route) => {
      const response = await route.fetch();
      read.open();
      await held.opened;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await here.desk.evaluate((id) => {
    location.hash = `#/contacts/${id}`;
  }, id);
  await read.opened;
  const again = here.desk.waitForRequest(`**${path}`);
  await here.service.agent('PUT', path, { name: 'As they are' });
  await again;
  held.open();
  await here.desk.getByRole('heading', { name: 'As they are', level: 1 }).waitFor();
});

test('a secret that is told while its page is left is there when one comes back, until the page goes', async () => {
  const secret = here.desk.getByRole('textbox', { name: 'Secret' });
  const leave = async () => {
    // As a pressed notification does.
    await here.desk.evaluate(() => {
      location.hash = '#/settings/labels';
    });
    await here.desk.getByRole('heading', { name: 'Labels', level: 1 }).waitFor();
  };
  const comeBack = async (page: string) => {
    await here.desk.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: page }).click();
    await here.desk.getByRole('heading', { name: page, level: 1 }).waitFor();
  };
  const make = async (page: string, noun: string, fields: Record<string, string>) => {
    const path = page.toLowerCase();
    await here.open(`settings/${path}`, page);
    const { sent, letGo } = await holdNext(`**/${path}`);
    await button(`New ${noun}`).click();
    for (const [label, value] of Object.entries(fields)) await here.dialog().getByLabel(label).fill(value);
    await here
      .dialog()
      .getByRole('button', { name: `Save ${noun}` })
      .click();
    await sent;
    await leave();
    letGo();
    await comeBack(page);
    await secret.waitFor();
    const told = await secret.inputValue();
    await leave();
    await comeBack(page);
    expect(await secret.count()).toBe(0);
    return told;
  };
  expect(await make('Agents', 'agent', { Name: 'Linus', 'E-mail': 'linus@example.org' })).toContain(
    '#token=',
  );
  const webhook = { Name: 'Depot', Address: `${here.receiver.url}/hook` };
  expect((await make('Webhooks', 'webhook', webhook)).length).toBeGreaterThan(20);
});

test('of two quick choices the later one stays', async () => {
  const { conversation, close } = await here.talk('The visitor who is more and more urgent');
  const path = `**/conversations/${conversation}/toggle_priority`;
  const priority = here.desk.locator('.assignment').getByLabel('Priority');
  const { sent, letGo } = await holdNext(path);
  const answered: unknown[] = [];
  here.desk.on('response', (response) => {
    if (response.url().endsWith('/toggle_priority')) answered.push(response.request().postDataJSON());
  });
  await priority.selectOption('low');
  await sent;
  await priority.selectOption('urgent');
  // The way to the service is open, and has been gone since.
  await here.field().fill('We are on it');
  await here.field().press('Enter');
  await expect.poll(() => agent(here.service).contents(conversation)).toContain('We are on it');
  letGo();
  await expect.poll(() => answered).toEqual([{ priority: 'low' }, { priority: 'urgent' }]);
  const { body } = await here.service.agent('GET', `${account}/conversations/${conversation}`);
  expect(body).toMatchObject({ priority: 'urgent' });
  await close();
});

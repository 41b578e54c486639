/** An administrator deletes a contact; who has their conversation before them sees it go, and the visitor begins anew. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { say } from '../support/around.js';
import { chat, openShop } from '../support/browser.js';
import { type Console, startConsole } from '../support/console.js';
import { startMs } from '../support/service.js';

let here: Console;
beforeAll(async () => {
  here = await startConsole();
}, startMs);
afterAll(() => here.end());

const shape = z.object({ meta: z.object({ sender: z.object({ id: z.number() }) }) });

test('a contact is deleted after a question, with their conversations, for everybody at once', async () => {
  const { page, conversation, close } = await here.talk('Please forget that I was here');
  const path = `/api/v1/accounts/1/conversations/${conversation}`;
  const { sender } = shape.parse((await here.service.agent('GET', path)).body).meta;
  const colleague = await openShop(here.browser, here.service.consoleUrl);
  await colleague.page.goto(`${here.service.url}/agent/#/${conversation}`);
  await colleague.page.getByRole('log').getByText('Please forget that I was here').waitFor();
  await colleague.page.getByText(/^Live, signed in as/).waitFor();

  await here.desk.goto(`${here.service.url}/agent/#/contacts/${sender.id}`);
  const button = here.desk.getByRole('button', { name: 'Delete contact' });
  await button.click();
  await here.dialog().getByRole('button', { name: 'Cancel' }).click();
  expect((await here.service.agent('GET', path)).status).toBe(200);
  await button.click();
  await here.dialog().getByRole('button', { name: 'Delete for good' }).press('Enter');
  await here.done('Contact deleted.');
  await here.desk.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
  expect((await here.service.agent('GET', path)).status).toBe(404);
  const list = colleague.page.getByRole('navigation', { name: 'Conversations' });
  await list.getByText('Please forget that I was here').waitFor({ state: 'detached' });

  // The visitor's next words are of somebody new.
  await say(here.service, page, 'Hello once more');
  await chat(page).bubble('Please forget that I was here').waitFor({ state: 'detached' });
  await colleague.close();
  await close();
});

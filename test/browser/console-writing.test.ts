/** What an agent writes with, in a real browser before a real service: quotes, canned answers, questions, the keys. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agent } from '../support/browser.js';
import { type Console, startConsole } from '../support/console.js';
import { startMs } from '../support/service.js';

let here: Console;
beforeAll(async () => {
  here = await startConsole();
}, startMs);
afterAll(() => here.end());

const account = '/api/v1/accounts/1';
const quoting = () => here.desk.getByRole('button', { name: 'Do not quote' });

test('what was deleted meanwhile is not quoted, wherever the agent was', async () => {
  const other = await here.talk('The visitor beside');
  const { conversation, close } = await here.talk('Which lamp?');
  const say = async (content: string) => {
    await agent(here.service).tell(conversation, { content });
    await here.log().getByText(content).waitFor();
    const told = await agent(here.service).messages(conversation);
    return told.find((one) => one.content === content)?.id;
  };
  const quote = async (content: string) => {
    await here.desk.getByRole('button', { name: `Quote “${content}”` }).click();
    await quoting().waitFor();
  };
  const take = (id: number | undefined) =>
    here.service.agent('DELETE', `${account}/conversations/${conversation}/messages/${id}`);
  const first = await say('The secret price');
  await quote('The secret price');
  await take(first);
  await quoting().waitFor({ state: 'detached' });

  const second = await say('The other price');
  await quote('The other price');
  const list = here.desk.getByRole('navigation', { name: 'Conversations' });
  await list.getByRole('button', { name: 'The visitor beside' }).click();
  await here.log().getByText('The visitor beside').waitFor();
  await here.desk.context().setOffline(true);
  await take(second);
  await here.desk.context().setOffline(false);
  await here.desk.evaluate((id) => {
    location.hash = `#/${id}`;
  }, conversation);
  await expect.poll(() => here.log().getByText('This message was deleted').count()).toBe(2);
  await expect.poll(() => quoting().count()).toBe(0);
  await other.close();
  await close();
});

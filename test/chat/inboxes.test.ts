/** One service, two shops with a chat each: what a proven visitor has said to the other one is not gone on with here. */
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { newProfile, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, proven, say, open, reads, answer } = await useVisitors();
const inboxSchema = z.object({ id: z.number(), inbox_identifier: z.string(), hmac_token: z.string() });

/** The same visitor says something in another inbox. @returns the number of the conversation there */
async function elsewhere(identifier: string, words: string): Promise<number> {
  const made = await service.agent('POST', '/api/v1/accounts/1/inboxes', {
    name: 'The other shop',
    channel: { type: 'api' },
  });
  const inbox = inboxSchema.parse(made.body);
  const identifier_hash = createHmac('sha256', inbox.hmac_token).update(identifier).digest('hex');
  const path = `/public/api/v1/inboxes/${inbox.inbox_identifier}/contacts`;
  const contact = await service.call('POST', path, { identifier, identifier_hash });
  const { source_id } = z.object({ source_id: z.string() }).parse(contact.body);
  const conversations = `${path}/${source_id}/conversations`;
  const { id } = z.object({ id: z.number() }).parse((await service.call('POST', conversations, {})).body);
  expect((await service.call('POST', `${conversations}/${id}/messages`, { content: words })).status).toBe(
    200,
  );
  return id;
}

test('who was named again goes on with what they said here, and hears nothing of the other inbox', async () => {
  const tab = open(newProfile());
  await proven(tab, 'lise');
  await say(tab, 'Said here');
  const other = await elsewhere('lise', 'Said to the other shop');
  expect((await tab.chat.logout()).ok).toBe(true);
  await until(tab.chat.$rows, (rows) => rows?.length === 0);
  await proven(tab, 'lise');
  await reads(tab, ['Said here']);
  await until(tab.chat.$line, (line) => line === 'live');
  await answer(other, 'An answer of the other shop');
  await tab.chat.listConversations();
  await until(tab.chat.$conversations, (lines) => lines !== undefined);
  expect(tab.chat.$conversations.get()?.map(({ last }) => last?.content)).toEqual(['Said here']);
  const here = tab.front.$home.get() ?? 0;
  await answer(here, 'An answer from here');
  await until(tab.chat.$news, (news) => news.length > 0);
  expect(tab.chat.$news.get().map(({ content }) => content)).toEqual(['An answer from here']);
});

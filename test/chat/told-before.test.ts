/** What the visitor answers and the host page says before a conversation is there, and what of it is kept for the next. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { hold, startFaultProxy } from '../support/fault-proxy.js';
import { newProfile, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, open, say } = await useVisitors();

const attributes = z.tuple([
  z.object({
    email: z.string().nullable(),
    name: z.string(),
    custom_attributes: z.record(z.string(), z.unknown()),
  }),
]);
const storedOf = async (conversation: number) => {
  const [row] = attributes.parse(
    await service.db.query(
      `select k.email, k.name, c.custom_attributes from conversations c
       join contacts k on k.id = c.contact_id where c.display_id = $1`,
      [conversation],
    ),
  );
  return row;
};

test('what was told before the first words goes with contact and conversation, and is not kept', async () => {
  const profile = newProfile();
  const tab = open(profile);
  expect(await until(tab.chat.$known, (known) => known !== undefined)).toEqual([]);
  await tab.chat.tellAbout(
    { contact: { name: 'Grace', email: 'grace@example.com' }, conversation: { topic: 'Lamps', terms: true } },
    ['name', 'email', 'terms', 'topic', 'left blank'],
    ['name', 'email', 'terms'],
  );
  // Another page does not ask again.
  tab.close();
  const next = open(profile);
  const known = await until(
    next.chat.$known,
    (names) => names !== undefined && names !== null && names.length > 0,
  );
  expect([...new Set(known)].sort()).toEqual(['email', 'left blank', 'name', 'terms', 'topic']);
  expect(await next.chat.kept()).toMatchObject({ about: { email: 'grace@example.com', topic: 'Lamps' } });
  const conversation = await say(next, 'with what I told');
  expect(await storedOf(conversation)).toEqual({
    email: 'grace@example.com',
    name: 'Grace',
    custom_attributes: { topic: 'Lamps', terms: true },
  });
  expect(await next.chat.kept()).toMatchObject({ about: {} });
  expect(next.chat.$known.get()).toBe(null);
  // A new conversation asks for its own facts only.
  await next.chat.newConversation();
  expect(next.chat.$known.get()).toEqual(['name', 'email', 'terms']);
});

test('of who is known by their e-mail already the rest is told, too', async () => {
  const email = 'mary@example.com';
  const known = await service.agent('POST', '/api/v1/accounts/1/contacts', {
    name: 'M. Somerville',
    email,
  });
  expect(known.status).toBe(200);
  const tab = open(newProfile());
  await tab.chat.describe({ custom_attributes: { shelf: 'upper' } });
  const contact = { name: 'Mary Somerville', email, phone_number: '+4670111222' };
  await tab.chat.tellAbout({ contact, conversation: {} }, Object.keys(contact), []);
  const conversation = await say(tab, 'from another device');
  expect(await storedOf(conversation)).toMatchObject({ email, name: 'Mary Somerville' });
  const stored = () =>
    service.db.query(
      `select k.phone_number, k.custom_attributes ->> 'shelf' as shelf from conversations c
       join contacts k on k.id = c.contact_id where c.display_id = $1`,
      [conversation],
    );
  await expect.poll(stored).toEqual([{ phone_number: contact.phone_number, shelf: 'upper' }]);
  expect(await tab.chat.kept()).toMatchObject({ about: {} });
});

test('what is told while the conversation is being made waits for the next one', async () => {
  const proxy = await startFaultProxy(service.url);
  const tab = open(newProfile(), {}, { baseUrl: proxy.url });
  const slow = hold('after');
  proxy.rule(({ method, path }) =>
    method === 'POST' && path.endsWith('/conversations') ? slow.fault : undefined,
  );
  const told = (conversation: Record<string, string>) =>
    tab.chat.tellAbout({ contact: {}, conversation }, Object.keys(conversation), []);
  await told({ page: '/shop', topic: 'Beds' });
  const first = say(tab, 'made with what was told');
  await slow.caught;
  await told({ page: '/cart' });
  slow.release();
  expect((await storedOf(await first)).custom_attributes).toEqual({ page: '/shop', topic: 'Beds' });
  expect(await tab.chat.kept()).toMatchObject({ about: { page: '/cart' } });
  await tab.chat.newConversation();
  expect((await storedOf(await say(tab, 'and the next one'))).custom_attributes).toEqual({ page: '/cart' });
  await proxy.stop();
});

test('facts that the service does not take as the contact’s own are read with the conversation', async () => {
  const tab = open(newProfile());
  await tab.chat.tellAbout(
    { contact: { name: 'Jo', phone_number: '12' }, conversation: {} },
    ['name'],
    ['name'],
  );
  const conversation = await say(tab, 'call me');
  expect((await storedOf(conversation)).custom_attributes).toMatchObject({ phone_number: '12' });
});

test('what is told to a known contact reaches it, too', async () => {
  const tab = open(newProfile());
  await say(tab, 'hello');
  await tab.chat.newConversation();
  await tab.chat.tellAbout({ contact: { name: 'Late' }, conversation: {} }, ['name'], ['name']);
  expect((await storedOf(await say(tab, 'by the way'))).name).toBe('Late');
});

test('what is told of another conversation reaches the contact where the inbox is locked to one', async () => {
  const tab = open(newProfile());
  const only = await say(tab, 'the first and only one');
  const lock = (locked: boolean) =>
    service.db.query('update inboxes set lock_to_single_conversation = $1 where id = 1', [locked]);
  await lock(true);
  try {
    await tab.chat.newConversation();
    await tab.chat.tellAbout({ contact: {}, conversation: { topic: 'Chairs' } }, ['topic'], []);
    expect(await say(tab, 'in the same one')).toBe(only);
  } finally {
    await lock(false);
  }
  const stored = await service.db.query(
    `select k.custom_attributes from conversations c join contacts k on k.id = c.contact_id where c.display_id = $1`,
    [only],
  );
  expect(stored).toEqual([{ custom_attributes: { topic: 'Chairs' } }]);
  expect(await tab.chat.kept()).toMatchObject({ about: {} });
});

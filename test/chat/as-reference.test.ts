/** Visitors of a service that answers as the public deployment does, in all that it is looser in or says less of. */
import { expect, test } from 'vitest';
import { visit } from '../support/service.js';
import { newProfile, type Tab, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { service, open, say, answer, reads, saidIn, proven, hashOf, contactOf } = await useVisitors({
  asReference: true,
});

const contactWith = async (words: string) => {
  const [row] = await service.db.query<{ id: number; identifier: string | null; email: string | null }>(
    `select k.id, k.identifier, k.email from messages m join conversations c on c.id = m.conversation_id
     join contacts k on k.id = c.contact_id where m.content = $1`,
    [words],
  );
  return row;
};

const lives = (tab: Tab) => until(tab.chat.$line, (line) => line === 'live');

test('nobody in particular writes, is answered, and goes on in another tab and on another page', async () => {
  const profile = newProfile();
  const tab = open(profile);
  const home = await say(tab, 'Good day');
  await answer(home, 'Good day to you');
  await reads(tab, ['Good day', 'Good day to you']);
  const beside = open(profile);
  await reads(beside, ['Good day', 'Good day to you']);
  tab.close();
  beside.close();
  const later = open(profile);
  expect(await say(later, 'And good night')).toBe(home);
  await reads(later, ['Good day', 'Good day to you', 'And good night']);
});

test('words of a page with a wrong proof leave as nobody’s, and without delay', async () => {
  // Whoever waited for a busy service would wait as long as it may.
  const tab = open(newProfile(), { random: () => 0.999 });
  const wrong = { identifier: 'mallory', identifier_hash: 'f'.repeat(64) };
  const told = tab.chat.identify(wrong);
  await tab.chat.send('Whose am I?');
  expect(await told).toMatchObject({ ok: false, error: { kind: 'http', status: 500 } });
  await saidIn(tab, 'Whose am I?');
  expect(await contactWith('Whose am I?')).toMatchObject({ identifier: null });
  expect(await contactOf('mallory')).toEqual([]);
});

test('who proves who they are has their name, though somebody else has left their address', async () => {
  await visit(service, { email: 'ida@example.com' });
  const profile = newProfile();
  const who = {
    identifier: 'ida',
    identifier_hash: hashOf('ida'),
    name: 'Ida',
    email: 'ida@example.com',
    custom_attributes: { shelf: 7 },
  };
  const tab = open(profile);
  expect((await tab.chat.identify(who)).ok).toBe(true);
  const home = await say(tab, 'It is Ida');
  expect(await contactWith('It is Ida')).toMatchObject({ identifier: 'ida', email: 'ida@example.com' });
  tab.close();
  // Of somebody proven the service lists nothing: the browser knows the conversation.
  const later = open(profile);
  expect((await later.chat.identify(who)).ok).toBe(true);
  await reads(later, ['It is Ida']);
  await lives(later);
  await answer(home, 'Welcome back, Ida');
  await reads(later, ['It is Ida', 'Welcome back, Ida']);
  expect((await contactOf('ida')).map(({ hmac_verified }) => hmac_verified)).toContain(true);
});

test('another device of somebody proven hears what is said on the first from then on', async () => {
  const first = open(newProfile());
  expect((await proven(first, 'grace')).ok).toBe(true);
  const home = await say(first, 'From the phone');
  const second = open(newProfile());
  expect((await proven(second, 'grace')).ok).toBe(true);
  await say(second, 'From the desk');
  expect((await contactWith('From the desk'))?.id).toBe((await contactWith('From the phone'))?.id);
  await answer(home, 'To the phone');
  await reads(first, ['From the phone', 'To the phone']);
});

test('who gives somebody’s address before the chat is taken for them, and their words leave', async () => {
  await visit(service, { identifier: 'karen', email: 'karen@example.com' });
  const tab = open(newProfile());
  await tab.chat.tellAbout(
    { contact: { email: 'karen@example.com', name: 'K' }, conversation: {} },
    ['email', 'name'],
    [],
  );
  const home = await say(tab, 'Where is it?');
  expect(await contactWith('Where is it?')).toMatchObject({ identifier: 'karen' });
  await answer(home, 'On its way');
  await reads(tab, ['Where is it?', 'On its way']);
});

test('what is refused is left out by the name that the service gives, and the rest is taken', async () => {
  const tab = open(newProfile());
  const told = await tab.chat.identify({
    identifier: 'otto',
    identifier_hash: hashOf('otto'),
    email: 'no address',
    custom_attributes: { shelf: 7 },
  });
  expect(told).toMatchObject({ ok: false, error: { status: 422, fields: [{ field: 'email' }] } });
  await say(tab, 'No address');
  expect(await contactOf('otto')).toMatchObject([
    { email: null, custom_attributes: { shelf: 7 }, hmac_verified: true },
  ]);
});

test('a contact that was deleted is made anew, though the socket says nothing of the old one', async () => {
  const profile = newProfile();
  const before = open(profile);
  await say(before, 'Soon forgotten');
  const contact = await contactWith('Soon forgotten');
  await lives(before);
  before.close();
  for (const sql of [
    'delete from messages where conversation_id in (select id from conversations where contact_id = $1)',
    'delete from conversations where contact_id = $1',
    'delete from contacts where id = $1',
  ])
    await service.db.query(sql, [contact?.id]);
  const after = open(profile);
  const home = await say(after, 'Once more');
  await lives(after);
  await answer(home, 'Hello anew');
  await reads(after, ['Once more', 'Hello anew']);
});

/**
 * Whoever is named without a proof where somebody has proven that name, or proves it later: what they have said stays
 * before them from page to page, and is everywhere theirs once it is proven here, too.
 */
import { expect, test } from 'vitest';
import { newProfile, type Profile, type Tab, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { open, proven, say, answer, reads, contactOf } = await useVisitors();

function quiet(profile: Profile): Tab {
  const tab = open(profile);
  tab.front.$objection.listen((objection) => expect(objection).toBeUndefined());
  return tab;
}
const conversationsOf = async (tab: Tab, count: number) => {
  await tab.chat.listConversations();
  await until(tab.chat.$conversations, (all) => all?.length === count);
};

test('a name that another device has proven keeps its conversation here from page to page, and is that one once it is proven', async () => {
  const laptop = open(newProfile());
  expect(await proven(laptop, 'vera')).toMatchObject({ ok: true });
  await say(laptop, 'From the laptop');
  const profile = newProfile();
  const vera = { identifier: 'vera', name: 'Vera', custom_attributes: { shelf: 7 } };
  const phone = quiet(profile);
  await phone.chat.identify(vera);
  const id = await say(phone, 'From the phone');
  await answer(id, 'To the phone');
  await reads(phone, ['From the phone', 'To the phone']);
  // As a page with a router says it.
  await phone.chat.identify(vera);
  await say(phone, 'And once more');
  phone.close();
  expect(await contactOf('vera')).toMatchObject([{ hmac_verified: true, custom_attributes: {} }]);

  const later = quiet(profile);
  await later.chat.identify(vera);
  await reads(later, ['From the phone', 'To the phone', 'And once more']);
  await say(later, 'On the next page');
  expect(await proven(later, 'vera')).toMatchObject({ ok: true });
  await say(later, 'And proven');
  await reads(later, ['From the phone', 'To the phone', 'And once more', 'On the next page', 'And proven']);
  await conversationsOf(later, 2);
  await conversationsOf(laptop, 2);
});

test('an open chat whose name is proven on another device goes on as it was', async () => {
  const phone = quiet(newProfile());
  await phone.chat.identify({ identifier: 'bea', name: 'Bea' });
  const id = await say(phone, 'Before it was proven');
  const laptop = open(newProfile());
  await proven(laptop, 'bea');
  await say(laptop, 'By Bea herself');
  await say(phone, 'After it was proven');
  await answer(id, 'Heard');
  await reads(phone, ['Before it was proven', 'After it was proven', 'Heard']);
  await reads(laptop, ['By Bea herself']);
});

test('a shop that begins to sign takes no conversation from a device that comes after another one', async () => {
  const profile = newProfile();
  const before = open(profile);
  await before.chat.identify({ identifier: 'una' });
  const id = await say(before, 'Old question');
  await answer(id, 'Old answer');
  await reads(before, ['Old question', 'Old answer']);
  before.close();
  const laptop = open(newProfile());
  await proven(laptop, 'una');
  await say(laptop, 'From the laptop');
  const after = quiet(profile);
  expect(await proven(after, 'una')).toMatchObject({ ok: true });
  await reads(after, ['Old question', 'Old answer']);
  await conversationsOf(after, 2);
  await conversationsOf(laptop, 2);
});

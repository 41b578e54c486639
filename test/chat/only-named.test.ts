/** Whoever is named without a proof where somebody has proven that name: their words leave all the same, as nobody's. */
import { expect, test } from 'vitest';
import { newProfile, type Tab, until } from '../support/tab.js';
import { useVisitors } from '../support/visitors.js';

const { open, proven, say, reads, contactOf, saidIn } = await useVisitors();

function objectionsOf(tab: Tab) {
  const objections: unknown[] = [];
  tab.front.$objection.listen((objection) => objections.push(objection));
  return objections;
}
const taken = { error: { status: 422, fields: [{ field: 'identifier' }] } };

test('a name that another device has proven writes as nobody, and as itself once it is proven here', async () => {
  const laptop = open(newProfile());
  expect(await proven(laptop, 'vera')).toMatchObject({ ok: true });
  await say(laptop, 'From the laptop');
  const phone = open(newProfile());
  const objections = objectionsOf(phone);
  await phone.chat.identify({ identifier: 'vera', name: 'Vera', custom_attributes: { shelf: 7 } });
  await say(phone, 'From the phone');
  expect(objections).toMatchObject([taken]);
  expect(await contactOf('vera')).toMatchObject([{ hmac_verified: true, custom_attributes: {} }]);
  await say(phone, 'And once more');
  expect(objections).toHaveLength(1);
  expect(await proven(phone, 'vera')).toMatchObject({ ok: true });
  await reads(phone, ['From the laptop']);
  await say(phone, 'From both');
  await reads(laptop, ['From the laptop', 'From both']);
});

test('an open chat whose name is proven on another device goes on as nobody, and loses no word', async () => {
  const phone = open(newProfile());
  const objections = objectionsOf(phone);
  await phone.chat.identify({ identifier: 'bea', name: 'Bea' });
  await say(phone, 'Before it was proven');
  const laptop = open(newProfile());
  await proven(laptop, 'bea');
  await say(laptop, 'By Bea herself');
  expect((await phone.chat.send('After it was proven')).ok).toBe(true);
  await saidIn(phone, 'After it was proven');
  expect(objections).toMatchObject([taken]);
  await until(laptop.chat.$rows, (rows) => rows?.length === 1);
  expect(await contactOf('bea')).toHaveLength(2);
  await proven(phone, 'bea');
  await reads(phone, ['By Bea herself']);
});

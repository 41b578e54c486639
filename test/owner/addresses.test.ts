/** An address of e-mail that the chat takes is one that the service takes: else the visitor is refused without a word. */
import { expect, test } from 'vitest';
import { emailText } from '../../demo/service/http/fields.js';
import { isEmail } from '../../src/asks/typed.js';

test.each([
  'ada@example.com',
  'ada.lovelace+chat@mail.example.co.uk',
  "o'hara_&-1@xn--bcher-kva.example",
  'ада@пример.рф',
  `${'a'.repeat(64)}@example.com`,
])('%s is one, here and there', (address) => {
  expect([isEmail(address), emailText.safeParse(address).success]).toEqual([true, true]);
});

test.each([
  '',
  'ada',
  'ada@example',
  '@example.com',
  'ada@',
  'ada@@example.com',
  'ada lovelace@example.com',
  'Ada <ada@example.com>',
  '<ada@example.com>',
  '(ada@example.com)',
  'mailto:ada@example.com',
  '"ada"@example.com',
  'ada\\@example.com',
  'ada@example.com, bob@example.com',
  'ada@example.com;bob@example.com',
  'ada@exa(mple).com',
])('%s is none, neither here nor there', (address) => {
  expect([isEmail(address), emailText.safeParse(address).success]).toEqual([false, false]);
});

test.each(['ada@example..com', 'ada@.example.com', 'ada@example.com>', 'ada@example.com,'])(
  'the chat asks for more than the service: %s is none',
  (address) => {
    expect(isEmail(address)).toBe(false);
  },
);

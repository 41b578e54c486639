/** Patterns that an account has written, held against anyone's words: in little time, whatever they are. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMatchers, isSlow } from '../../demo/service/domain/patterns.js';
import {
  type Answer,
  errorBody,
  inboxPath,
  startMs,
  startTestService,
  type TestService,
} from '../support/service.js';
import { spending } from '../support/spent.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
}, startMs);
afterAll(() => service.end());

function refusal(answer: Answer) {
  expect(answer.status).toBe(422);
  return errorBody.parse(answer.body).errors;
}

test('patterns that explode stop nobody for long, however many they are', async () => {
  const keys = Array.from({ length: 20 }, (_, n) => `trap_${n}`);
  // As it may have been written before such patterns were refused.
  await service.db.query(
    `insert into custom_attribute_definitions (account_id, attribute_display_name, attribute_display_type,
       attribute_key, attribute_model, regex_pattern)
     select 1, 'Trap', 'text', unnest($1::text[]), 'contact_attribute', '^(a+)+$'`,
    [keys],
  );
  const traps = Object.fromEntries(keys.map((key) => [key, `${'a'.repeat(60)}!`]));
  const spent = spending();
  const errors = refusal(await service.call('POST', `${inboxPath}/contacts`, { custom_attributes: traps }));
  expect(spent()).toBeLessThan(1500);
  expect(errors).toHaveLength(20);
  expect(errors[0]).toEqual({
    field: 'custom_attributes.trap_0',
    message: 'does not have the expected form',
    code: 'invalid_format',
  });
  // A machine that stands still for a tenth of a second leaves no time for any pattern.
  const fits = { custom_attributes: { trap_0: 'aa' } };
  await expect.poll(async () => (await service.call('POST', `${inboxPath}/contacts`, fits)).status).toBe(200);
});

test('the patterns of an account stop nobody for long, however often they are tried, and each other account has its own time', async () => {
  await service.db.query(
    `insert into custom_attribute_definitions (account_id, attribute_display_name, attribute_display_type,
       attribute_key, attribute_model, regex_pattern)
     values (1, 'Cube', 'text', 'cube', 'contact_attribute', '^.*.*.*=.*$')`,
  );
  const spent = spending();
  const ask = (cube: string) =>
    service.call('POST', `${inboxPath}/contacts`, { custom_attributes: { cube } });
  const answers = await Promise.all(Array.from({ length: 40 }, () => ask('a'.repeat(1500))));
  // Each alone has a tenth of a second.
  expect(spent()).toBeLessThan(3000);
  for (const answer of answers)
    expect(refusal(answer)).toEqual([expect.objectContaining({ code: 'invalid_format' })]);
  const matcher = createMatchers();
  for (let tries = 0; tries < 20; tries++) matcher(1)('^.*.*.*=.*$', 'a'.repeat(1500));
  expect(['b', 'c'].map((text) => matcher(1)('^b$', text))).toEqual([false, false]);
  await expect.poll(() => ['b', 'c'].map((text) => matcher(2)('^b$', text))).toEqual([true, false]);
});

test.each(['^(a+)+$', '^(\\w+\\s?)*$', '^([^,]+,?)+;$', '^(\\d+)*x$', '(x+x+)+y', '^(.*)*;$'])(
  'a pattern that explodes is refused where it is written: %s',
  (pattern) => expect(isSlow(pattern)).toBe(true),
);

test.each([
  '^[A-Z]{2}-\\d+$',
  '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$',
  '^\\+[1-9]\\d{1,14}$',
  '^.*-.*-.*$',
  '^[abcdefghijklmnopqrstuvwxyzäöüß]*$',
  '^https?://[^/]+(/[^/]*)*$',
  '^\\s*(.*?)\\s*$',
])('a pattern such as people write is no such: %s', (pattern) => expect(isSlow(pattern)).toBe(false));

/**
 * Operations against requests that their own description calls wrong: refused as specified, nothing written. Those of
 * the specification and what visitors use get all that they get in the long run, the console's a third.
 */
import { describe, expect, test } from 'vitest';
import { operations, useRefusals } from '../support/refusals.js';
import { visit } from '../support/service.js';
import { payloads } from '../support/spoil.js';
import { operations as specification } from './specification.js';

const { service, refuses } = useRefusals();
type Operation = (typeof operations)[number];
const isSpecified = ({ method, path }: Operation) =>
  specification.some((line) => line.method === method && line.path === path);
const isOpen = (operation: Operation) => isSpecified(operation) || operation.path.startsWith('/public/');

test('all that is specified is described', () => {
  expect(operations.filter(isSpecified)).toHaveLength(specification.length);
});

describe.each(operations.filter(isOpen))('$name', (operation) => {
  test('refuses 300 requests that do not fit, and writes nothing', () => refuses(operation, 300));
});

describe.each(operations.filter((operation) => !isOpen(operation)))('$name', (operation) => {
  test('refuses 100 requests that do not fit, and writes nothing', () => refuses(operation, 100));
});

test('hostile text that fits is kept as it was written, and harms nothing', async () => {
  const visitor = await visit(service());
  for (const text of payloads) {
    const sent = await service().call('POST', `${visitor.path}/messages`, { content: text });
    expect(sent.body).toMatchObject({ content: text });
    await service().call('PATCH', visitor.contactPath, { name: text, custom_attributes: { note: text } });
    expect((await service().call('GET', visitor.contactPath)).body).toMatchObject({ name: text });
    const q = encodeURIComponent(text);
    expect((await service().agent('GET', `/api/v1/accounts/1/contacts/search?q=${q}`)).status).toBe(200);
    const found = await service().agent('GET', `/api/v1/accounts/1/conversations?q=${q}`);
    expect(JSON.stringify(found.body)).toContain(`"id":${visitor.conversationId}`);
  }
});

/** The agents' console among others: framed by nobody, asking nobody else, with headers that every proxy passes on. */
import type { Request } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop } from '../support/browser.js';
import { type Console, startConsole } from '../support/console.js';
import { proofOf, startMs, visit } from '../support/service.js';

let here: Console;
beforeAll(async () => {
  here = await startConsole();
}, startMs);
afterAll(() => here.end());

test('no header that the console sends is one that a proxy may leave out', async () => {
  const headers = new Set<string>();
  const note = (request: Request) => {
    for (const name of Object.keys(request.headers())) headers.add(name);
  };
  here.desk.on('request', note);
  await here.open('contacts', 'Contacts');
  await expect.poll(() => headers.has('api-access-token')).toBe(true);
  here.desk.off('request', note);
  // As nginx does where nobody tells it otherwise.
  expect([...headers].filter((name) => name.includes('_'))).toEqual([]);
});
test('no page frames the console, and nothing runs in it but its own files', async () => {
  const { page, close } = await openShop(here.browser, `${here.service.url}/`);
  const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await page.evaluate(() => {
    const frame = document.body.appendChild(document.createElement('iframe'));
    frame.src = '/agent/';
  });
  await refused;
  expect(await page.frameLocator('iframe').getByLabel('Access token').count()).toBe(0);
  await close();
  const answer = await fetch(`${here.service.url}/agent/`);
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self';");
});

test('a visitor’s picture at another host is not fetched by whoever looks at them', async () => {
  const visitor = await visit(here.service, {
    name: 'Far Picture',
    email: 'far@console.example',
    avatar_url: 'https://elsewhere.example/seen.png',
  });
  await here.service.call('POST', `${visitor.path}/messages`, { content: 'Do you see me?' });
  const asked: string[] = [];
  const record = (request: Request) => void asked.push(new URL(request.url()).host);
  here.desk.on('request', record);
  await here.desk.goto(`${here.service.url}/agent/#/${visitor.conversationId}/details`);
  await here.log().getByText('Do you see me?', { exact: true }).waitFor();
  await here.open(`contacts/${visitor.contactId}`, 'Far Picture');
  await here.desk.evaluate(() =>
    Promise.all([...document.images].map((image) => image.decode().catch(() => {}))),
  );
  here.desk.off('request', record);
  expect(asked).not.toContain('elsewhere.example');
});

test('an agent sees whom a visitor says to be where somebody else has proven it, until they have, too', async () => {
  const { desk, service } = here;
  const proof = await proofOf(service, 'somebody');
  const known = await visit(service, proof);
  await service.call('PATCH', known.contactPath, { name: 'Some Body' });
  const named = await visit(service, { identifier: proof.identifier, name: 'Any Body' });
  await service.call('POST', `${named.path}/messages`, { content: 'Am I somebody?' });
  await desk.goto(`${service.url}/agent/#/${named.conversationId}/details`);
  const details = desk.getByRole('region', { name: 'Visitor' });
  await details.getByText('somebody, without a proof').waitFor();
  await details.getByText('Any Body', { exact: true }).waitFor();
  expect((await service.call('PATCH', named.contactPath, proof)).status).toBe(200);
  await details.getByText('Some Body', { exact: true }).waitFor();
  await details.getByText('somebody', { exact: true }).waitFor();
  expect(await details.getByText('without a proof').count()).toBe(0);
});

test('an agent who looks at somebody hears that they have become one with another', async () => {
  const { desk, service } = here;
  const proof = await proofOf(service, 'twofold');
  const known = await visit(service, proof);
  await service.call('PATCH', known.contactPath, { name: 'Two Fold' });
  // Who says to be somebody becomes one with them once it is proven.
  const other = await visit(service, { identifier: proof.identifier, name: 'Any Fold' });
  const alert = desk.getByRole('alert');
  await here.open(`contacts/${other.contactId}`, 'Any Fold');
  expect((await service.call('PATCH', other.contactPath, proof)).status).toBe(200);
  await alert.getByText('This contact is not there any more').waitFor();
  await desk.getByRole('heading', { name: 'Any Fold', level: 1 }).waitFor();
  await here.open(`contacts/${known.contactId}`, 'Two Fold');
  expect(await alert.filter({ hasText: 'not there' }).count()).toBe(0);
});

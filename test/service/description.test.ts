/** The published description: whole, true to what is mounted, and readable by anyone. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { endpoints } from '../../demo/service/http/app.js';
import { namesOf, templateOf } from '../../demo/service/http/description/openapi.js';
import { checkAnswer, description } from '../support/described.js';
import { inboxPath, startMs, startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
}, startMs);
afterAll(() => service.end());

const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods));

test('every operation is described: its name, parameters, body, answer and refusals', () => {
  for (const { path, methods, told, schemas } of endpoints) {
    expect(told, `${methods} ${path} tells nothing of itself`).toBeDefined();
    for (const method of methods) {
      const operation = description.paths[templateOf(path)]?.[method];
      expect(operation?.summary, path).toMatch(/^[A-Z].*[^.]$/);
      const inPath = operation?.parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath?.map(({ name }) => name)).toEqual(namesOf(path));
      expect(operation?.requestBody !== undefined, path).toBe(schemas.body !== undefined);
      expect(Object.keys(operation?.responses ?? {}).filter((status) => status < '300')).toHaveLength(1);
      expect(operation?.responses.default, path).toBeDefined();
    }
  }
  const names = operations.map((operation) => operation.operationId);
  expect(new Set(names).size).toBe(names.length);
});

test('every reference leads to a shape, and every shape is used', () => {
  const text = JSON.stringify(description);
  const used = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1]);
  expect(new Set(used)).toEqual(new Set(Object.keys(description.components.schemas)));
  expect(text).not.toContain('$defs');
});

test('limits are told: lengths, ranges, choices and defaults', () => {
  const messages =
    '/public/api/v1/inboxes/{inbox_identifier}/contacts/{contact_identifier}/conversations/{conversation_id}/messages';
  const body = JSON.stringify(description.paths[messages]?.post?.requestBody);
  expect(body).toContain('"maxLength":150000');
  expect(body).toContain('attachments[]');
  const list = description.paths['/api/v1/accounts/{account_id}/contacts']?.get?.parameters ?? [];
  expect(list.find(({ name }) => name === 'page')?.schema).toMatchObject({
    type: 'integer',
    minimum: 1,
    default: 1,
  });
  expect(list.find(({ name }) => name === 'sort')?.schema.enum).toHaveLength(8);
});

test('/openapi.json is the same for programs, and needs no token', async () => {
  const { status, body, headers } = await service.call('GET', '/openapi.json');
  expect(status).toBe(200);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  const served = z.looseObject({ openapi: z.string(), paths: z.unknown(), components: z.unknown() });
  expect(served.parse(body)).toMatchObject({
    openapi: '3.1.0',
    paths: description.paths,
    components: description.components,
    servers: [{ url: service.url }],
  });
});

test('no cache on the way keeps what the API answers, whatever that is', async () => {
  const tokens = ['', service.apiAccessToken];
  for (const { path, methods } of endpoints) {
    for (const [method, token] of methods.flatMap((one) => tokens.map((token) => [one, token] as const))) {
      const url = service.url + path.replace(/:\w+/g, '1');
      const { headers } = await fetch(url, {
        method: method.toUpperCase(),
        headers: { api_access_token: token },
      });
      const isAccount = path.startsWith('/api/');
      const isApi = isAccount || path.startsWith('/public/');
      expect(headers.get('cache-control'), `${method} ${path}`).toBe(isApi ? 'no-store' : null);
      expect(headers.get('vary'), path).toBe(isAccount ? 'api_access_token, api-access-token' : null);
    }
  }
  const preflight = await fetch(`${service.url}${inboxPath}`, { method: 'OPTIONS' });
  expect(preflight.headers.get('vary')).toBe('Access-Control-Request-Headers');
});

test('an answer that is not as described is found out', () => {
  const url = 'http://localhost/health';
  expect(() => checkAnswer('GET', url, { status: 200, body: { status: 'ok' } })).not.toThrow();
  expect(() => checkAnswer('GET', url, { status: 200, body: { status: 'ok', more: 1 } })).toThrow(/more/);
  expect(() => checkAnswer('GET', url, { status: 418, body: '' })).toThrow(/418/);
});

const policy =
  /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/;

test('/docs names every operation and shape, without a script', async () => {
  const { status, body, headers } = await service.call('GET', '/docs');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^text\/html/);
  expect(headers.get('content-security-policy')).toMatch(policy);
  const page = z.string().parse(body);
  for (const { operationId } of operations) expect(page).toContain(`<article id="${operationId}">`);
  for (const name of Object.keys(description.components.schemas)) expect(page).toContain(`id="${name}"`);
  expect(/<script.{40}/.exec(page)).toBeNull();
  expect(/.{40}(\[object Object\]|undefined)/.exec(page)?.[0]).toBeUndefined();
});

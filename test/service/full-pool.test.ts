/**
 * All connections to PostgreSQL are taken while a form with a file is on its way:
 * 1. half of the form has come;
 * 2. the table of messages is locked, and so many readers wait for it that there is no connection left;
 * 3. the rest of the form comes, and cannot be stored.
 */
import { once } from 'node:events';
import http from 'node:http';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { filesBelow, png } from '../support/files.js';
import { hasPostgres, makeSharedPlace } from '../support/processes.js';
import { errorBody, startMs, startTestService, type Visitor, visit } from '../support/service.js';

const boundary = 'of-a-form';
const connections = 16;

/** @returns all of a form but its last line */
const begun = (field: string, bytes: Buffer) =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="a"\r\n\r\n`),
    bytes,
    Buffer.alloc(90_000),
  ]);

describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  test.each([
    [
      'message',
      ({ path }: Visitor) => ['POST', `${path}/messages`] as const,
      begun('attachments[]', Buffer.alloc(0)),
    ],
    [
      'picture',
      ({ contactId }: Visitor) => ['PUT', `/api/v1/accounts/1/contacts/${contactId}`] as const,
      begun('avatar', png),
    ],
  ])(
    'a %s that found no connection is told to come again, and leaves no file behind',
    async (_, goesTo, form) => {
      const place = await makeSharedPlace();
      const service = await startTestService({ limits: { connectionMs: 1000 } }, place);
      const holder = new pg.Client({ connectionString: place.databaseUrl });
      await holder.connect();
      const visitor = await visit(service);
      const reader = await visit(service);
      const [method, path] = goesTo(visitor);
      const request = http.request(service.url + path, {
        method,
        headers: {
          'Content-Type': `multipart/form-data; boundary=${boundary}`,
          api_access_token: service.apiAccessToken,
        },
      });
      request.write(form);
      await expect.poll(() => filesBelow(place.dataDir)).toHaveLength(1);
      await holder.query('begin');
      await holder.query('lock table messages in access exclusive mode');
      // Whom a busy machine connects too late is refused, and asks again.
      const readers = Array.from({ length: connections }, async () => {
        let status = 503;
        while (status === 503) ({ status } = await service.call('GET', `${reader.path}/messages`));
      });
      const waiting = 'select 1 from pg_locks where not granted';
      await expect.poll(async () => (await holder.query(waiting)).rows.length).toBe(connections);
      const answered = once(request, 'response');
      request.end(`\r\n--${boundary}--\r\n`);
      const [answer]: http.IncomingMessage[] = await answered;
      if (!answer) throw new Error('no answer came');
      const said: Buffer[] = await answer.toArray();
      await holder.query('rollback');
      await Promise.all(readers);
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '10']);
      expect(errorBody.parse(JSON.parse(Buffer.concat(said).toString())).errors[0]?.code).toBe('not_ready');
      expect(await filesBelow(place.dataDir)).toEqual([]);
      expect((await service.call('POST', `${visitor.path}/messages`, { content: 'again' })).status).toBe(200);
      await holder.end();
      await service.end();
    },
    startMs,
  );
});

/** What keeps a service in order: files that no row names, and the embedded database. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgetFiles, tidyDatabase } from '../../demo/service/jobs/daily.js';
import { createLog } from '../../demo/service/log.js';
import { openUploads } from '../../demo/service/uploads.js';
import { copyFirstStart } from '../support/first-start.js';
import { startMs, startTestService, type TestService, type Visitor, visit } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-daily-'));
  await copyFirstStart(dataDir);
  service = await startTestService(
    {},
    { dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) },
  );
}, startMs);
afterAll(() => service?.end());

const files = async (place: 'kept' | 'waiting' | 'unnamed' = 'kept') =>
  (await readdir(join(service.place.dataDir, 'uploads', place))).sort();

const form = (field: string, content: string, more: Record<string, string> = {}) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(more)) body.append(name, value);
  body.append(field, new Blob([content]), 'file.txt');
  return body;
};

const contactOf = ({ contactId }: Visitor) => `/api/v1/accounts/1/contacts/${contactId}`;

/** The first bytes of one. */
const picture = 'GIF89a\x01\x00\x01\x00';

test('what the database says no to leaves no file', async () => {
  const visitor = await visit(service);
  await service.db.query(
    `alter table messages add constraint no_cats check (content is distinct from 'cats') not valid`,
  );
  await service.db.query(`alter table contacts add constraint no_dog check (name <> 'dog') not valid`);
  const said = form('attachments[]', 'cats', { content: 'cats' });
  expect((await service.call('POST', `${visitor.path}/messages`, said)).status).toBe(500);
  const made = form('avatar', picture, { name: 'dog' });
  expect((await service.agent('PUT', contactOf(visitor), made)).status).toBe(500);
  expect([await files(), await files('waiting')]).toEqual([[], []]);
  await service.db.query('alter table messages drop constraint no_cats');
  await service.db.query('alter table contacts drop constraint no_dog');
});

test('files that nothing names are set aside, come back when they are named, and go in the end, unless they are most', async () => {
  const lines: string[] = [];
  const log = createLog('error', { write: (line) => void lines.push(line) });
  const uploads = await openUploads(service.place.dataDir);
  const forget = (ageMs: number, goneMs?: number) =>
    forgetFiles({ db: service.db, uploads }, log, ageMs, goneMs);
  const visitor = await visit(service);
  const send = () =>
    service.call('POST', `${visitor.path}/messages`, form('attachments[]', 'bytes', { content: 'a file' }));
  await send();
  await service.agent('PUT', contactOf(visitor), form('avatar', picture));
  const named = await files();
  expect(named).toHaveLength(2);
  await send();
  const others = 'from attachments where key <> all($1::text[])';
  await service.db.query(`create table others as select * ${others}`, [named]);
  await service.db.query(`delete ${others}`, [named]);
  expect(await files()).toHaveLength(3);
  await forget(3_600_000);
  expect(await files()).toHaveLength(3);
  await forget(0);
  expect([await files(), (await files('unnamed')).length]).toEqual([named, 1]);
  // As after a look into an older copy of the database.
  await service.db.query('insert into attachments select * from others');
  await forget(0);
  expect([(await files()).length, await files('unnamed')]).toEqual([3, []]);
  await service.db.query(`delete ${others}`, [named]);
  await forget(0);
  await forget(0, 0);
  expect([await files(), await files('unnamed')]).toEqual([named, []]);
  await service.db.query('drop table others');
  await service.db.query('delete from attachments');
  await service.db.query('delete from avatars');
  await forget(0);
  expect(await files()).toEqual(named);
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    expect.objectContaining({ job: 'daily', count: 2 }),
  ]);
});

test('the log of the embedded database is shortened, and its rows are counted', async () => {
  /** What a start after a crash reads again; what lies before it can go. */
  const length = async () => {
    const sql = 'select (pg_current_wal_lsn() - redo_lsn)::int as bytes from pg_control_checkpoint()';
    return (await service.db.query<{ bytes: number }>(sql))[0]?.bytes;
  };
  await service.db.query('create table filled (words text)');
  for (let times = 0; times < 15; times += 1)
    await service.db.query(`insert into filled select repeat('x', 1000) from generate_series(1, 5000)`);
  expect(await length()).toBeGreaterThan(50_000_000);
  await tidyDatabase(service.db);
  expect(await length()).toBeLessThan(100_000);
  const counted = `select reltuples::int as rows from pg_class where relname = 'filled'`;
  expect(await service.db.query(counted)).toEqual([{ rows: 75_000 }]);
  await service.db.query('drop table filled');
});

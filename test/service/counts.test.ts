/** The lines in which the number of conversations is kept: summed up when that saves something. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sumUp } from '../../demo/service/jobs/counts.js';
import { startMs, startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
}, startMs);
afterAll(() => service.end());

test('a thousand sums that are sums already stay as they are; a thousand changes become part of them', async () => {
  const add = (assignees: number, times: number) =>
    service.db.query(
      `insert into conversation_counts (account_id, inbox_id, status, assignee_id, number)
       select 1, 1, 'open', n, 1 from generate_series(1, $1::int) n, generate_series(1, $2::int) t`,
      [assignees, times],
    );
  const places = () => service.db.query('select ctid::text from conversation_counts order by ctid');
  await add(1500, 1);
  const before = await places();
  await service.db.query(sumUp);
  expect(await places()).toEqual(before);
  await add(600, 2);
  await service.db.query(sumUp);
  const sums =
    'select number, count(*) as count from conversation_counts where status = $1 group by 1 order by 1';
  expect(await service.db.query(sums, ['open'])).toEqual([
    { number: 1, count: 900 },
    { number: 3, count: 600 },
  ]);
});

/** What is written while the database is away and nobody asks for anything: a few lines, not a line each second. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startLoop } from '../../demo/service/jobs/loop.js';
import { createLog } from '../../demo/service/log.js';
import { openSharedBus } from '../../demo/service/shared-bus.js';
import type { Database } from '../../demo/service/store/database.js';

const lines: string[] = [];
const log = createLog('error', { write: (line) => void lines.push(line) });
beforeEach(() => {
  lines.length = 0;
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

const away = () => Promise.reject(new Error('the database is away'));
const quarterHourMs = 900_000;

test('work that fails is looked for less and less often, and as before once it goes again', async () => {
  let isAway = true;
  let looks = 0;
  const work = async () => {
    looks += 1;
    return isAway ? away() : false;
  };
  const loop = startLoop('work', work, 1000, log);
  await vi.advanceTimersByTimeAsync(quarterHourMs);
  expect(lines.length).toBeGreaterThan(25);
  expect(lines.length).toBeLessThan(40);
  isAway = false;
  loop.wake();
  await vi.advanceTimersByTimeAsync(0);
  looks = 0;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(looks).toBe(10);
  await loop.stop();
});

test('so it is with what other processes tell', async () => {
  let isAway = false;
  let looks = 0;
  const query = async <Row>(sql: string): Promise<Row[]> => {
    if (!sql.includes('from bus_events where') && !sql.includes('max(id)')) return [];
    if (sql.includes('order by id limit')) looks += 1;
    if (isAway) return away();
    return sql.includes('max(id)') ? ([{ id: 0 }] as Row[]) : [];
  };
  const db: Database = {
    query,
    transaction: (work) => work({ query }),
    listen: async () => async () => undefined,
    close: async () => undefined,
  };
  const bus = await openSharedBus(db, log);
  isAway = true;
  await vi.advanceTimersByTimeAsync(quarterHourMs);
  expect(looks).toBeGreaterThan(25);
  expect(looks).toBeLessThan(40);
  isAway = false;
  await vi.advanceTimersByTimeAsync(30_000);
  looks = 0;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(looks).toBe(10);
  await bus?.stop();
});

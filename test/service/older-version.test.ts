/** A version that is older than what has changed the tables last. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyFirstStart } from '../support/first-start.js';
import { hasPostgres, makeSharedPlace } from '../support/processes.js';
import { type Place, startMs, startTestService } from '../support/service.js';

const newer = `insert into migrations (name) values ('9999-later')`;

async function embedded(): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-older-'));
  await copyFirstStart(dataDir);
  return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) };
}

test(
  'it does not touch the embedded database, and says what to do',
  async () => {
    const place = await embedded();
    const service = await startTestService({}, place);
    await service.db.query(newer);
    await service.stop();
    for (let times = 0; times < 2; times += 1)
      await expect(startTestService({}, place)).rejects.toThrow(
        'The database in DATA_DIR is of a newer version: start that one, or go back to what was saved before it.',
      );
    await place.remove();
  },
  startMs,
);

test.skipIf(!hasPostgres)(
  'on PostgreSQL, where others are updated one by one, it goes on and says so',
  async () => {
    const place = await makeSharedPlace();
    const first = await startTestService({}, place);
    await first.db.query(newer);
    const lines: string[] = [];
    const older = await startTestService(
      { log: 'error', logTo: { write: (line) => void lines.push(line) } },
      place,
    );
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      expect.objectContaining({ schema: 'the database is of a newer version', newer: ['9999-later'] }),
    ]);
    await older.stop();
    await first.end();
  },
  startMs,
);

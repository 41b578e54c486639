/** Where the killed service keeps its data: a PostgreSQL with its usual safety, or the embedded database. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type LocalPostgres, startPostgres } from '../../demo/postgres.mjs';
import { eventually } from './eventually.js';
import { faultsOf, killAgainAndAgain, noFaults, type Survived } from './killing.js';
import { buildService } from './processes.js';
import { startedPlace } from './service.js';

const everyNth = 5;
/** `PARLEY_SEED` replays the deaths of a seed that failed, each as long after the one before. */
const seed = Number(process.env.PARLEY_SEED ?? Date.now() % 1_000_000);

function expectWhole(what: string, survived: Survived): void {
  const { acknowledged, unanswered, unansweredStored, conversations } = survived;
  console.log(
    `${what}: ${acknowledged} messages acknowledged, ${unanswered} without an answer of which ${unansweredStored} were stored, ${conversations} conversations`,
  );
  expect(faultsOf(survived)).toEqual(noFaults);
  expect(survived.keptCount).toBe(survived.countedCount);
  expect(acknowledged).toBeGreaterThan(0);
}

export async function killedOnPostgres(rounds: number): Promise<void> {
  const [built, folder] = [await buildService(), await mkdtemp(join(tmpdir(), 'parley-kill-'))];
  // The user of PostgreSQL is another one.
  await chmod(folder, 0o755);
  let postgres: LocalPostgres = await startPostgres(join(folder, 'postgres'));
  // The dead one's children need a moment to notice, and no other may start before.
  const startAgain = () =>
    eventually('PostgreSQL starts again', async () => {
      postgres = await startPostgres(join(folder, 'postgres'));
      return true;
    });
  try {
    const survived = await killAgainAndAgain(
      {
        main: built.main,
        env: async () => ({ DATA_DIR: folder, DATABASE_URL: postgres.url }),
        async alsoKill(round) {
          if (round % everyNth !== everyNth - 1 || !postgres.pid) return;
          process.kill(postgres.pid, 'SIGKILL');
          await postgres.stop();
          await startAgain();
        },
      },
      rounds,
      seed,
    );
    expectWhole(`PostgreSQL, ${rounds} deaths, seed ${seed}`, survived);
  } finally {
    await postgres.stop();
    await built.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

export async function killedOnEmbedded(rounds: number): Promise<void> {
  const [built, place] = [await buildService(), await startedPlace()];
  try {
    const survived = await killAgainAndAgain(
      { main: built.main, env: async () => ({ DATA_DIR: place.dataDir }) },
      rounds,
      seed,
    );
    expectWhole(`embedded database, ${rounds} deaths, seed ${seed}`, survived);
  } finally {
    await built.remove();
    await place.remove();
  }
}

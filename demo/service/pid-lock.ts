/**
 * Lets one process at a time open the embedded database. The lock is a file with the process's number and, where
 * the system tells it, the time it was started: numbers are used again, above all in containers. And with where that
 * number is one: another container, or another machine, cannot ask for it. Its owner touches the lock every so often,
 * and who cannot ask watches whether that happens.
 */
import { mkdir, readFile, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const heldHere = new Set<string>();

async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** Among which processes a number names one: those of a namespace, since the machine was started. */
async function placeOfNumbers(): Promise<string> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return `${boot.trim()}/${await readlink('/proc/self/ns/pid')}`;
  } catch {
    return '-';
  }
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** A lock is made and written one after the other; what is not whole for longer than this was never finished. */
const writingMs = 10_000;

async function isBeingWritten(file: string, text: string): Promise<boolean> {
  const facts = text.endsWith('\n') ? undefined : await stat(file).catch(() => undefined);
  return facts !== undefined && Date.now() - facts.mtimeMs < writingMs;
}

export interface Pace {
  /** Between two touches of the owner. */
  touchMs: number;
  /** How long one is waited for: it may be busy, and clocks of two machines are not compared. */
  watchMs: number;
}

const usual: Pace = { touchMs: 5000, watchMs: 20_000 };
const looksEach = 20;

const read = (file: string) => readFile(file, 'utf8').catch(() => '');

/** What changes with each touch, and with each owner. */
const signOf = async (file: string) =>
  `${await read(file)} ${(await stat(file).catch(() => undefined))?.mtimeMs}`;

async function isTouched(file: string, watchMs: number): Promise<boolean> {
  const before = await signOf(file);
  for (let look = 0; look < looksEach; look += 1) {
    await setTimeout(watchMs / looksEach);
    if ((await signOf(file)) !== before) return true;
  }
  return false;
}

async function isHeld(file: string, text: string, { watchMs }: Pace): Promise<boolean> {
  const [pidText = '', start = '', place] = text.trim().split(' ');
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  // Those of an older version do not tell theirs.
  if (place !== undefined && place !== (await placeOfNumbers())) return isTouched(file, watchMs);
  // Ours was asked for above: this is of one before us that had our number.
  return pid !== process.pid && runs(pid) && (start === '' || start === (await startOf(pid)));
}

/** @returns what is written in it */
async function take(file: string, inUse: Error, pace: Pace): Promise<string> {
  const mine = `${process.pid} ${await startOf(process.pid)} ${await placeOfNumbers()}\n`;
  for (;;) {
    try {
      await writeFile(file, mine, { flag: 'wx' });
      return mine;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const judged = await read(file);
    if ((await isBeingWritten(file, judged)) || (await isHeld(file, judged, pace))) throw inUse;
    // Another one that starts may have come to the same end, and its own lock lies there by now.
    if ((await read(file)) === judged) await rm(file, { force: true });
  }
}

/**
 * @param lost called when another process has taken the folder: this one was held up for so long that it seemed gone
 * @returns how to give the folder back
 */
export async function lockFolder(
  dataDir: string,
  pace = usual,
  lost = () => {},
): Promise<() => Promise<void>> {
  const file = resolve(join(dataDir, 'service.pid'));
  const inUse = new Error(
    `Another service already uses ${dataDir}: stop it, or give this one another DATA_DIR or a DATABASE_URL.`,
  );
  if (heldHere.has(file)) throw inUse;
  heldHere.add(file);
  let mine: string;
  try {
    await mkdir(dataDir, { recursive: true });
    mine = await take(file, inUse, pace);
  } catch (error) {
    heldHere.delete(file);
    throw error;
  }
  // Whoever was held up for longer than another one watches has lost it: touched, it would speak for the other.
  const touch = async () => {
    const written = await read(file);
    // Nothing is not an owner: somebody may have tidied up.
    if (written.endsWith('\n') && written !== mine) return lost();
    if (written !== mine) return;
    const now = new Date();
    await utimes(file, now, now).catch(() => undefined);
  };
  const touching = setInterval(() => void touch(), pace.touchMs).unref();
  return async () => {
    clearInterval(touching);
    if ((await read(file)) === mine) await rm(file, { force: true });
    heldHere.delete(file);
  };
}

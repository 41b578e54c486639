/**
 * Lets one process at a time open the embedded database. The lock is a file with the process's number and, where
 * the system tells it, the time it was started: numbers are used again, above all in containers.
 */
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const heldHere = new Set<string>();

async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
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

async function isHeld(text: string): Promise<boolean> {
  const [pidText = '', start = ''] = text.trim().split(' ');
  const pid = Number(pidText);
  // Ours was asked for above: this is of one before us that had our number.
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  return runs(pid) && (start === '' || start === (await startOf(pid)));
}

const read = (file: string) => readFile(file, 'utf8').catch(() => '');

async function take(file: string, inUse: Error): Promise<void> {
  const mine = `${process.pid} ${await startOf(process.pid)}\n`;
  for (;;) {
    try {
      return await writeFile(file, mine, { flag: 'wx' });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const judged = await read(file);
    if ((await isBeingWritten(file, judged)) || (await isHeld(judged))) throw inUse;
    // Another one that starts may have come to the same end, and its own lock lies there by now.
    if ((await read(file)) === judged) await rm(file, { force: true });
  }
}

/** @returns how to give the folder back */
export async function lockFolder(dataDir: string): Promise<() => Promise<void>> {
  const file = resolve(join(dataDir, 'service.pid'));
  const inUse = new Error(
    `Another service already uses ${dataDir}: stop it, or give this one another DATA_DIR or a DATABASE_URL.`,
  );
  if (heldHere.has(file)) throw inUse;
  heldHere.add(file);
  try {
    await mkdir(dataDir, { recursive: true });
    await take(file, inUse);
  } catch (error) {
    heldHere.delete(file);
    throw error;
  }
  return async () => {
    await rm(file, { force: true });
    heldHere.delete(file);
  };
}

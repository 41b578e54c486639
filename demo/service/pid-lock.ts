/**
 * Lets one process at a time open the embedded database. The lock is a file with the process's number and, where
 * the system tells it, the time it was started: numbers are used again, above all in containers.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
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

async function isHeld(file: string): Promise<boolean> {
  const [pidText = '', start = ''] = (await readFile(file, 'utf8').catch(() => '')).trim().split(' ');
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  if (pid === process.pid) return heldHere.has(file);
  return runs(pid) && (start === '' || start === (await startOf(pid)));
}

/** @returns how to give the folder back */
export async function lockFolder(dataDir: string): Promise<() => Promise<void>> {
  await mkdir(dataDir, { recursive: true });
  const file = resolve(join(dataDir, 'service.pid'));
  const mine = `${process.pid} ${await startOf(process.pid)}\n`;
  for (;;) {
    try {
      await writeFile(file, mine, { flag: 'wx' });
      break;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    if (await isHeld(file)) {
      throw new Error(
        `Another service already uses ${dataDir}: stop it, or give this one another DATA_DIR or a DATABASE_URL.`,
      );
    }
    await rm(file, { force: true });
  }
  heldHere.add(file);
  return async () => {
    heldHere.delete(file);
    await rm(file, { force: true });
  };
}

/**
 * The embedded database as a first start of the service leaves it, made once for each state of the service's sources:
 * sixty test files would else each pay for the same seconds. It does not know who copies it.
 */
import { createHash } from 'node:crypto';
import { cpSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startService } from '../../demo/service/service.js';

const from = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const kept = from('node_modules/.cache/parley-first-start');
const DAY_MS = 86_400_000;

async function sources(): Promise<string> {
  const folder = from('demo/service');
  const names = await readdir(folder, { recursive: true });
  const hash = createHash('sha256').update(await readFile(from('package-lock.json')));
  for (const name of names.filter((one) => /\.(?:ts|sql)$/.test(one)).sort())
    hash.update(name).update(await readFile(join(folder, name)));
  return hash.digest('hex').slice(0, 16);
}

async function make(): Promise<string> {
  const key = await sources();
  await mkdir(kept, { recursive: true });
  const before = await readdir(kept);
  const folder = join(kept, key);
  if (before.includes(key)) return folder;
  const dataDir = await mkdtemp(join(kept, `${key}-`));
  await (await startService({ dataDir })).stop();
  // Another worker may have been quicker; then the name is taken, and its folder is as good.
  await rename(join(dataDir, 'database'), folder).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && /EEXIST|ENOTEMPTY/.test(String(error.code))))
      throw error;
  });
  await rm(dataDir, { recursive: true });
  // A younger one may be copied just now, by the tests of another state.
  for (const name of before) {
    const made = await stat(join(kept, name)).catch(() => undefined);
    if (made && Date.now() - made.mtimeMs > DAY_MS)
      await rm(join(kept, name), { recursive: true, force: true });
  }
  return folder;
}

let made: Promise<string> | undefined;

/** @param dataDir of a service that was never started there; the token of the console will be its own */
export async function copyFirstStart(dataDir: string): Promise<void> {
  made ??= make();
  // A thousand small files: one by one, by promises, they take four times as long.
  cpSync(await made, join(dataDir, 'database'), { recursive: true });
}

/**
 * Keeps the files of the last builds that a service has served: a page that is open for days asks for those that it
 * knows, when its visitor presses at last. Knows nothing of what is in them but that their names change with it.
 */
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

const MOST_BUILDS = 5;
const HALF = '.half-';
const HALF_MS = 3_600_000;

const isAbsent = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const isThere = (directory: string) =>
  stat(directory).then(
    () => true,
    () => false,
  );

/** One name for equal files: what is published of them says so. */
async function nameOf(build: string): Promise<string | undefined> {
  try {
    const published = await readFile(join(build, 'integrity.json'));
    return createHash('sha256').update(published).digest('hex').slice(0, 16);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** Whole or not at all, also where several processes begin at once. */
async function keep(build: string, kept: string, own: string): Promise<void> {
  await mkdir(kept, { recursive: true });
  if (!(await isThere(own))) {
    const half = await mkdtemp(join(kept, HALF));
    try {
      await cp(join(build, 'assets'), join(half, 'assets'), { recursive: true });
      await rename(half, own);
    } catch (error) {
      await rm(half, { recursive: true, force: true });
      // Another process was quicker.
      if (!(await isThere(own))) throw error;
    }
  }
  const now = new Date();
  await utimes(own, now, now);
}

/** @returns those that are there by now, in no order */
export const keptIn = async (kept: string): Promise<string[]> =>
  (await readdir(kept).catch(() => []))
    .filter((entry) => !entry.startsWith(HALF))
    .map((entry) => join(kept, entry));

/** @returns the last ones, the newest first; what is older or was left half done is taken away */
async function lastOf(kept: string): Promise<string[]> {
  const builds: { directory: string; at: number }[] = [];
  for (const entry of await readdir(kept)) {
    const directory = join(kept, entry);
    // Another process may have taken it away.
    const found = await stat(directory).catch(() => undefined);
    if (!found) continue;
    if (!entry.startsWith(HALF)) builds.push({ directory, at: found.mtimeMs });
    // Whoever was at it is no more.
    else if (Date.now() - found.mtimeMs > HALF_MS) await rm(directory, { recursive: true, force: true });
  }
  builds.sort((a, b) => b.at - a.at);
  for (const { directory } of builds.splice(MOST_BUILDS))
    await rm(directory, { recursive: true, force: true });
  return builds.map(({ directory }) => directory);
}

/**
 * @param build a built folder; what is in its `assets` is kept
 * @param kept the folder for the builds
 * @param failed hears what the file system says: a full disk is no reason to serve nothing
 * @returns the folders of those before this one, the newest first
 */
export async function keepBuilds(
  build: string,
  kept: string,
  failed: (error: unknown) => void,
): Promise<string[]> {
  let own = '';
  try {
    const name = await nameOf(build);
    if (name === undefined) return [];
    own = join(kept, name);
    await keep(build, kept, own);
  } catch (error) {
    failed(error);
  }
  // Where the folder could not be made there are none.
  const builds = await lastOf(kept).catch(() => []);
  return builds.filter((directory) => directory !== own);
}

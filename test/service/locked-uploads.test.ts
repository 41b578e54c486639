/** Folders of uploads that are there and cannot be written, as after a copy was restored by somebody else. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Built, buildService } from '../support/processes.js';
import { startMs } from '../support/service.js';

let built: Built;
beforeAll(async () => {
  built = await buildService('test/support/open-uploads.ts');
}, startMs);
afterAll(() => built?.remove());

test('they are found at the start, and not by the first file', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-locked-'));
  const folders = ['waiting', 'kept', 'unnamed'].map((name) => join(dataDir, 'uploads', name));
  for (const folder of folders) await mkdir(folder, { recursive: true });
  const opened = async () =>
    (await promisify(execFile)(process.execPath, [built.main], { env: { DATA_DIR: dataDir } })).stdout.trim();
  await chmod(dataDir, 0o755);
  for (const folder of folders) await chmod(folder, 0o777);
  expect(await opened()).toBe('opened');
  for (const folder of folders) {
    await chmod(folder, 0o555);
    expect(await opened()).toBe(`Error: EACCES: permission denied, access '${folder}'`);
    await chmod(folder, 0o777);
  }
  await rm(dataDir, { recursive: true, force: true });
});

/** A page that is open while the service is updated finds the files that it knows. */
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepBuilds } from '../../demo/service/http/earlier-builds.js';
import { type Place, startedPlace, startTestService } from '../support/service.js';

let cdn: string;
let place: Place;
beforeEach(async () => {
  [cdn, place] = await Promise.all([mkdtemp(join(tmpdir(), 'parley-builds-')), startedPlace()]);
});
afterEach(async () => {
  await Promise.all([rm(cdn, { recursive: true, force: true }), place.remove()]);
});

const fail = (error: unknown) => {
  throw error;
};

/** As `npm run build` does: it empties the folder first. */
async function build(version: number): Promise<void> {
  await rm(cdn, { recursive: true, force: true });
  await mkdir(join(cdn, 'assets/again'), { recursive: true });
  await writeFile(join(cdn, 'integrity.json'), JSON.stringify({ version }));
  await writeFile(join(cdn, 'parley.js'), `launcher(${version})`);
  for (const folder of ['assets', 'assets/again'])
    await writeFile(join(cdn, folder, `app-${version}.js`), `window(${version})`);
}

const start = () =>
  startTestService({ statics: [{ path: '/', directory: cdn, held: true, remembered: true }] }, place);

test('the files of the builds before are served after an update, the last four of them, and nothing else of theirs', async () => {
  for (let version = 1; version <= 6; version++) {
    await build(version);
    const service = await start();
    expect((await service.call('GET', '/parley.js')).body).toBe(`launcher(${version})`);
    for (let asked = 1; asked <= version; asked++)
      for (const folder of ['assets', 'assets/again']) {
        const { status, body, headers } = await service.call('GET', `/${folder}/app-${asked}.js`);
        const isKept = asked > version - 5;
        expect([version, asked, status]).toEqual([version, asked, isKept ? 200 : 404]);
        if (!isKept) continue;
        expect(body).toBe(`window(${asked})`);
        expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect(headers.get('access-control-allow-origin')).toBe('*');
      }
    await service.stop();
  }
});

test('while processes are updated one by one, each serves the files of a build that another has brought', async () => {
  await build(1);
  const old = await start();
  expect((await old.call('GET', '/assets/app-2.js')).status).toBe(404);
  await build(2);
  await keepBuilds(cdn, join(place.dataDir, 'builds'), fail);
  const asked = () => old.call('GET', '/assets/app-2.js');
  await expect.poll(async () => (await asked()).status, { timeout: 5000 }).toBe(200);
  expect((await asked()).body).toBe('window(2)');
  expect((await asked()).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect((await old.call('GET', '/parley.js')).body).toBe('launcher(1)');
  expect((await old.call('GET', '/assets/app-3.js')).status).toBe(404);
  await old.stop();
});

test('several processes that begin at once keep one build once, and a build that comes back is one of them', async () => {
  await build(1);
  const kept = () => readdir(join(place.dataDir, 'builds'));
  const first = await start();
  await first.stop();
  await build(2);
  const second = await start();
  await second.stop();
  await build(1);
  const third = await start();
  expect((await third.call('GET', '/assets/app-1.js')).status).toBe(200);
  expect((await third.call('GET', '/assets/app-2.js')).status).toBe(200);
  expect(await kept()).toHaveLength(2);
  await third.stop();
  await rm(join(place.dataDir, 'builds'), { recursive: true });
  await Promise.all(Array.from({ length: 5 }, () => keepBuilds(cdn, join(place.dataDir, 'builds'), fail)));
  expect(await kept()).toHaveLength(1);
});

test('what was left half done is taken away after an hour, and what cannot be kept is not half there', async () => {
  await build(1);
  const kept = join(place.dataDir, 'builds');
  await mkdir(join(kept, '.half-old'), { recursive: true });
  await mkdir(join(kept, '.half-new'));
  const before = new Date(Date.now() - 2 * 3_600_000);
  await utimes(join(kept, '.half-old'), before, before);
  await keepBuilds(cdn, kept, fail);
  expect((await readdir(kept)).filter((name) => name.startsWith('.'))).toEqual(['.half-new']);
  await build(2);
  await rm(join(cdn, 'assets'), { recursive: true });
  const failed: unknown[] = [];
  // What is there already is served all the same.
  expect(await keepBuilds(cdn, kept, (error) => failed.push(error))).toHaveLength(1);
  expect(failed).toEqual([expect.objectContaining({ code: 'ENOENT' })]);
  expect((await readdir(kept)).filter((name) => name.startsWith('.'))).toEqual(['.half-new']);
});

test('where nothing can be kept the service starts all the same, and serves what is built', async () => {
  await build(1);
  await writeFile(join(place.dataDir, 'builds'), 'in the way');
  const service = await start();
  expect((await service.call('GET', '/assets/app-1.js')).body).toBe('window(1)');
  await service.stop();
});

test('where nothing is built nothing is kept', async () => {
  await rm(cdn, { recursive: true });
  const service = await start();
  expect((await service.call('GET', '/assets/app-1.js')).status).toBe(404);
  expect(await readdir(place.dataDir)).not.toContain('builds');
  await service.stop();
});

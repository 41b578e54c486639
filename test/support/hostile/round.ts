/** A round of visits: one engine, one service and one host of pages for all of them. It does not know which pages. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { type ShopService, startShopService } from '../browser.js';
import { type Engine, type EngineName, launchEngine } from '../engines.js';
import { startMs } from '../service.js';
import { type Host, plainHost, startHost } from './host.js';
import type { HostilePage } from './page.js';
import { visitPage } from './visit.js';

/** One test for each page. */
export function visitAll(name: EngineName, pages: readonly HostilePage[]): void {
  let engine: Engine;
  let service: ShopService;
  let host: Host;
  let folder: string;
  beforeAll(async () => {
    [engine, service, folder] = await Promise.all([
      launchEngine(name, [`--host-resolver-rules=MAP ${plainHost} 127.0.0.1`]),
      startShopService(),
      mkdtemp(join(tmpdir(), 'parley-hostile-')),
    ]);
    host = await startHost(pages, service.url);
  }, startMs);
  afterAll(async () => {
    await Promise.all([
      engine?.stop(),
      service?.end(),
      host?.stop(),
      rm(folder, { recursive: true, force: true }),
    ]);
  });
  test.each(pages)('$name: $does', async (page) => {
    const profile = await engine.newProfile();
    try {
      await visitPage(page, { profile, host, service, folder });
    } finally {
      await profile.close();
    }
  });
}

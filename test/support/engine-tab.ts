/** A tab of the engine that runs this, in a profile of its own for each test, in which nothing may go wrong unheard. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest';
import type { Actor, Profile, Size } from './actor.js';
import { type ShopService, startShopService } from './browser.js';
import { type Engine, launchEngine } from './engines.js';
import { eventually } from './eventually.js';
import { startMs } from './service.js';

declare global {
  interface Window {
    testFaults?: string[];
  }
}

/** Stands first in the pages of these tests: what went wrong in them is an error of the test. */
export const faultsHead = `<script>
  testFaults = [];
  addEventListener('error', (event) => testFaults.push(String(event.message)));
  addEventListener('unhandledrejection', (event) => testFaults.push(String(event.reason)));
</script>`;

export interface EngineTab {
  readonly service: ShopService;
  readonly tab: Actor;
}

export function useEngineTab(size?: Size): EngineTab {
  let engine: Engine;
  let service: ShopService;
  let profile: Profile;
  let tab: Actor;
  beforeAll(async () => {
    [engine, service] = await Promise.all([launchEngine(inject('engine')), startShopService()]);
  }, startMs);
  afterAll(async () => {
    await Promise.all([engine?.stop(), service?.end()]);
  });
  beforeEach(async () => {
    profile = await engine.newProfile(size);
    tab = await profile.newTab();
  });
  afterEach(async () => {
    // The way back may have led to a page whose first script has not run yet.
    await eventually('the page has begun', () => tab.eval(() => window.testFaults !== undefined));
    expect(await tab.eval(() => window.testFaults)).toEqual([]);
    await profile.close();
  });
  return {
    get service() {
      return service;
    },
    get tab() {
      return tab;
    },
  };
}

/**
 * Everybody in turn, again and again, so that a busy moment of the machine is not one candidate's bad luck. A visit
 * that fails is tried again and counted; who fails three times in a row is left out with the reason. Ends when it
 * must, with what it has. It does not know how a visit is measured.
 */
import type { Browser } from 'playwright-core';
import { type Condition, conditions, type Fetched, type Figures, type Target, visit } from './visit.js';

export interface Stat {
  median: number;
  /** Quartiles. */
  low: number;
  high: number;
  runs: number;
}

export type Stats = Partial<Record<keyof Figures, Stat>>;

export interface Measured {
  name: string;
  figures: Partial<Record<Condition['name'], Stats>>;
  /** Of the phone's visit, where who waits for what can be told. */
  fetched: Fetched[];
  unfocused: boolean;
  retries: number;
  failed?: string;
}

const VISIT_MS = 120_000;
const TRIES = 3;

export function statOf(values: readonly number[]): Stat {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  const middle = (at(0.5) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? Number.NaN)) / 2;
  return {
    median: middle,
    low: at(0.25),
    high: sorted[Math.ceil((sorted.length - 1) * 0.75)] ?? Number.NaN,
    runs: sorted.length,
  };
}

function statsOf(runs: readonly Figures[]): Stats {
  const names = new Set(runs.flatMap((figures) => Object.keys(figures) as (keyof Figures)[]));
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      statOf(runs.flatMap((figures) => figures[name] ?? []).filter(Number.isFinite)),
    ]),
  );
}

export interface Round {
  condition: Condition['name'];
}

/**
 * @param launch a browser, when there is none or the last one died
 * @param until the instant of `performance.now()` after which no visit is begun
 */
export async function visitAll(
  targets: ReadonlyMap<string, Target>,
  rounds: readonly Round[],
  launch: () => Promise<Browser>,
  until: number,
): Promise<Measured[]> {
  const all = new Map(
    [...targets.keys()].map((name) => [
      name,
      {
        name,
        runs: new Map<string, Figures[]>(),
        fetched: [] as Fetched[],
        unfocused: false,
        retries: 0,
        inARow: 0,
        failed: '',
      },
    ]),
  );
  let browser: Browser | undefined;
  let n = 0;
  for (const { condition } of rounds) {
    n += 1;
    const startedAt = performance.now();
    let late = 0;
    for (const [name, target] of targets) {
      const one = all.get(name);
      if (!one || one.failed) continue;
      for (let tried = 0; tried < 2; tried++) {
        if (performance.now() > until) {
          late += tried ? 0 : 1;
          break;
        }
        try {
          if (!browser?.isConnected()) browser = await launch();
          const current = browser;
          const { figures, fetched, unfocused } = await limited(current, target, conditions[condition]);
          one.runs.set(condition, [...(one.runs.get(condition) ?? []), figures]);
          if (condition === 'phone' || !one.fetched.length) one.fetched = fetched;
          one.unfocused = unfocused;
          one.inARow = 0;
          break;
        } catch (error) {
          const reason = error instanceof Error ? (error.message.split('\n')[0] ?? 'failed') : String(error);
          one.retries += 1;
          one.inARow += 1;
          console.log(`  ${name}: ${reason}`);
          if (one.inARow >= TRIES) one.failed = reason;
        }
      }
    }
    const took = ((performance.now() - startedAt) / 1000).toFixed(0);
    console.log(
      `Round ${n} of ${rounds.length} (${condition}): ${took} s${late ? `, no time left for ${late}` : ''}`,
    );
    if (late) break;
  }
  await browser?.close().catch(() => {});
  return [...all.values()].map(({ name, runs, fetched, unfocused, retries, failed }) => ({
    name,
    figures: Object.fromEntries([...runs].map(([condition, figures]) => [condition, statsOf(figures)])),
    fetched,
    unfocused,
    retries,
    ...(failed ? { failed } : {}),
  }));
}

/** A visit that hangs takes its browser with it. */
async function limited(browser: Browser, target: Target, condition: Condition) {
  const timer = setTimeout(() => void browser.close().catch(() => {}), VISIT_MS);
  try {
    return await visit(browser, target, condition);
  } finally {
    clearTimeout(timer);
  }
}

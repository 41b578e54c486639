/**
 * A million widgets lose the service at one instant. Each waits as the shipped `reconnectDelayMs` says, tries, and
 * waits again; a service that is back takes a limited number of connections a second, and those beyond are refused
 * and wait again. It knows the shipped constants and no copy of them.
 */
import { reconnectDelayMs, TIERS } from '../../src/realtime/reconnect.js';

export interface Fleet {
  clients: number;
  /** Shares of the clients; hidden pages take no part. */
  share: { open: number; closed: number; hidden: number };
  outageS: number;
  /** Connections that the service takes a second once it is back. */
  capacity: number;
  seed: number;
}

export interface Outcome {
  outageS: number;
  /** Attempts a second, the most in any one second. */
  peak: number;
  openP50S: number;
  openP99S: number;
  closedP50S: number;
  closedP99S: number;
  attemptsPerClient: number;
}

const STEP_S = 0.1;

/** mulberry32: small, seeded, good enough for waiting times. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const quantile = (sorted: Float64Array, q: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;

export function simulate(fleet: Fleet): Outcome {
  const next = random(fleet.seed);
  const open = Math.round(fleet.clients * fleet.share.open);
  const visible = open + Math.round(fleet.clients * fleet.share.closed);
  const failures = new Uint16Array(visible);
  const backAt = new Float64Array(visible).fill(-1);
  const tierOf = (client: number) => (client < open ? TIERS.open : TIERS.closed);
  const perSecond: number[] = [];
  // Attempts wait in the list of the step in which they are due.
  const due: number[][] = [];
  const schedule = (client: number, step: number) => {
    const delayMs = reconnectDelayMs(tierOf(client), failures[client] ?? 0, next());
    failures[client] = (failures[client] ?? 0) + 1;
    const at = step + 1 + Math.floor(delayMs / 1000 / STEP_S);
    due[at] ??= [];
    due[at].push(client);
  };

  for (let client = 0; client < visible; client++) schedule(client, -1);
  let waiting = visible;
  let attempts = 0;
  for (let step = 0; waiting > 0; step++) {
    const now = step * STEP_S;
    const trying = due[step] ?? [];
    delete due[step];
    attempts += trying.length;
    const second = Math.floor(now);
    perSecond[second] = (perSecond[second] ?? 0) + trying.length;
    let room = now >= fleet.outageS ? Math.round(fleet.capacity * STEP_S) : 0;
    for (const client of trying) {
      if (room > 0) {
        room--;
        backAt[client] = Math.max(0, now - fleet.outageS);
        waiting--;
      } else schedule(client, step);
    }
  }
  const opens = backAt.slice(0, open).sort();
  const closeds = backAt.slice(open).sort();
  return {
    outageS: fleet.outageS,
    peak: perSecond.reduce((most, count) => Math.max(most, count ?? 0), 0),
    openP50S: quantile(opens, 0.5),
    openP99S: quantile(opens, 0.99),
    closedP50S: quantile(closeds, 0.5),
    closedP99S: quantile(closeds, 0.99),
    attemptsPerClient: attempts / visible,
  };
}

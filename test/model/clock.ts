/**
 * Virtual time: events in order of their instant, and after each that reached a page, the promises it set in motion
 * run until nothing moves. Nothing waits in real time. It does not know what the events are.
 */

/** So many immediates run in one turn of Node's event loop, which asks the system for news each time. */
const BATCH = 256;
const waiting: (() => void)[] = [];
let left = 0;

/** Between two immediates every promise and tick that can run has run. */
const turn = () =>
  new Promise<void>((resolve) => {
    waiting.push(resolve);
    if (left >= waiting.length) return;
    for (; left < BATCH; left++) setImmediate(next);
  });

function next() {
  left--;
  waiting.shift()?.();
}

interface Event {
  at: number;
  order: number;
  work: (() => void) | undefined;
}

export class Clock {
  /** Milliseconds; never jumps. */
  now = 0;
  /** What the visitor's clock is off by; tests make it jump. */
  shift = 1_700_000_000_000;
  /** Set by whoever ran code of a page, so that its promises are awaited. */
  stirred = false;
  events = 0;
  #heap: Event[] = [];
  #order = 0;

  wall(): number {
    return this.now + this.shift;
  }

  /** Runs `work` after `ms`; returns its undo. */
  after(ms: number, work: () => void): () => void {
    const event: Event = { at: this.now + Math.max(ms, 0), order: this.#order++, work };
    const heap = this.#heap;
    let i = heap.push(event) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      const above = heap[parent];
      if (!above || !before(event, above)) break;
      heap[i] = above;
      i = parent;
    }
    heap[i] = event;
    return () => {
      event.work = undefined;
    };
  }

  #take(): Event | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || first === last) return first;
    let i = 0;
    for (;;) {
      const left = 2 * i + 1;
      const l = heap[left];
      if (!l) break;
      const r = heap[left + 1];
      const [child, at] = r && before(r, l) ? [r, left + 1] : [l, left];
      if (!before(child, last)) break;
      heap[i] = child;
      i = at;
    }
    heap[i] = last;
    return first;
  }

  /** Lets `ms` pass, or less when `enough` says so after an event. */
  async pass(ms: number, enough?: () => boolean): Promise<void> {
    const end = this.now + ms;
    if (this.stirred) await this.settle();
    for (;;) {
      const next = this.#heap[0];
      if (!next || next.at > end) break;
      this.#take();
      if (!next.work) continue;
      this.now = Math.max(this.now, next.at);
      this.events++;
      next.work();
      if (this.stirred) await this.settle();
      if (enough?.()) return;
    }
    this.now = end;
  }

  async settle(): Promise<void> {
    this.stirred = false;
    await turn();
  }
}

const before = (a: Event, b: Event) => a.at < b.at || (a.at === b.at && a.order < b.order);

/** Random numbers from a seed (mulberry32): the same seed, the same world. */
export class Dice {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }
  next = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  /** A whole number in [low, high]. */
  among = (low: number, high: number): number => low + Math.floor(this.next() * (high - low + 1));
  chance = (p: number): boolean => this.next() < p;
  pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(this.next() * items.length)];
    if (item === undefined) throw new Error('pick from a list that holds something');
    return item;
  };
  uuid = (): string => {
    const hex = Array.from({ length: 8 }, () =>
      Math.floor(this.next() * 65_536)
        .toString(16)
        .padStart(4, '0'),
    );
    return `${hex[0]}${hex[1]}-${hex[2]}-4${hex[3]?.slice(1)}-8${hex[4]?.slice(1)}-${hex[5]}${hex[6]}${hex[7]}`;
  };
}

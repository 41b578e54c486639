/**
 * One tab of a profile: what a browser can do to a page. Everything that reaches its code goes through `deliver`:
 * a frozen tab gets it later and in order, a dead one never. It does not know what the code is.
 */
import type { PageEvent } from '../../src/page-env.js';
import type { Clock } from './clock.js';

export class TabPage {
  alive = true;
  frozen = false;
  visible = true;
  thawedAt = 0;
  #waiting: (() => void)[] = [];
  #listeners = new Map<PageEvent, Set<(event: Event) => void>>();
  /** Undone by the browser when the page goes, however it goes. */
  readonly ends: (() => void)[] = [];

  constructor(
    readonly clock: Clock,
    readonly name: string,
    readonly threw: (error: unknown) => void,
  ) {}

  deliver(work: () => void): void {
    if (!this.alive) return;
    if (this.frozen) return void this.#waiting.push(work);
    this.clock.stirred = true;
    try {
      work();
    } catch (error) {
      this.threw(error);
    }
  }

  after(ms: number, work: () => void): () => void {
    let wanted = true;
    const cancel = this.clock.after(ms, () => this.deliver(() => wanted && work()));
    return () => {
      wanted = false;
      cancel();
    };
  }

  on(event: PageEvent, work: (event: Event) => void): () => void {
    const set = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, set.add(work));
    return () => set.delete(work);
  }

  fire(type: PageEvent, detail: object = {}): void {
    this.deliver(() => {
      const event = { type, ...detail } as Event;
      for (const work of [...(this.#listeners.get(type) ?? [])]) work(event);
    });
  }

  freeze(): void {
    this.frozen = true;
  }

  /** What came meanwhile runs now, each as an event of its own. */
  thaw(): void {
    if (!this.frozen) return;
    this.frozen = false;
    this.thawedAt = this.clock.now;
    for (const work of this.#waiting.splice(0)) this.clock.after(0, () => this.deliver(work));
  }

  /** No code of it runs any more, not even its own clean-up. */
  kill(): void {
    if (!this.alive) return;
    this.alive = false;
    this.#waiting.length = 0;
    for (const end of this.ends) end();
  }
}

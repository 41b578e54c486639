/**
 * A visitor's browser on virtual time: tabs share storage, locks and channel, and each gets an `Env` of its own. It
 * stands in for the browser alone; requests and sockets belong to the network.
 */
import type { Env } from '../../src/env.js';
import type { Clock, Dice } from './clock.js';
import { Disk } from './disk.js';
import type { Network } from './network.js';
import { TabPage } from './tab-page.js';

export interface Refusals {
  indexedDB: boolean;
  localStorage: boolean;
  locks: boolean;
  channel: boolean;
}

interface Waiting {
  tab: TabPage;
  granted: boolean;
  grant: () => void;
}

interface Channel {
  tab: TabPage;
  name: string;
  onmessage: ((event: { data: unknown }) => void) | null;
}

export class Profile {
  readonly tabs = new Set<TabPage>();
  readonly storage = new Map<string, string>();
  readonly disk: Disk;
  onLine = true;
  /** How many of the coming writes to localStorage are refused. */
  localRefused = 0;
  #locks = new Map<string, Waiting[]>();
  #opened = 0;
  #channels = new Set<Channel>();
  #areas = new Map<TabPage, Storage>();

  constructor(
    readonly clock: Clock,
    readonly dice: Dice,
    readonly network: Network,
    readonly refuses: Refusals,
    readonly kept: (key: string, value: unknown, tab: TabPage) => void,
    readonly threw: (error: unknown) => void,
  ) {
    this.disk = new Disk(clock, dice, kept);
  }

  openTab(): { page: TabPage; env: Env } {
    const { clock, dice, network, refuses } = this;
    const page = new TabPage(clock, `tab${this.#opened++}`, this.threw);
    this.tabs.add(page);
    page.ends.push(() => {
      this.tabs.delete(page);
      for (const channel of this.#channels) if (channel.tab === page) this.#channels.delete(channel);
      for (const [name, line] of this.#locks) {
        this.#locks.set(
          name,
          line.filter((waiting) => waiting.tab !== page),
        );
        this.#grant(name);
      }
    });
    const env: Env = {
      fetch: (url, init) => network.fetch(page, String(url), init ?? {}),
      WebSocket: network.socketsOf(page),
      localStorage: () => this.#storageOf(page),
      indexedDB: () => (refuses.indexedDB ? undefined : this.disk.factory(page)),
      locks: () => (refuses.locks ? undefined : this.#locksOf(page)),
      channel: (name) => (refuses.channel ? undefined : this.#channelOf(page, name)),
      uuid: dice.uuid,
      random: dice.next,
      monotonic: () => clock.now,
      wall: () => clock.wall(),
      after: (ms, work) => page.after(ms, work),
      page: {
        visible: () => page.visible,
        online: () => this.onLine,
        on: (event, work) => page.on(event, work),
      },
    };
    return { page, env };
  }

  #storageOf(page: TabPage): Storage {
    if (this.refuses.localStorage) throw new DOMException('refused', 'SecurityError');
    const there = this.#areas.get(page);
    if (there) return there;
    const { storage } = this;
    const tell = (key: string, newValue: string | null) => {
      for (const other of this.tabs) {
        if (other !== page)
          this.clock.after(2, () =>
            other.fire('storage', { key, newValue, storageArea: this.#storageOf(other) }),
          );
      }
    };
    const area: Storage = {
      get length() {
        return storage.size;
      },
      key: (index) => [...storage.keys()][index] ?? null,
      getItem: (key) => storage.get(key) ?? null,
      setItem: (key, value) => {
        if (this.localRefused > 0) {
          this.localRefused--;
          throw new DOMException('full', 'QuotaExceededError');
        }
        storage.set(key, value);
        if (key.endsWith(':ledger')) this.kept('local ledger', JSON.parse(value), page);
        tell(key, value);
      },
      removeItem: (key) => {
        storage.delete(key);
        tell(key, null);
      },
      clear: () => storage.clear(),
    };
    this.#areas.set(page, area);
    return area;
  }

  #channelOf(tab: TabPage, name: string): BroadcastChannel {
    const channel: Channel & { postMessage: (data: unknown) => void; close: () => void } = {
      tab,
      name,
      onmessage: null,
      postMessage: (data) => {
        for (const other of this.#channels) {
          if (other !== channel && other.name === name)
            // One delay for all, because a channel keeps its order.
            this.clock.after(2, () =>
              other.tab.deliver(() => this.#channels.has(other) && other.onmessage?.({ data })),
            );
        }
      },
      close: () => void this.#channels.delete(channel),
    };
    this.#channels.add(channel);
    return channel as unknown as BroadcastChannel;
  }

  #locksOf(tab: TabPage): LockManager {
    const request = (name: string, options: LockOptions, work: (lock: Lock) => Promise<unknown>) =>
      new Promise<unknown>((resolve, reject) => {
        const aborted = () => reject(new DOMException('aborted', 'AbortError'));
        const release = () => {
          this.#locks.set(
            name,
            (this.#locks.get(name) ?? []).filter((other) => other !== waiting),
          );
          this.#grant(name);
        };
        const waiting: Waiting = {
          tab,
          granted: false,
          grant: () =>
            tab.deliver(() => {
              if (options.signal?.aborted) return release();
              work({ name, mode: 'exclusive' }).then(resolve, reject).finally(release);
            }),
        };
        options.signal?.addEventListener('abort', () => {
          if (!waiting.granted) release();
          aborted();
        });
        this.#locks.set(name, [...(this.#locks.get(name) ?? []), waiting]);
        this.#grant(name);
      });
    return { request } as unknown as LockManager;
  }

  /** The first in line gets the lock; a frozen tab may be that one, and keeps it. */
  #grant(name: string) {
    const first = this.#locks.get(name)?.[0];
    if (!first || first.granted) return;
    first.granted = true;
    this.clock.after(this.dice.among(0, 1), first.grant);
  }
}

/**
 * One profile's IndexedDB on virtual time: the part that `storage/ledger-db.ts` uses. Transactions of all tabs stand
 * in one line; a body runs as an event of its tab, the commit without it, so a tab may freeze or die between the two.
 * Values are kept as they are, because moves are pure and readers parse. It does not know what the values mean.
 */
import type { Clock, Dice } from './clock.js';
import type { TabPage } from './tab-page.js';

/** `quota` the write is refused · `lost` the connection goes with the write · `lostAfter` it goes, the write stays. */
export type DiskFault = 'quota' | 'lost' | 'lostAfter';

interface Handle {
  open: boolean;
}

interface Transaction {
  oncomplete: (() => void) | null;
  onabort: (() => void) | null;
  onerror: (() => void) | null;
  error: DOMException | null;
}

export class Disk {
  /** Committed values by store and key; undefined until a database was made. */
  stores: Map<string, Map<string, unknown>> | undefined;
  /** Faults of the coming writes, first to last; `undefined` lets one pass. */
  faults: (DiskFault | undefined)[] = [];
  #line: (() => void)[] = [];
  #busy = false;
  #calm = 0;

  constructor(
    readonly clock: Clock,
    readonly dice: Dice,
    /** Hears every commit that changed something. */
    readonly committed: (key: string, value: unknown, tab: TabPage) => void,
  ) {}

  /** The browser throws the whole database away. */
  evict(): void {
    this.stores = undefined;
  }

  factory(tab: TabPage): IDBFactory {
    const open = () => {
      const handle: Handle = { open: true };
      const database = {
        createObjectStore: (name: string) => void this.stores?.set(name, new Map()),
        close: () => {
          handle.open = false;
        },
        transaction: (_names: string[], mode: string) => this.#begin(tab, handle, mode),
        onversionchange: null,
      };
      const request = {
        result: database,
        error: null,
        onupgradeneeded: null as (() => void) | null,
        onsuccess: null as (() => void) | null,
        onerror: null,
      };
      this.clock.after(this.dice.among(0, 2), () =>
        tab.deliver(() => {
          if (!this.stores) {
            this.stores = new Map();
            request.onupgradeneeded?.();
          }
          request.onsuccess?.();
        }),
      );
      return request;
    };
    return { open } as unknown as IDBFactory;
  }

  #begin(tab: TabPage, handle: Handle, mode: string) {
    if (!handle.open) throw new DOMException('The database connection is closing.', 'InvalidStateError');
    const staged = new Map<string, { store: string; key: string; value: unknown }>();
    const reads: {
      store: string;
      key: string;
      request: { result: unknown; onsuccess: (() => void) | null };
    }[] = [];
    const transaction: Transaction & { objectStore: (name: string) => unknown } = {
      oncomplete: null,
      onabort: null,
      onerror: null,
      error: null,
      objectStore: (store) => ({
        get: (key: string) => {
          const request = { result: undefined as unknown, onsuccess: null as (() => void) | null };
          reads.push({ store, key, request });
          return request;
        },
        put: (value: unknown, key: string) => void staged.set(`${store} ${key}`, { store, key, value }),
        delete: (key: string) => void staged.set(`${store} ${key}`, { store, key, value: undefined }),
        clear: () => {
          for (const key of this.stores?.get(store)?.keys() ?? [])
            staged.set(`${store} ${key}`, { store, key, value: undefined });
        },
      }),
    };
    const body = () => {
      if (this.#busy) return void this.#line.push(() => tab.deliver(body));
      this.#busy = true;
      for (const { store, key, request } of reads) {
        request.result = this.stores?.get(store)?.get(key);
        request.onsuccess?.();
      }
      this.clock.after(mode === 'readonly' ? 0 : this.dice.among(0, 3), () => {
        this.#commit(tab, handle, transaction, [...staged.values()]);
        this.#busy = false;
        // Who is frozen or dead at its turn does not hold up the others.
        for (const next of this.#line.splice(0)) next();
      });
    };
    this.clock.after(this.dice.among(0, 1), () => tab.deliver(body));
    return transaction;
  }

  /** A connection lost twice in a row would put the tab on the fallback, a store of its own: A3, not told here. */
  #fault(): DiskFault | undefined {
    const fault = this.faults.shift();
    const calm = this.#calm-- > 0;
    if (!fault || fault === 'quota') return fault;
    if (calm) return undefined;
    this.#calm = 5;
    return fault;
  }

  #commit(
    tab: TabPage,
    handle: Handle,
    transaction: Transaction,
    staged: { store: string; key: string; value: unknown }[],
  ) {
    if (!tab.alive && this.dice.chance(0.5)) return;
    const fault = staged.length ? this.#fault() : undefined;
    if (!fault || fault === 'lostAfter') {
      this.stores ??= new Map();
      for (const { store, key, value } of staged) {
        const kept = this.stores.get(store) ?? new Map<string, unknown>();
        this.stores.set(store, kept);
        if (value === undefined) kept.delete(key);
        else kept.set(key, value);
        this.committed(`${store} ${key}`, value, tab);
      }
    }
    if (fault) {
      transaction.error = new DOMException(fault, fault === 'quota' ? 'QuotaExceededError' : 'UnknownError');
      if (fault !== 'quota') handle.open = false;
    }
    tab.deliver(() => (fault ? transaction.onabort?.() : transaction.oncomplete?.()));
  }
}

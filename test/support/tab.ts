/**
 * A visitor's browser in Node: profiles share storage, locks and channel; a tab of a profile is one `createChat`
 * with its own page. Stands in only for what Node lacks; requests and sockets are real.
 */
import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { IDBFactory } from 'fake-indexeddb';
import type { ReadableAtom } from 'nanostores';
import WebSocket from 'ws';
import type { Env } from '../../src/env.js';
import type { PageEvent } from '../../src/page-env.js';
import { createChat } from '../../src/state/chat.js';
import type { ChatOptions } from '../../src/state/chat-options.js';
import { type Chat, createFront, type Front } from '../../src/state/front.js';

export interface Profile {
  id: string;
  storage: Map<string, string>;
  databases: IDBFactory;
  locks: Map<string, Promise<void>>;
  tabs: Set<Tab>;
  /** What the browser refuses. */
  refuses: { localStorage: boolean; indexedDB: boolean; locks: boolean };
}

export interface Tab {
  chat: Chat;
  front: Front;
  env: Env;
  /** The page of this tab: change it, then `fire` the event that a browser would. */
  page: { visible: boolean; online: boolean };
  fire: (event: PageEvent, detail?: Partial<StorageEvent>) => void;
  /** As the events of its page name it. */
  storageArea: () => Storage | null;
  close: () => void;
}

export const newProfile = (refuses: Partial<Profile['refuses']> = {}): Profile => ({
  id: randomUUID(),
  storage: new Map(),
  databases: new IDBFactory(),
  locks: new Map(),
  tabs: new Set(),
  refuses: { localStorage: false, indexedDB: false, locks: false, ...refuses },
});

export function openTab(profile: Profile, options: ChatOptions, change: Partial<Env> = {}): Tab {
  const page = { visible: true, online: true };
  const listeners = new Map<PageEvent, Set<(event: Event) => void>>();
  const channels: BroadcastChannel[] = [];
  const fire: Tab['fire'] = (type, detail) => {
    const event = Object.assign(new Event(type), detail);
    for (const work of listeners.get(type) ?? []) work(event);
  };
  const others = () => [...profile.tabs].filter((other) => other !== tab);
  let area: Storage | undefined;
  const keeps = () => (change.keeping?.level ?? 'persistent') === 'persistent';

  const env: Env = {
    fetch: (...request) => globalThis.fetch(...request),
    WebSocket: WebSocket as unknown as typeof globalThis.WebSocket,
    localStorage() {
      if (!keeps()) return undefined;
      if (profile.refuses.localStorage) throw new DOMException('refused', 'SecurityError');
      area ??= storageOf(profile, (key, newValue) =>
        others().forEach((t) => void t.fire('storage', { key, newValue, storageArea: t.storageArea() })),
      );
      return area;
    },
    indexedDB: () => (profile.refuses.indexedDB || !keeps() ? undefined : profile.databases),
    locks: () => (profile.refuses.locks ? undefined : lockManagerOf(profile)),
    channel(name) {
      const channel = new BroadcastChannel(`${profile.id}:${name}`);
      channels.push(channel);
      return channel;
    },
    uuid: randomUUID,
    random: Math.random,
    monotonic: () => performance.now(),
    wall: () => Date.now(),
    after(ms, work) {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    page: {
      visible: () => page.visible,
      online: () => page.online,
      on(event, work) {
        const set = listeners.get(event) ?? new Set();
        listeners.set(event, set.add(work));
        return () => set.delete(work);
      },
    },
    ...change,
  };
  const front = createFront(options, env);
  const chat = createChat(options, env, front);
  const tab: Tab = {
    chat,
    front,
    env,
    page,
    fire,
    storageArea: () => area ?? null,
    close() {
      profile.tabs.delete(tab);
      chat.destroy();
      for (const channel of channels) channel.close();
    },
  };
  profile.tabs.add(tab);
  return tab;
}

const answered = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Everything that a profile holds, as text: its storage, and each store of its databases with the bytes of files. */
export async function heldBy({ storage, databases }: Profile): Promise<string> {
  const held: unknown[] = [...storage];
  for (const { name = '' } of await databases.databases()) {
    const database = await answered(databases.open(name));
    for (const store of database.objectStoreNames)
      held.push(await answered(database.transaction(store).objectStore(store).getAll()));
    database.close();
  }
  return JSON.stringify(held, (_, value: unknown) =>
    Object.prototype.toString.call(value) === '[object ArrayBuffer]'
      ? Buffer.from(value as ArrayBuffer).toString('latin1')
      : value,
  );
}

/** localStorage tells the other tabs of each change. */
function storageOf(profile: Profile, told: (key: string, value: string | null) => void): Storage {
  const { storage } = profile;
  const area: Storage = {
    get length() {
      return storage.size;
    },
    key: (index) => [...storage.keys()][index] ?? null,
    getItem: (key) => storage.get(key) ?? null,
    setItem(key, value) {
      storage.set(key, value);
      told(key, value);
    },
    removeItem(key) {
      storage.delete(key);
      told(key, null);
    },
    clear: () => storage.clear(),
  };
  // The keys of a storage are its own.
  return new Proxy(area, {
    ownKeys: () => [...storage.keys()],
    getOwnPropertyDescriptor: (_, key) =>
      storage.has(String(key))
        ? { configurable: true, enumerable: true, value: storage.get(String(key)) }
        : undefined,
  });
}

/** Exclusive locks in order of asking, with the abort signal: the part of Web Locks that we use. */
function lockManagerOf(profile: Profile): LockManager {
  async function request<T>(
    name: string,
    options: LockOptions,
    work: (lock: Lock | null) => T,
  ): Promise<Awaited<T>> {
    const before = profile.locks.get(name) ?? Promise.resolve();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    profile.locks.set(
      name,
      before.then(() => held),
    );
    try {
      await Promise.race([
        before,
        new Promise((_, refuse) =>
          options.signal?.addEventListener('abort', () => refuse(new DOMException('aborted', 'AbortError'))),
        ),
      ]);
      return await work({ name, mode: 'exclusive' });
    } finally {
      release();
    }
  }
  return { request: request as LockManager['request'], query: async () => ({ held: [], pending: [] }) };
}

/** Resolves once the store's value passes; the store is watched, not polled. */
export function until<T>(store: ReadableAtom<T>, test: (value: T) => boolean, limitMs = 30_000): Promise<T> {
  return new Promise((resolve, reject) => {
    let stop = () => {};
    let last: T;
    const late = setTimeout(() => {
      stop();
      reject(new Error(`still not so after ${limitMs} ms: ${JSON.stringify(last)?.slice(0, 2000)}`));
    }, limitMs);
    stop = store.subscribe((value) => {
      last = value;
      if (!test(value)) return;
      clearTimeout(late);
      queueMicrotask(() => stop());
      resolve(value);
    });
  });
}

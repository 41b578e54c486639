/**
 * Keeps the ledger and the files of waiting messages: in IndexedDB where level and browser allow it, otherwise among the
 * small facts (text only), otherwise in memory. Each change is one transaction that reads the ledger, asks the
 * move, and writes the answer: the compare-and-set that all tabs obey. It does not know what a move means.
 */
import type { Env } from '../env.js';
import { fail, isFull, ok, type Result } from '../errors.js';
import { toJson } from '../json.js';
import { emptyLedger, type Ledger, ledgerSchema, reunite } from '../model/ledger.js';
import type { Held, KeptFile } from '../page-held.js';
import type { Level } from '../parley.js';
import type { Local } from './local.js';

export type Move = (ledger: Ledger) => Ledger | undefined;

export interface LedgerStore {
  read: () => Promise<Result<Ledger>>;
  /**
   * The ledger after the move; `undefined` when the move did not apply and nothing was written.
   * @param taken is given the files that go with the move
   */
  update: (
    move: Move,
    files?: { echoId: string; files: KeptFile[] },
    taken?: Map<string, KeptFile[]>,
  ) => Promise<Result<Ledger | undefined>>;
  files: (echoId: string) => Promise<Result<KeptFile[]>>;
  /** Takes everything of this generation away. A disk that is full lets go of things, and takes none. */
  erase: (generation: number) => Promise<Result<void>>;
  /** `disk` outlives the browser, `page` does not. Known after the first read. */
  keeps: () => 'disk' | 'page';
  close: () => void;
}

/** A busy phone may take seconds; some browsers never answer. */
const OPEN_LIMIT_MS = 8_000;
const SILENT_LIMIT_MS = 1_000;
const HOME_AGAIN_MS = 1_000;
/** A slow phone writes many megabytes of files in less; a browser that has stood still may never end one. */
const WRITE_LIMIT_MS = 45_000;
export const LEDGER = 'ledger';
const FILES = 'files';

/** An unreadable ledger is not rendered and not obeyed; a fresh one takes its place. */
export const readLedger = (value: unknown): Ledger => ledgerSchema.safeParse(value).data ?? emptyLedger();

/** A page that was opened before a newer version came obeys nothing of what that has written, and takes nothing away. */
const isNewer = (value: unknown): boolean => Object(value).version > 1;
const NEWER = new Error('written by a newer version');

/** What such a version has noted beside what is known here goes along, as long as it is the same visitor's. */
function withRest(kept: unknown, before: Ledger, after: Ledger): Ledger {
  if (after.generation !== before.generation || !ledgerSchema.safeParse(kept).success) return after;
  const rest = Object.entries(Object(kept)).filter(([name]) => !(name in before));
  return { ...Object.fromEntries(rest), ...after };
}

/**
 * @param local outlives the store: what is kept only in memory must not begin anew with every identity
 * @param cameHome the database has answered after all: what the next read gives is what the other tabs know
 */
export function createLedgerStore(env: Env, scope: string, local: Local, cameHome: () => void): LedgerStore {
  let database: Promise<IDBDatabase> | undefined;
  let fallback: LedgerStore | undefined;
  let fallbackAt: Level | undefined;
  /** What waits in memory for want of a database. */
  const { held } = local;
  const { files } = held;
  /** As the database last had it: a browser that loses it while the chat is under way makes nobody a stranger. */
  let last: Ledger | undefined;
  const fallBack = () => {
    fallbackAt = env.keeping?.level;
    if (last && !local.get(LEDGER)) local.set(LEDGER, last);
    return createFallback(local, files);
  };
  let closed = false;

  /** What is on its way from here would leave once more from there. */
  function comeHome() {
    if (closed || !fallback) return;
    const { opening, outbox } = readLedger(local.get(LEDGER));
    if (opening || outbox.some(({ attempt, state }) => attempt || state === 'uncertain'))
      return void env.after(HOME_AGAIN_MS, comeHome);
    fallback = undefined;
    cameHome();
  }

  function close() {
    closed = true;
    database?.then(
      (opened) => opened.close(),
      () => undefined,
    );
    database = undefined;
  }

  /** One transaction; on a lost connection once more on a new handle, then the fallback for good. */
  async function run<T>(
    mode: IDBTransactionMode,
    work: (transaction: IDBTransaction, done: (value: T) => void) => void,
    instead: (store: LedgerStore) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    // More may be kept than before.
    if (fallbackAt !== env.keeping?.level) fallback = undefined;
    for (let attempt = 0; !fallback && attempt < 2; attempt++) {
      let opened: IDBDatabase;
      try {
        database ??= openDatabase(env, scope, held, comeHome).then(gather);
        opened = await database;
      } catch {
        database = undefined;
        fallback = fallBack();
        break;
      }
      try {
        return ok(await transact(env, opened, mode, work));
      } catch (error) {
        if (error === NEWER || isFull(error)) return fail({ kind: 'storage' });
        opened.close();
        database = undefined;
      } finally {
        // What was under way has opened it once more.
        if (closed) close();
      }
    }
    fallback ??= fallBack();
    return instead(fallback);
  }

  /**
   * Words that a tab kept in localStorage, because the database did not open in time for it, come home; and what this
   * tab knows, to a database that was made anew under it.
   */
  async function gather(opened: IDBDatabase): Promise<IDBDatabase> {
    const found = local.get(LEDGER);
    const stray = ledgerSchema.safeParse(found).data;
    const kept = stray ?? last;
    if (!kept || isNewer(found)) return opened;
    const taken = [...files];
    const joined = await transact<boolean>(env, opened, 'readwrite', (transaction, done) => {
      const ledgers = transaction.objectStore(LEDGER);
      const request = ledgers.get(LEDGER);
      request.onsuccess = () => {
        if (isNewer(request.result)) return done(false);
        if (stray || !request.result)
          ledgers.put(request.result ? reunite(readLedger(request.result), kept) : kept, LEDGER);
        for (const [echoId, kept] of taken) transaction.objectStore(FILES).put(kept, echoId);
        done(true);
      };
    });
    if (!joined) return opened;
    for (const [echoId] of taken) files.delete(echoId);
    // Whoever is still without the database has gone on meanwhile.
    if (toJson(local.get(LEDGER)) !== toJson(found)) return gather(opened);
    local.remove(LEDGER);
    return opened;
  }

  return {
    async read() {
      const read = await run<Ledger>(
        'readonly',
        (transaction, done) => withLedger(transaction, done),
        (store) => store.read(),
      );
      if (read.ok) last = read.value;
      return read;
    },
    async update(move, files, taken) {
      const moved = await run<Ledger | undefined>(
        'readwrite',
        (transaction, done) =>
          withLedger(transaction, (before, ledgers, kept) => {
            const after = move(before);
            done(after);
            if (!after) return;
            ledgers.put(withRest(kept, before, after), LEDGER);
            const bytes = transaction.objectStore(FILES);
            if (files?.files.length) bytes.put(files.files, files.echoId);
            for (const { echoId, files: had } of before.outbox) {
              if (!had.length || after.outbox.some((entry) => entry.echoId === echoId)) continue;
              if (taken) {
                const last = bytes.get(echoId);
                last.onsuccess = () => taken.set(echoId, readFiles(last.result));
              }
              bytes.delete(echoId);
            }
            if (after.generation === before.generation) return;
            // Another identity: words of the old one must not come home later.
            local.remove(LEDGER);
            bytes.clear();
          }),
        (store) => store.update(move, files, taken),
      );
      if (moved.ok) last = moved.value ?? last;
      return moved;
    },
    files: (echoId) =>
      run<KeptFile[]>(
        'readonly',
        (transaction, done) => {
          const request = transaction.objectStore(FILES).get(echoId);
          request.onsuccess = () => done(readFiles(request.result));
        },
        (store) => store.files(echoId),
      ),
    erase: (generation) =>
      run<void>(
        'readwrite',
        (transaction, done) =>
          withLedger(transaction, (ledger, ledgers) => {
            done();
            if (ledger.generation !== generation) return;
            ledgers.delete(LEDGER);
            transaction.objectStore(FILES).clear();
          }),
        (store) => store.erase(generation),
      ),
    keeps: () => fallback?.keeps() ?? 'disk',
    close,
  };
}

/** @param late called when it opens after it was given up */
function openDatabase(env: Env, scope: string, held: Held, late: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const factory = env.indexedDB();
    if (!factory) throw new Error('no IndexedDB');
    // In whatever version it is: what is in it says who may write it.
    const request = factory.open(scope);
    const giveUp = env.after(held.silent ? SILENT_LIMIT_MS : OPEN_LIMIT_MS, () => {
      held.silent = true;
      request.onsuccess = () => {
        request.result.close();
        held.silent = false;
        late();
      };
      reject(new Error('IndexedDB does not answer'));
    });
    request.onupgradeneeded = () => {
      request.result.createObjectStore(LEDGER);
      request.result.createObjectStore(FILES);
    };
    request.onerror = () => {
      giveUp();
      reject(request.error);
    };
    request.onsuccess = () => {
      giveUp();
      held.silent = false;
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
  });
}

function transact<T>(
  env: Env,
  database: IDBDatabase,
  mode: IDBTransactionMode,
  work: (transaction: IDBTransaction, done: (value: T) => void) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    // Strict: what we call kept survives a crash right after the commit.
    const transaction = database.transaction([LEDGER, FILES], mode, { durability: 'strict' });
    let answer: { value: T } | undefined;
    const giveUp = env.after(WRITE_LIMIT_MS, () => {
      reject(new Error('IndexedDB does not answer'));
      try {
        transaction.abort();
      } catch {}
    });
    transaction.oncomplete = () => {
      giveUp();
      if (answer) resolve(answer.value);
      else reject(NEWER);
    };
    // An error ends in an abort, and only then says what it was.
    transaction.onabort = () => {
      giveUp();
      reject(transaction.error);
    };
    work(transaction, (value) => {
      answer = { value };
    });
  });
}

/** Nobody answers where a newer version has written. */
function withLedger(
  transaction: IDBTransaction,
  work: (ledger: Ledger, ledgers: IDBObjectStore, kept: unknown) => void,
) {
  const ledgers = transaction.objectStore(LEDGER);
  const request = ledgers.get(LEDGER);
  request.onsuccess = () => {
    if (!isNewer(request.result)) work(readLedger(request.result), ledgers, request.result);
  };
}

function readFiles(value: unknown): KeptFile[] {
  if (!Array.isArray(value)) return [];
  return value.filter(
    (file): file is KeptFile =>
      typeof file?.name === 'string' && typeof file.type === 'string' && file.bytes instanceof ArrayBuffer,
  );
}

/** The small facts have no transactions: tabs are kept apart by the lock alone. Files live in memory. */
function createFallback(local: Local, files: Map<string, KeptFile[]>): LedgerStore {
  const read = (kept = local.get(LEDGER)): Result<Ledger> =>
    isNewer(kept) ? fail({ kind: 'storage' }) : ok(readLedger(kept));
  return {
    read: async () => read(),
    async update(move, attached, taken) {
      const kept = local.get(LEDGER);
      const found = read(kept);
      if (!found.ok) return found;
      const before = found.value;
      const after = move(before);
      if (after) {
        // Where there is no room for the next one, nobody finds this one.
        if (after.generation !== before.generation) local.remove(LEDGER);
        local.set(LEDGER, withRest(kept, before, after));
        if (attached?.files.length) files.set(attached.echoId, attached.files);
        for (const [echoId, had] of files) {
          if (after.outbox.some((entry) => entry.echoId === echoId)) continue;
          taken?.set(echoId, had);
          files.delete(echoId);
        }
      }
      return ok(after);
    },
    files: async (echoId) => ok(files.get(echoId) ?? []),
    async erase(generation) {
      const found = read();
      if (!found.ok) return found;
      if (found.value.generation === generation) local.remove(LEDGER);
      return ok(undefined);
    },
    keeps: () => (local.kept() ? 'disk' : 'page'),
    close: () => undefined,
  };
}

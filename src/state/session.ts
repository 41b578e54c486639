/**
 * What the parts of one chat share: its browser, its storage and the ledger as this tab last saw it. A session
 * belongs to one identity; when that ends, every later answer, frame and write of it is refused.
 */
import { atom, type ReadableAtom } from 'nanostores';
import * as z from 'zod/mini';
import { createInboxApi, type InboxApi } from '../api/inbox.js';
import type { Env } from '../env.js';
import { fail, type Result } from '../errors.js';
import { toJson } from '../json.js';
import { emptyLedger, handedOver, type Ledger } from '../model/ledger.js';
import type { KeptFile } from '../page-held.js';
import { createLedgerStore, type LedgerStore, type Move } from '../storage/ledger-db.js';
import { type Local, scopeKey } from '../storage/local.js';
import { createTabs, type Tabs } from '../storage/tabs.js';
import { type Message, messageSchema } from '../wire/message.js';
import type { ChatOptions } from './chat-options.js';
import { dropFacts, lasting } from './facts.js';

export interface Session {
  env: Env;
  options: ChatOptions;
  api: InboxApi;
  local: Local;
  store: LedgerStore;
  tabs: Tabs;
  /** This tab's name among the visitor's tabs. */
  tab: string;
  $ledger: ReadableAtom<Ledger>;
  /** True once the ledger has been read. */
  loaded: () => boolean;
  ended: () => boolean;
  /** Reads the ledger again: another tab may have changed it. */
  refresh: () => Promise<Result<Ledger>>;
  /**
   * More is kept from now on, or can be read at last: what was kept before, here or by other pages, is this identity's
   * own.
   */
  rejoin: () => Promise<Result<Ledger>>;
  /** The last time: what is kept goes behind it. */
  joined?: Promise<Result<Ledger>>;
  /** `undefined` when the move did not apply, `gone` when the session is over. */
  update: (move: Move, files?: { echoId: string; files: KeptFile[] }) => Promise<Result<Ledger | undefined>>;
  /** Keeps a small fact of this identity's; not once another tab has ended it, though we have not heard of that yet. */
  note: (name: string, value: unknown) => void;
  /** Tells the other tabs of a message, so that they need not wait for their own line. */
  shareMessage: (message: Message) => void;
  onSharedMessage: (work: (message: Message) => void) => void;
  /** Undone when the session ends. */
  own: (undo: () => void) => void;
  /**
   * Ends this identity for every tab, or hands over to the next one: its words, files and keys are removed, and
   * whatever of it is still under way is refused from now on.
   * @param heard another tab has ended it, and has told all
   * @param left the same person under another name: takes what waited, as it was in the moment of the change
   */
  succeed: (
    identity: string | undefined,
    how?: { heard?: boolean; left?: Left[] },
  ) => Promise<Result<unknown>>;
  end: () => void;
}

/** Words and files that were to be sent. */
export type Left = [words: string, files: KeptFile[]];

const newsSchema = z.object({ news: z.literal(['ledger', 'ended']), identity: z.optional(z.string()) });
const sharedSchema = z.object({ news: z.literal('message'), generation: z.number(), message: messageSchema });

/**
 * @param superseded called once when another identity has taken the place of this one, by us or by another tab;
 *   `same` when it is that of the same person
 * @param renamed called when another tab has said, or has taken back, who this same one is
 */
export function createSession(
  env: Env,
  options: ChatOptions,
  local: Local,
  superseded: (byUs: boolean, same: boolean, identity: string | undefined) => void,
  renamed: (identity: string | undefined) => void = () => {},
): Session {
  const scope = scopeKey(options.baseUrl, options.inboxIdentifier);
  const aborter = new AbortController();
  const undos: (() => void)[] = [];
  const $ledger = atom<Ledger>(emptyLedger());
  const store = createLedgerStore(env, scope, local, async () => {
    await session.rejoin();
    // What was written here waits for whoever has the line.
    tabs.announce({ news: 'ledger' });
  });
  const tabs = createTabs(env, scope);
  const messageListeners: ((message: Message) => void)[] = [];
  let loaded = false;

  const gone = () => fail({ kind: 'gone' });
  const isOurs = (generation: number) => !aborter.signal.aborted && generation === $ledger.get().generation;
  let replaced = false;
  const replace = (byUs: boolean, { since, identity }: Pick<Ledger, 'since' | 'identity'>) => {
    if (replaced || aborter.signal.aborted) return;
    replaced = true;
    superseded(byUs, since !== undefined && since <= $ledger.get().generation, identity);
  };

  const session: Session = {
    env,
    options,
    api: createInboxApi(env, options.baseUrl, options.inboxIdentifier, aborter.signal),
    local,
    store,
    tabs,
    tab: env.uuid(),
    $ledger,
    loaded: () => loaded,
    ended: () => aborter.signal.aborted,
    async refresh() {
      const read = await store.read();
      if (aborter.signal.aborted) return gone();
      if (!read.ok) return read;
      if (loaded && !isOurs(read.value.generation)) {
        replace(false, read.value);
        return gone();
      }
      const { identity } = read.value;
      const isNew = loaded && identity !== $ledger.get().identity;
      loaded = true;
      if (toJson(read.value) !== toJson($ledger.get())) $ledger.set(read.value);
      if (isNew) renamed(identity);
      return read;
    },
    rejoin() {
      loaded = false;
      session.joined = session.refresh();
      return session.joined;
    },
    async update(move, files) {
      let other: Ledger | undefined;
      const moved = await store.update((ledger) => {
        other = isOurs(ledger.generation) ? undefined : ledger;
        return other ? undefined : move(ledger);
      }, files);
      if (other) replace(false, other);
      const done = !other && moved.ok && moved.value;
      // What was written in the moment in which it ended is written.
      if (aborter.signal.aborted) return done ? moved : gone();
      if (other) return gone();
      if (moved.ok && moved.value) {
        $ledger.set(moved.value);
        tabs.announce({ news: 'ledger' });
      }
      return moved;
    },
    note(name, value) {
      if (Object(local.get('')).generation === $ledger.get().generation) local.set(name, value);
    },
    shareMessage: (message) =>
      tabs.announce({ news: 'message', generation: $ledger.get().generation, message }),
    onSharedMessage: (work) => void messageListeners.push(work),
    own: (undo) => void undos.push(undo),
    async succeed(identity, { heard, left } = {}) {
      // Whose turn it is, is not known before.
      if (!loaded) await session.refresh();
      const known = $ledger.get();
      const { generation: before } = known;
      let ending: Ledger | undefined;
      // Under another name by now, which this tab has not heard, it is the same person who leaves.
      const isTheirs = ({ generation, since = generation }: Ledger) =>
        generation === before || (!identity && !left && since <= before && before < generation);
      const nextOf = (ledger: Ledger): Ledger => {
        const { generation, since = generation } = ledger;
        // Where nobody was, nobody has ended: a tab that keeps more by now than this one is not to end for it.
        const nobody = isPrivate() && toJson(ledger) === toJson(emptyLedger(generation));
        return {
          ...emptyLedger(nobody ? generation : generation + 1),
          ...(identity ? { identity } : {}),
          ...(left ? { since } : {}),
        };
      };
      const files = new Map<string, KeptFile[]>();
      // Told before and after: a page that dies in between has not kept it to itself.
      tabs.announce({ news: 'ledger' });
      const begin = (ledger: Ledger, last = ledger) => {
        // A lost connection has it begin once more.
        if (!ending || ledger.outbox.length) ending = last;
        // Before the others hear of it. Where somebody else's turn has begun, what is kept is theirs.
        dropFacts(local, lasting(local, !!left));
        return left ? handedOver(last, nextOf(last)) : nextOf(last);
      };
      let moved = await store.update(
        (ledger) => (isTheirs(ledger) ? begin(ledger) : undefined),
        undefined,
        files,
      );
      if (!moved.ok && moved.error.kind === 'storage') {
        // Nothing more can be written: nobody who comes next shall read what is.
        const last = ending ?? known;
        await store.erase(last.generation);
        moved = await store.update((ledger) =>
          ledger.generation <= last.generation ? begin(ledger, last) : undefined,
        );
      }
      if (moved.ok && !ending) {
        // They have ended already: whoever is here now is told by what is kept.
        await session.refresh();
      } else {
        // Once more, before the others hear of it: a key that was pressed meanwhile has kept all of the field.
        if (!left && moved.ok && moved.value) dropFacts(local, lasting(local, false));
        // Its generation may be one that IndexedDB has forgotten, and then look newer than the next.
        local.remove('');
        tabs.announce({ news: 'ledger' });
        // Who is only named now was nobody, and may be nobody elsewhere.
        const { identity: was } = ending ?? known;
        if (!heard && (was || !identity)) tabs.announce({ news: 'ended', identity: was });
      }
      for (const { echoId, content } of ending?.outbox ?? []) left?.push([content, files.get(echoId) ?? []]);
      replace(!heard, nextOf(ending ?? known));
      return moved;
    },
    end() {
      if (aborter.signal.aborted) return;
      aborter.abort();
      for (const undo of undos.reverse()) undo();
      tabs.close();
      store.close();
    },
  };

  /** What is kept for this page alone is not what the other tabs read. */
  const isPrivate = () => (env.keeping?.level ?? 'persistent') !== 'persistent' || store.keeps() === 'page';

  session.own(
    tabs.onNews((value) => {
      const { data: news } = newsSchema.safeParse(value);
      if (news?.news === 'ledger') void session.refresh();
      else if (news && isPrivate() && news.identity === $ledger.get().identity)
        void session.succeed(undefined, { heard: true });
      const { data } = sharedSchema.safeParse(value);
      if (data && isOurs(data.generation)) for (const work of messageListeners) work(data.message);
    }),
  );
  return session;
}

/**
 * A chat behind its front: one engine at a time, for one identity. When the identity changes, here or in another
 * tab, the old engine ends with all that it still had under way, and a new one begins. Two calls are two tabs.
 */

import type { ContactFields } from '../api/inbox.js';
import { browserEnv, type Env } from '../env.js';
import { type ChatError, fail, ok, type Result } from '../errors.js';
import { head, isAnothers, type Ledger } from '../model/ledger.js';
import type { Level } from '../parley.js';
import { LEDGER, readLedger } from '../storage/ledger-db.js';
import { scopeKey } from '../storage/local.js';
import type { ChatOptions } from './chat-options.js';
import { clear } from './clear.js';
import { createEngine, type Engine } from './engine.js';
import { dropFacts, isTyped, LEAVING } from './facts.js';
import { type Chat, createFront, type Verbs } from './front.js';
import { createLane } from './lane.js';
import { raise } from './raise.js';
import { createSession, type Left, type Session } from './session.js';

type Named = ContactFields & { identifier: string };

/** So long the words of before may take to arrive, before they are given back. */
const ARRIVAL_MS = 5_000;

const isNobody = (ledger: Ledger) => !ledger.identity && !ledger.sourceId && !ledger.outbox.length;

export function createChat(
  options: ChatOptions,
  env: Env = browserEnv(),
  front = createFront(options, env),
): Chat {
  /** What the host page says of the visitor: in memory alone. */
  let fields: ContactFields = {};
  /** Each finds the visitor whom the one before has left. */
  const { inTurn, turned } = createLane();
  let session: Session;
  let engine: Engine;
  let verbs: Verbs;
  /** The last proof that a call has brought: how who it names came to be here, and how many calls wait for the answer. */
  let named: { hash: string | undefined; fresh: boolean; same: boolean; calls: number; judged: boolean } = {
    hash: undefined,
    fresh: false,
    same: false,
    calls: 0,
    judged: false,
  };

  function begin() {
    session = createSession(
      env,
      options,
      front.local,
      (byUs, same, identifier) => {
        // What was said of nobody in particular was said of whoever is gone now.
        if (!byUs && !fields.identifier) fields = {};
        session.end();
        clear(front, same);
        begin();
        if (!byUs || !identifier) front.$letIn.set({ identifier });
      },
      // Whom this page has named in the same moment it tells of itself.
      (identifier) => (identifier && identifier === fields.identifier) || front.$letIn.set({ identifier }),
    );
    engine = createEngine(session, front, () => fields, judged);
    const { send } = engine;
    verbs = {
      ...engine,
      // The page's words are of whom its calls before have left, and kept before those after.
      send: (...said) => inTurn(() => engine.send(...said)),
      // The visitor's own: by whoever is being named just now; never by whoever comes after them.
      press: (...said) => turned().then(() => send(...said)),
      identify,
      describe,
      tellAbout: (...said) => turned().then(() => engine.tellAbout(...said)),
      logout,
      forget,
      turned,
      allow,
      destroy: session.end,
    };
  }

  /**
   * Words alone that are on their way have arrived in a moment. An upload takes longer, and is not there before its end.
   * @returns false when there are none
   */
  async function arriving(): Promise<boolean> {
    const { env, $ledger, own } = session;
    const some = () => $ledger.get().outbox.some(({ state, files }) => state === 'sending' && !files.length);
    if (!some()) return false;
    await new Promise<void>((done) => {
      const over = () => {
        late();
        undo();
        done();
      };
      const late = env.after(ARRIVAL_MS, () => over());
      const undo = $ledger.listen((ledger) => {
        // What is next leaves at once.
        const next = head(ledger);
        if (!next || next.files.length || next.state === 'uncertain') over();
      });
      own(over);
    });
    return true;
  }

  /** The same person under another name: what is not known to have arrived stands in the field again. */
  async function rename(identity: string | undefined): Promise<Result<unknown>> {
    const left: Left[] = [];
    const begun = await session.succeed(identity, { left });
    for (const one of left.reverse()) front.give(...one);
    return begun;
  }

  /**
   * Whoever is named is named instead of whoever is here by now: another tab may have ended the one that this tab knew,
   * without its having heard.
   * @returns whether nobody was there before, and whether it was the same one already
   */
  async function become(next: Named): Promise<Result<{ fresh: boolean; same: boolean }>> {
    for (;;) {
      const before = session;
      const done = await takeOver(next);
      if (done.ok || done.error.kind !== 'gone' || session === before) return done;
    }
  }

  async function takeOver(next: Named): Promise<Result<{ fresh: boolean; same: boolean }>> {
    const loaded = await session.refresh();
    if (!loaded.ok) return loaded;
    if (!loaded.value.identity && (await arriving())) {
      // Meanwhile another tab may have named them.
      const again = await session.refresh();
      if (!again.ok) return again;
    }
    const { identifier, custom_attributes: said } = fields;
    fields = next;
    // Said before it was known who they are, in this breath.
    if (said && !loaded.value.met && (!identifier || identifier === next.identifier))
      fields = { ...next, custom_attributes: { ...said, ...next.custom_attributes } };
    // Nobody has written here: the page says who begins to. What stands in the field stays.
    // Read where it is decided: another tab may name them in the same moment.
    let identity: string | undefined;
    const adopted = await session.update((ledger) => {
      identity = ledger.identity;
      return isNobody(ledger) ? { ...ledger, identity: next.identifier } : undefined;
    });
    if (!adopted.ok) return adopted;
    if (adopted.value) return left(ok({ fresh: true, same: false }));
    if (identity === next.identifier) return ok({ fresh: false, same: true });
    const begun = left(identity ? await session.succeed(next.identifier) : await rename(next.identifier));
    if (!begun.ok) return begun;
    // Somebody else was quicker: they are here.
    return begun.value ? ok({ fresh: false, same: false }) : fail({ kind: 'gone' });
  }

  async function identify(next: Named): Promise<Result<unknown>> {
    const begun = await inTurn(() => become(next));
    if (!begun.ok) return begun;
    engine.learn();
    const { identifier, identifier_hash: hash } = next;
    // Nobody judges a name without a proof.
    if (!hash) front.$letIn.set({ identifier });
    // A page with a router says so at each of its routes: what comes of a no is the first call's.
    if (named.hash !== hash || named.judged || !begun.value.same)
      named = { ...begun.value, hash, calls: 0, judged: false };
    const mine = named;
    mine.calls++;
    const answer = hash ? await engine.prove() : await engine.describe(next);
    mine.calls--;
    if (answer.ok) return answer;
    // They are known, whatever else of them is not taken.
    if (hash && hash === fields.identifier_hash && mine.judged && answer.error.kind !== 'gone')
      front.$letIn.set({ identifier });
    // Whoever was refused is nobody by now.
    await turned();
    return answer;
  }

  /** The service has taken a proof, or refused it: at once, or long after the call that brought it. */
  async function judged(hash: string, error?: ChatError): Promise<void> {
    const { identifier } = fields;
    if (named.hash !== hash || fields.identifier_hash !== hash) return;
    const { fresh, same, judged: before, calls } = named;
    if (!error) {
      named.judged = true;
      if (!before && !calls) front.$letIn.set({ identifier });
      return;
    }
    await inTurn(async () => {
      await arriving();
      // Somebody else has been named meanwhile, or this one was told already.
      if (fields.identifier_hash !== hash) return;
      // Nobody is taken for whom they are not.
      fields = {};
      if (!calls) front.$objection.set({ error, proof: true });
      const bare = fresh
        ? await session.update(({ identity, ...ledger }) =>
            identity === identifier && !ledger.met ? ledger : undefined,
          )
        : undefined;
      if (same || (bare?.ok && bare.value)) engine.resume();
      else await rename(undefined);
    });
  }

  /** Of whom the calls before this one have left. */
  const describe = (more: ContactFields) =>
    turned().then(() => {
      // Another tab has ended whoever this page has named; one who has only just been named is not read yet.
      if (fields.identifier && session.loaded() && fields.identifier !== session.$ledger.get().identity)
        fields = {};
      const { custom_attributes: said } = fields;
      fields = { ...fields, ...more, custom_attributes: { ...said, ...more.custom_attributes } };
      engine.learn();
      return engine.describe(more);
    });

  const logout = () =>
    inTurn(async () => {
      fields = {};
      return left(await session.succeed(undefined));
    });

  /** Whoever was leaving has left. */
  function left<R extends Result<unknown>>(ended: R): R {
    // The launcher notes it wherever something is kept, whatever may be kept now.
    if (ended.ok) front.local.wipe([LEAVING]);
    return ended;
  }

  async function forget() {
    const ended = await logout();
    dropHabits();
    return ended;
  }

  function dropHabits() {
    // Where the ledger lies in localStorage, it holds the number of this ending.
    dropFacts(front.local, [LEDGER]);
    // Of a visit on which more might be kept.
    front.local.wipe();
    front.$wishes.set({});
  }

  /** What this tab kept for itself alone before more was allowed in another one. */
  function keepsMore(): boolean {
    if (env.keeping?.level !== 'persistent' || env.keeping.left) return false;
    const scope = scopeKey(options.baseUrl, options.inboxIdentifier);
    try {
      const keys = Object.keys(env.places?.[1]?.() ?? {});
      return keys.some((key) => key === scope || key.startsWith(`${scope}:`));
    } catch {
      return false;
    }
  }

  /**
   * The page on which somebody was leaving has gone before they had left: they leave before anything begins.
   * @param strays are kept, too, which go along unless they are of somebody else than is here by now
   */
  async function finish(strays: boolean) {
    const leaving = createSession(env, options, front.local, () => {});
    await leaving.refresh();
    const how = front.local.get(LEAVING);
    // Another tab may have done it meanwhile.
    if (how) {
      left(await leaving.succeed(undefined));
      if (how === 'forget') dropHabits();
    }
    const theirs = leaving.$ledger.get();
    leaving.end();
    const { keeping } = env;
    if (strays && keeping) {
      keeping.level = 'session';
      const ours = readLedger(front.local.get(LEDGER));
      const { generation, since = generation, identity, sourceId } = theirs;
      // Who has come after somebody does not find what was left of before.
      const kin = ours.identity === identity && (!since || (sourceId && ours.sourceId === sourceId));
      const nobody = !generation && isNobody(theirs);
      // Or they were leaving here.
      const gone = how || front.local.get(LEAVING);
      if (!gone && (nobody || (kin && !isAnothers(theirs, ours))))
        return void raise(env, front.local, 'persistent');
      for (const { name } of front.local.all()) front.local.remove(name, true);
      keeping.level = 'persistent';
    }
    if (!keeping?.left) return;
    // What whoever is here now has done meanwhile.
    const mine = front.local
      .all()
      .filter(({ name }) => name === 'open' || isTyped(name))
      .map(({ name }) => [name, front.local.get(name)] as const);
    for (const [name] of mine) front.local.remove(name, true);
    keeping.level = keeping.left;
    for (const [name, value] of mine) if (value !== undefined) front.local.set(name, value);
  }

  async function allow(level: Level) {
    // There may be more than was known here.
    if (raise(env, front.local, level)) await session.rejoin();
  }

  function start() {
    begin();
    front.fill(() => verbs);
  }
  const strays = keepsMore();
  if (strays || front.local.get(LEAVING) || env.keeping?.left) void finish(strays).then(start);
  else start();
  return front.chat;
}

/**
 * A chat behind its front: one engine at a time, for one identity. When the identity changes, here or in another
 * tab, the old engine ends with all that it still had under way, and a new one begins. Two calls are two tabs.
 */

import type { ContactFields } from '../api/inbox.js';
import { browserEnv, type Env } from '../env.js';
import type { Result } from '../errors.js';
import type { Ledger } from '../model/ledger.js';
import type { Level } from '../parley.js';
import { raise } from '../storage/raise.js';
import { clear, dropFacts } from './clear.js';
import { createEngine, type Engine } from './engine.js';
import { type Chat, type ChatOptions, createFront, type Verbs } from './front.js';
import { createSession, type Session } from './session.js';

export function createChat(
  options: ChatOptions,
  env: Env = browserEnv(),
  front = createFront(options, env),
): Chat {
  /** What the host page says of the visitor: in memory alone. */
  let fields: ContactFields = {};
  let session: Session;
  let engine: Engine;
  let verbs: Verbs;

  function begin() {
    session = createSession(env, options, front.local, () => {
      session.end();
      clear(front);
      begin();
    });
    engine = createEngine(session, front, () => fields);
    verbs = { ...engine, identify, describe, logout, forget, allow, destroy: session.end };
  }

  async function identify(next: ContactFields & { identifier: string }): Promise<Result<unknown>> {
    const loaded = await session.refresh();
    if (!loaded.ok) return loaded;
    const same = loaded.value.identity === next.identifier;
    const { custom_attributes: said } = fields;
    fields = next;
    // Said before it was known who they are, in this breath.
    if (said && !loaded.value.met)
      fields = { ...next, custom_attributes: { ...said, ...next.custom_attributes } };
    // Nobody has written here: the page says who begins to. What stands in the field stays.
    const isNobody = (ledger: Ledger) => !ledger.identity && !ledger.sourceId && !ledger.outbox.length;
    const adopted =
      isNobody(loaded.value) &&
      (await session.update((ledger) =>
        isNobody(ledger) ? { ...ledger, identity: next.identifier } : undefined,
      ));
    if (adopted && !adopted.ok) return adopted;
    const fresh = adopted && adopted.value !== undefined;
    if (!same && !fresh) {
      const begun = await session.succeed(next.identifier);
      if (!begun.ok) return begun;
    }
    const answer = next.identifier_hash ? await engine.prove() : await engine.describe();
    if (!answer.ok && next.identifier_hash && isNo(answer)) {
      // Nobody is taken for whom they are not.
      fields = {};
      const draft = fresh ? front.chat.$draft.get() : '';
      if (!same) await session.succeed(undefined);
      if (draft) front.chat.setDraft(draft);
    }
    return answer;
  }

  function describe(more: ContactFields): Promise<Result<unknown>> {
    const { custom_attributes: said } = fields;
    fields = { ...fields, ...more, custom_attributes: { ...said, ...more.custom_attributes } };
    return engine.describe();
  }

  function logout() {
    fields = {};
    return session.succeed(undefined);
  }

  async function forget() {
    const ended = await logout();
    // Where the ledger lies in localStorage, it holds the number of this ending.
    dropFacts(front.local, ['ledger']);
    front.$wishes.set({});
    return ended;
  }

  async function allow(level: Level) {
    raise(env, front.local, level);
    // There may be more than was known here.
    await session.refresh();
  }

  begin();
  front.fill(() => verbs);
  return front.chat;
}

/** The deployment's way to refuse a proof is an error of its own. */
const isNo = (answer: Result<unknown>) =>
  !answer.ok && answer.error.kind === 'http' && [401, 403, 500].includes(answer.error.status);

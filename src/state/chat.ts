/**
 * A chat behind its front: one engine at a time, for one identity. When the identity changes, here or in another
 * tab, the old engine ends with all that it still had under way, and a new one begins. Two calls are two tabs.
 */

import type { ContactFields } from '../api/inbox.js';
import { browserEnv, type Env } from '../env.js';
import type { Result } from '../errors.js';
import { createEngine } from './engine.js';
import { type Chat, type ChatOptions, createFront, type Verbs } from './front.js';
import { createSession, type Session } from './session.js';

export function createChat(
  options: ChatOptions,
  env: Env = browserEnv(),
  front = createFront(options, env),
): Chat {
  let fields: ContactFields = {};
  let session: Session;
  let verbs: Verbs;

  function begin() {
    session = createSession(env, options, front.local, () => {
      session.end();
      front.clear();
      begin();
    });
    verbs = { ...createEngine(session, front, fields), identify, logout, destroy: session.end };
  }

  async function identify(next: ContactFields & { identifier: string }): Promise<Result<unknown>> {
    const loaded = await session.refresh();
    if (!loaded.ok) return loaded;
    fields = next;
    if (loaded.value.identity === next.identifier) return loaded;
    return session.succeed(next.identifier);
  }

  function logout() {
    fields = {};
    return session.succeed(undefined);
  }

  begin();
  front.fill(() => verbs);
  return front.chat;
}

/**
 * Typing, both ways. Ours is told when it begins, renewed while it goes on, and ended by a pause, a send or
 * leaving the field; theirs is forgotten after a while, because the service never ends it by itself.
 */
import type { WritableAtom } from 'nanostores';
import type { Sender } from '../wire/message.js';
import type { Session } from './session.js';

const RENEW_MS = 10_000;
const PAUSE_MS = 5_000;
const EXPIRE_MS = 30_000;

export function createTyping(
  session: Session,
  /** The agent who is typing now. */
  $typing: WritableAtom<Sender | undefined>,
  token: () => string | undefined,
) {
  const { env, api, $ledger } = session;
  let told = Number.NEGATIVE_INFINITY;
  let pause = () => {};
  let expire = () => {};
  session.own(() => {
    pause();
    expire();
  });

  const tell = (typing: boolean) => {
    const { sourceId, conversationId } = $ledger.get();
    // Before the first message there is nobody to tell.
    if (sourceId && conversationId !== undefined && token())
      void api.toggleTyping(sourceId, conversationId, typing);
  };

  function stop() {
    pause();
    if (told === Number.NEGATIVE_INFINITY) return;
    told = Number.NEGATIVE_INFINITY;
    tell(false);
  }

  return {
    /** The visitor has changed the draft. */
    input(text: string) {
      if (!text.trim()) return stop();
      if (env.monotonic() - told >= RENEW_MS) {
        told = env.monotonic();
        tell(true);
      }
      pause();
      pause = env.after(PAUSE_MS, stop);
    },
    stop,
    theirs(sender: Sender | null | undefined, on: boolean) {
      expire();
      $typing.set(on ? (sender ?? {}) : undefined);
      if (on) expire = env.after(EXPIRE_MS, () => $typing.set(undefined));
    },
  };
}

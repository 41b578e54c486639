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
  /** Who hears of it when it ends. */
  let hears: [sourceId: string, conversationId: number] | undefined;
  let pause = () => {};
  let expire = () => {};
  session.own(() => {
    pause();
    expire();
  });

  const tell = (typing: boolean) => {
    if (hears && token()) void api.toggleTyping(...hears, typing);
  };

  function stop() {
    pause();
    told = Number.NEGATIVE_INFINITY;
    tell(false);
    hears = undefined;
  }

  // Words for another conversation are none for this one.
  session.own(
    $ledger.listen(({ conversationId }) => {
      if (hears && hears[1] !== conversationId) stop();
    }),
  );

  return {
    /** The visitor has changed the draft. */
    input(text: string) {
      if (!text.trim()) return stop();
      if (env.monotonic() - told >= RENEW_MS) {
        told = env.monotonic();
        const { sourceId, conversationId } = $ledger.get();
        // Before the first message there is nobody to tell.
        hears = sourceId && conversationId !== undefined ? [sourceId, conversationId] : undefined;
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

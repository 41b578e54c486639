/**
 * The part of the ActionCable protocol that a contact needs: one socket, one subscription, no retries. Whoever
 * opened it decides what to do when it ends. It knows nothing of REST, messages or tabs.
 * @see demo/service/cable.ts, the other end
 */
import type { Env } from '../env.js';
import { toJson } from '../json.js';
import { type ChatEvent, readEvent, readFrame } from '../wire/frame.js';

export type CableEnd =
  /** The line went, or never came. */
  | 'lost'
  /** The service does not accept the token. */
  | 'rejected'
  /** The service asked us to stay away. */
  | 'dismissed';

export interface Cable {
  /** Tells the service that the visitor is here; answered by `presence.update`. */
  beat: () => void;
  /** Milliseconds since anything was heard, by the clock that went further: one sleeps, the other is set back. */
  silentMs: () => number;
  /**
   * Ends it without a call to `end`.
   * @param leaving the page goes: a socket that still opens is closed, too, though the browser then writes a line
   */
  close: (leaving?: boolean) => void;
}

const CONFIRM_LIMIT_MS = 10_000;

export function openCable(
  env: Env,
  baseUrl: string,
  pubsubToken: string,
  on: {
    confirmed: () => void;
    event: (event: ChatEvent) => void;
    end: (why: CableEnd) => void;
  },
): Cable {
  const identifier = toJson({ channel: 'RoomChannel', pubsub_token: pubsubToken });
  let socket: WebSocket | undefined;
  const now = () => [env.wall(), env.monotonic()] as const;
  let heardAt = now();
  let ended = false;

  const end = (why?: CableEnd, leaving?: boolean) => {
    if (ended) return;
    ended = true;
    unconfirmed();
    if (socket) {
      socket.onmessage = socket.onclose = null;
      // Not null: a socket that is closed while it opens reports an error.
      socket.onerror = () => {};
      const opening = socket;
      try {
        // Whoever closes a socket that still opens is told so in the console of the host.
        if (opening.readyState || leaving) opening.close();
        else opening.onopen = () => opening.close();
      } catch {}
    }
    if (why) on.end(why);
  };
  const unconfirmed = env.after(CONFIRM_LIMIT_MS, () => end('lost'));
  const command = (command: string, more?: { data: string }) => {
    if (socket?.readyState === 1) socket.send(toJson({ command, identifier, ...more }));
  };

  try {
    if (!env.WebSocket) throw new Error('no WebSocket');
    socket = new env.WebSocket(`${baseUrl.replace(/^http/, 'ws')}/cable`, [
      'actioncable-v1-json',
      'actioncable-unsupported',
    ]);
    socket.onclose = socket.onerror = () => end('lost');
    socket.onmessage = ({ data }) => {
      heardAt = now();
      const frame = readFrame(data);
      if (frame) receive(frame);
    };
  } catch {
    // A policy may forbid the socket by throwing; the answer must not come before `openCable` returns.
    env.after(0, () => end('lost'));
  }

  function receive(frame: NonNullable<ReturnType<typeof readFrame>>) {
    if (frame.type === 'welcome') return command('subscribe');
    if (frame.type === 'disconnect') {
      return end(
        frame.reason === 'unauthorized' ? 'rejected' : frame.reconnect === false ? 'dismissed' : 'lost',
      );
    }
    if (frame.identifier !== identifier) return;
    if (frame.type === 'confirm_subscription') {
      unconfirmed();
      on.confirmed();
    } else if (frame.type === 'reject_subscription') {
      end('rejected');
    } else if (!frame.type) {
      const event = readEvent(frame.message);
      if (event) on.event(event);
    }
  }

  return {
    beat: () => command('message', { data: toJson({ action: 'update_presence' }) }),
    silentMs: () => Math.max(env.wall() - heardAt[0], env.monotonic() - heardAt[1]),
    close: (leaving) => end(undefined, leaving),
  };
}

/**
 * The socket: whether it opens, greets, beats, and answers a subscription. It subscribes with a key that nobody has, so
 * it is nobody. It does not know what else reaches the service.
 */
import { type Finding, ok, problem, unknown, warning } from './finding.js';
import { after } from './wait.js';

const OPEN_LIMIT_MS = 10_000;
/** The service beats every three seconds. */
const BEAT_LIMIT_MS = 10_000;
const WHY_MS = 100;
const IDENTIFIER = '{"channel":"RoomChannel","pubsub_token":"parley-doctor"}';

export interface SocketSeen {
  opened: boolean;
  /** What the service has chosen to speak. */
  protocol: string;
  welcome: boolean;
  beat: boolean;
  subscription?: 'rejected' | 'confirmed';
  /** The service's clock in milliseconds, and this device's at the same time, told by a beat. */
  clock?: { theirMs: number; ourMs: number };
  blocked: boolean;
}

export const socketAddress = (baseUrl: string): string => `${baseUrl.replace(/^http/, 'ws')}/cable`;

function frameOf(data: unknown): { type?: unknown; identifier?: unknown; message?: unknown } {
  try {
    const frame: unknown = typeof data === 'string' ? JSON.parse(data) : undefined;
    return typeof frame === 'object' && frame !== null ? frame : {};
  } catch {
    return {};
  }
}

/** @param blocks whether the policy has blocked the socket */
export async function trySocket(address: string, blocks: () => boolean): Promise<SocketSeen> {
  const seen: SocketSeen = { opened: false, protocol: '', welcome: false, beat: false, blocked: false };
  await new Promise<void>((resolve) => {
    let socket: WebSocket;
    let late = setTimeout(end, OPEN_LIMIT_MS);
    function end() {
      clearTimeout(late);
      if (socket) {
        socket.onopen = socket.onmessage = socket.onclose = null;
        socket.onerror = () => {};
        socket.close();
      }
      resolve();
    }
    try {
      socket = new WebSocket(address, ['actioncable-v1-json', 'actioncable-unsupported']);
    } catch {
      // A policy may forbid it by throwing.
      end();
      return;
    }
    socket.onerror = socket.onclose = end;
    socket.onopen = () => {
      seen.opened = true;
      seen.protocol = socket.protocol;
      clearTimeout(late);
      late = setTimeout(end, BEAT_LIMIT_MS);
    };
    socket.onmessage = ({ data }) => {
      const { type, identifier, message } = frameOf(data);
      if (type === 'welcome') {
        seen.welcome = true;
        socket.send(JSON.stringify({ command: 'subscribe', identifier: IDENTIFIER }));
      } else if (type === 'ping') {
        seen.beat = true;
        if (typeof message === 'number') seen.clock ??= { theirMs: message * 1000, ourMs: Date.now() };
      } else if (identifier === IDENTIFIER) {
        if (type === 'reject_subscription') seen.subscription = 'rejected';
        if (type === 'confirm_subscription') seen.subscription = 'confirmed';
      }
      // Some services say nothing to a key they do not know; the beat after the question is answer enough.
      if (seen.beat && seen.welcome) end();
    };
  });
  if (!seen.opened) {
    await after(WHY_MS);
    seen.blocked = blocks();
  }
  return seen;
}

/** @param reached whether requests reach the service */
export function judgeSocket(seen: SocketSeen, address: string, reached: boolean): Finding[] {
  const { opened, protocol, welcome, beat, blocked } = seen;
  const meanwhile =
    'Until then answers come within half a minute while the window is open, and later while it is closed.';
  if (blocked)
    return [
      problem(
        `The page’s own content security policy blocks the socket: see below what to add. ${meanwhile}`,
      ),
    ];
  if (!opened && !reached) return [unknown('Cannot be checked before the service answers.')];
  if (!opened)
    return [
      problem(
        `The socket ${address} does not open, though requests get through: let whatever stands before the service (proxy, balancer, firewall) pass WebSocket upgrades to /cable on. ${meanwhile}`,
      ),
    ];
  if (protocol !== 'actioncable-v1-json')
    return [
      problem(
        `What opens at ${address} does not speak actioncable-v1-json: pass /cable on to the conversation service. ${meanwhile}`,
      ),
    ];
  if (!welcome)
    return [
      problem(
        `The socket opens, and nothing is said on it: let what stands before the service pass frames on without collecting them. ${meanwhile}`,
      ),
    ];
  if (!beat)
    return [
      warning(
        'The service greets, and its beat every three seconds does not arrive: let what stands before it pass small frames on at once, or the chat will take the line for dead.',
      ),
    ];
  return [ok('The socket opens, greets and beats.')];
}

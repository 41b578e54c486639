/** This device's clock beside the service's. It does not know which of the two is right. */
import { type Finding, ok, problem, unknown, warning } from './finding.js';
import type { Answer } from './line.js';
import type { SocketSeen } from './socket.js';

const MINUTE = 60_000;
const SOME_MS = 3 * MINUTE;
const MUCH_MS = 60 * MINUTE;

/** @returns milliseconds that this device is ahead; nothing where the service does not tell */
export function aheadMs(answer: Answer | undefined, socket: SocketSeen | undefined): number | undefined {
  const date = Date.parse(answer?.header('date') ?? '');
  if (answer && Number.isFinite(date)) return answer.atMs - date;
  return socket?.clock && socket.clock.ourMs - socket.clock.theirMs;
}

function span(ms: number): string {
  const minutes = Math.round(ms / MINUTE);
  const [count, unit] =
    minutes < 120
      ? [minutes, 'minute']
      : minutes < 1440
        ? [Math.round(minutes / 60), 'hour']
        : [Math.round(minutes / 1440), 'day'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

export function judgeClock(ahead: number | undefined): Finding[] {
  if (ahead === undefined)
    return [
      unknown('The service does not tell its time here: let it send Access-Control-Expose-Headers: Date.'),
    ];
  const off = Math.abs(ahead);
  if (off < SOME_MS) return [ok('This device and the service agree on the time.')];
  const says = `This device’s clock is ${span(off)} ${ahead > 0 ? 'ahead of' : 'behind'} the service’s: set it right, or the service’s if this shows on every device. Until then times and office hours are shown wrong.`;
  return [off < MUCH_MS ? warning(says) : problem(says)];
}

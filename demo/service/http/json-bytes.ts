/**
 * Takes in the bytes of JSON, which are kept in memory until all of them have come: so many of one request, so many of
 * all together, and not for ever. The fields of forms are in the same account. It does not know what they say.
 */
import type { Core } from '../core.js';
import { Refusal, tooLarge } from '../errors.js';
import type { Limits } from '../limits.js';
import type { HttpContext } from './endpoint.js';

const slowestPerMs = 4096 / 1000;
/** Of one while there is no more room: nearly all that anybody says is far smaller. */
const mostWhenFull = 64 * 1024;
const comeBackSeconds = 10;

function refusal(status: 400 | 408, message: string, code: string): Refusal {
  return new Refusal(status, message, [{ field: 'body', message, code }]);
}

function noRoom(): Refusal {
  const message = 'Too much is on its way, try again later';
  return new Refusal(503, message, [{ field: 'base', message, code: 'no_room' }], {
    'Retry-After': String(comeBackSeconds),
  });
}

/** The server's own stream: a web stream around it costs more than all the rest of a small request. */
async function* bytesOf({ env: { incoming } }: HttpContext): AsyncGenerator<Uint8Array, void> {
  try {
    yield* incoming.iterator({ destroyOnReturn: false });
  } catch {
    throw refusal(400, 'The connection ended early', 'ended_early');
  }
}

/** Pieces of one byte would each take a hundred to be kept. */
function joined(held: Buffer, size: number, chunk: Uint8Array, limit: number): Buffer {
  let into = held;
  if (size + chunk.length > held.length) {
    into = Buffer.alloc(Math.min(limit, Math.max(2 * held.length, size + chunk.length)));
    held.copy(into, 0, 0, size);
  }
  into.set(chunk, size);
  return into;
}

export interface Brought {
  /**
   * @param size what is kept of this request by now
   * @returns 503 while there is no room
   */
  keep(size: number): Refusal | undefined;
  /** @returns 408 when what is kept has taken too long */
  late(): Refusal | undefined;
  /** So long something was on its way that has a pace of its own. */
  wait(ms: number): void;
  leave(): void;
}

/** What one request has brought that is kept in memory, in the account of all together. */
export function countBrought({ bodyMs, comingBytes }: Limits, coming: Core['coming']): Brought {
  let began = performance.now();
  let mine = 0;
  const count = (size: number) => {
    coming.bytes += size - mine;
    mine = size;
  };
  return {
    keep(size) {
      count(size);
      return mine > mostWhenFull && coming.bytes > comingBytes ? noRoom() : undefined;
    },
    late() {
      const isLate = performance.now() - began > bodyMs + mine / slowestPerMs;
      return isLate ? refusal(408, 'The request did not come in time', 'timeout') : undefined;
    },
    wait(ms) {
      began += ms;
    },
    leave: () => count(0),
  };
}

/**
 * @throws Refusal 413 as soon as more than `bodyBytes` are announced or have come, 408 when they take too long, 400 when
 * the rest never comes, 503 while there is no room. Who brings nothing at all is cut (`slow-bodies.ts`).
 */
export async function readBytes(http: HttpContext, limits: Limits, coming: Core['coming']): Promise<Buffer> {
  const { bodyBytes } = limits;
  const large = () => tooLarge('body', `The body is too large (maximum is ${bodyBytes} bytes)`);
  if (Number(http.req.header('content-length') ?? 0) > bodyBytes) throw large();
  const brought = countBrought(limits, coming);
  let held: Buffer = Buffer.alloc(0);
  let size = 0;
  try {
    for await (const chunk of bytesOf(http)) {
      if (size + chunk.length > bodyBytes) throw large();
      held = joined(held, size, chunk, bodyBytes);
      size += chunk.length;
      const reason = brought.keep(size) ?? brought.late();
      if (reason) throw reason;
    }
    return held.subarray(0, size);
  } finally {
    brought.leave();
  }
}

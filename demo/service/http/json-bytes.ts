/**
 * Takes in the bytes of JSON, which are kept in memory until all of them have come: so many of one request, so many of
 * all together, and not for ever. It does not know what they say.
 */
import type { Core, Limits } from '../core.js';
import { Refusal, tooLarge } from '../errors.js';
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

/**
 * @throws Refusal 413 as soon as more than `bodyBytes` are announced or have come, 408 when they take too long, 400 when
 * the rest never comes, 503 while there is no room. Who brings nothing at all is cut (`slow-bodies.ts`).
 */
export async function readBytes(
  http: HttpContext,
  { bodyBytes, bodyMs, comingBytes }: Limits,
  coming: Core['coming'],
): Promise<Buffer> {
  const large = () => tooLarge('body', `The body is too large (maximum is ${bodyBytes} bytes)`);
  if (Number(http.req.header('content-length') ?? 0) > bodyBytes) throw large();
  const began = performance.now();
  let held: Buffer = Buffer.alloc(0);
  let size = 0;
  try {
    for await (const chunk of bytesOf(http)) {
      if (size + chunk.length > bodyBytes) throw large();
      held = joined(held, size, chunk, bodyBytes);
      size += chunk.length;
      coming.bytes += chunk.length;
      if (size > mostWhenFull && coming.bytes > comingBytes) throw noRoom();
      if (performance.now() - began > bodyMs + size / slowestPerMs)
        throw refusal(408, 'The request did not come in time', 'timeout');
    }
    return held.subarray(0, size);
  } finally {
    coming.bytes -= size;
  }
}

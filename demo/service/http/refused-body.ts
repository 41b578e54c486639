/** What is still on its way when a request is refused before anybody has read its body. */
import { finished } from 'node:stream';
import type { Core } from '../core.js';
import type { HttpContext } from './endpoint.js';

/**
 * Lets the rest in, for a while and up to the longest form: who is cut while sending, as over a slow line, may lose
 * the answer, takes it for a fault of the network, and sends it all again.
 */
export async function passOver(
  { env: { incoming } }: HttpContext,
  { limits, isDraining }: Core,
): Promise<void> {
  const { 'content-length': length, 'transfer-encoding': chunked } = incoming.headers;
  const largest = limits.fileBytes * limits.files + limits.bodyBytes;
  const isAwaited = chunked !== undefined || (Number(length) > 0 && Number(length) <= largest);
  if (!isAwaited || incoming.readableDidRead || isDraining()) return;
  await new Promise<void>((resolve) => {
    let size = 0;
    const leave = () => {
      clearTimeout(over);
      forget();
      incoming.off('data', count).pause();
      resolve();
    };
    const count = ({ length }: Uint8Array) => {
      size += length;
      if (size > largest) leave();
    };
    const over = setTimeout(leave, limits.refusedBodyMs);
    const forget = finished(incoming, { writable: false }, leave);
    incoming.on('data', count);
  });
}

/** Small pieces of a stream as larger ones, for who keeps each as it comes. It does not know what is in them. */
import { Transform } from 'node:stream';

const pieceBytes = 4096;
/** What is small waits so long for more. */
const waitMs = 50;

export function joinedPieces(): Transform {
  const held = Buffer.alloc(pieceBytes);
  let size = 0;
  let over: NodeJS.Timeout | undefined;
  /** A copy: whoever gets it may keep it. */
  const taken = (...more: Buffer[]) => {
    clearTimeout(over);
    over = undefined;
    const piece = Buffer.concat([held.subarray(0, size), ...more]);
    size = 0;
    return piece;
  };
  const pieces = new Transform({
    transform(chunk: Buffer, _, done) {
      if (size + chunk.length >= pieceBytes) return done(null, size > 0 ? taken(chunk) : chunk);
      held.set(chunk, size);
      size += chunk.length;
      over ??= setTimeout(() => pieces.push(taken()), waitMs);
      done();
    },
    flush(done) {
      done(null, taken());
    },
    destroy(error, done) {
      clearTimeout(over);
      done(error);
    },
  });
  return pieces;
}

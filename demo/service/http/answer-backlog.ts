/**
 * What the readers of answers have not taken yet, all of them together. Where that is more than there is room for, those
 * who are furthest behind are cut. It does not know what is said, nor sockets.
 */
import type { Server, ServerResponse } from 'node:http';

/** Who is not behind stays, however many they are. */
const mostWhenFull = 64 * 1024;
/** Answers are made one after another: what is made meanwhile fits. */
const lookEveryMs = 250;

/** @returns how many bytes wait */
export function boundAnswerBacklog(server: Server, mostBytes: number): () => number {
  const open = new Set<ServerResponse>();
  const bytes = () => {
    let sum = 0;
    for (const { writableLength } of open) sum += writableLength;
    return sum;
  };
  function look(): void {
    let over = bytes() - mostBytes;
    if (over <= 0) return;
    const behind = [...open].filter(({ writableLength }) => writableLength > mostWhenFull);
    behind.sort((one, other) => other.writableLength - one.writableLength);
    for (const { req, writableLength } of behind) {
      req.socket.destroy();
      over -= writableLength;
      if (over <= 0) return;
    }
  }
  server.on('request', (_, response) => {
    open.add(response);
    response.once('close', () => open.delete(response));
  });
  const looks = setInterval(look, lookEveryMs).unref();
  server.once('close', () => clearInterval(looks));
  return bytes;
}

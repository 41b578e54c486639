/**
 * A body or an answer may take as long as its line needs, as a film over a phone does; who has begun to send one and
 * falls silent is cut, and so is who takes nothing of an answer, which would be kept for them for ever. It does not know
 * what is sent, nor WebSockets, nor who waits for an answer that has no words yet.
 */
import type { Server } from 'node:http';

/** @param silentMs without a byte of a body that is not there yet, or of an answer that is */
export function allowSlowBodies(server: Server, silentMs: number): void {
  // Else Node cuts every request after five minutes; that of the headers stays.
  server.requestTimeout = 0;
  server.on('request', (request, response) => {
    const { socket } = request;
    socket.setTimeout(silentMs);
    request.on('timeout', () => {
      // What has come and was not taken yet is our silence, not theirs.
      if (request.readableLength > 0) socket.setTimeout(silentMs);
      else socket.destroy();
    });
    // Told of once the body is there: without a listener the answer would be cut. Node has looked whether the line took
    // anything meanwhile.
    response.on('timeout', () => {
      if (socket.writableLength > 0) socket.destroy();
    });
  });
}

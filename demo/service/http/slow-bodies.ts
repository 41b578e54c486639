/**
 * A body may take as long as its line needs, as a film over a phone does; who has begun one and falls silent is cut.
 * It does not know what is sent, nor sockets that wait for no body: answers that are read slowly, and WebSockets.
 */
import type { Server } from 'node:http';

/** @param silentMs without a byte of a body that is not there yet */
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
    // Told of once the body is there: without a listener the answer would be cut.
    response.on('timeout', () => undefined);
  });
}

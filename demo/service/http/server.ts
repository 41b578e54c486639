/**
 * The HTTP server, which answers itself what the application is not asked about: bytes that are no HTTP, a target or a
 * host that is no address, sockets that are not opened. In the specified body, as everything else is.
 */
import { type IncomingMessage, Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener, RequestError } from '@hono/node-server';
import { internal, Refusal, type RefusalStatus, refusedBody } from '../errors.js';
import { offersSocket } from './upgrades.js';

/** For who does not hang up after an answer that is the last one. */
const leaveMs = 2000;

/** Writes the answer by hand, and ends the connection. */
export function refuseOn(socket: Duplex, refusal: Refusal): void {
  const body = JSON.stringify(refusedBody(refusal));
  const headers = Object.entries({
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
    ...refusal.headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${headers.join('')}\r\n${body}`);
  // Who still sends is heard out: else the answer would be lost with what nobody has read.
  socket.resume();
  const over = setTimeout(() => socket.destroy(), leaveMs);
  socket.once('close', () => clearTimeout(over));
}

const refusal = (status: RefusalStatus, message: string, code = 'malformed_request') =>
  new Refusal(status, message, [{ field: 'request', message, code }]);

const unreadable: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: refusal(431, 'The headers are too large', 'too_large'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refusal(413, 'The extensions of the chunks are too large', 'too_large'),
  ERR_HTTP_REQUEST_TIMEOUT: refusal(408, 'The request did not come in time', 'timeout'),
};
const noHttp = refusal(400, 'The request is not valid HTTP');
const unexpected = refusal(417, 'Nothing but 100-continue can be expected');

const codeOf = (error: Error) => ('code' in error && typeof error.code === 'string' ? error.code : '');

/** Node's own server, with our answers in the place of its own, which have no body. */
export function createServer(fetch: Parameters<typeof getRequestListener>[0]): Server {
  const listener = getRequestListener(fetch, {
    errorHandler: (error) => {
      const said = error instanceof RequestError ? refusal(400, error.message) : internal();
      return Response.json(refusedBody(said), { status: said.status });
    },
  });
  const options = {
    // A request without one is told of by the listener, where it must have one.
    requireHostHeader: false,
    // Asked by newer versions of Node, which would read the body of any other offer as we do not expect.
    shouldUpgradeCallback: (request: IncomingMessage): boolean =>
      server.listenerCount('upgrade') > 0 && offersSocket(request),
  };
  const server: Server = new Server(options, (request, response) => {
    // Before 1.1 nobody had to name one, and who asks for a load balancer whether we are well does not.
    if (request.httpVersionMinor === 0) request.headers.host ??= 'localhost';
    return listener(request, response);
  });
  const answers = new WeakMap<Duplex, ServerResponse>();
  const refused = new WeakSet<Duplex>();
  server.on('request', (request, response) => answers.set(request.socket, response));
  server.on('clientError', (error, socket) => {
    // What follows it is no HTTP either.
    if (refused.has(socket)) return;
    const answer = answers.get(socket);
    // An answer under way must not have another one in it.
    const isAnswering = answer?.headersSent && !answer.writableFinished;
    if (!socket.writable || isAnswering) {
      socket.destroy();
      return;
    }
    refused.add(socket);
    refuseOn(socket, unreadable[codeOf(error)] ?? noHttp);
  });
  server.on('checkExpectation', (_, response) => {
    const body = JSON.stringify(refusedBody(unexpected));
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    response.writeHead(unexpected.status, headers).end(body);
  });
  return server;
}

/**
 * Requests that offer another protocol than WebSocket, as `curl --http2` and Java's client do with HTTP/2. Node takes any
 * offer for the end of HTTP on that line; but who does not speak what is offered may pass it over (RFC 9110, 7.8), so
 * such a line is given back to the server, at the beginning of the request. It does not know what is asked for.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export const offersSocket = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket';

/** What belongs to the offer, and in `Connection` names it. */
const isOfOffer = (name: string) => ['upgrade', 'http2-settings'].includes(name.trim().toLowerCase());

/** The beginning of the request as it came, but for the offer. */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (isOfOffer(name)) continue;
    const isConnection = name.toLowerCase() === 'connection';
    const kept = isConnection ? value.split(',').filter((one) => !isOfOffer(one)) : [value];
    if (kept.length > 0) lines.push(`${name}: ${kept.join(',').trim()}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

export type GiveBack = (request: IncomingMessage, socket: Duplex, begun: Buffer) => void;

/** @returns for the arguments of `upgrade` */
export function givingBack(server: Server): GiveBack {
  /** The last one of each line that is not over. */
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on('request', ({ socket }, response) => {
    answers.set(socket, response);
    response.once('close', () => {
      if (answers.get(socket) === response) answers.delete(socket);
    });
  });
  return (request, socket, begun) => {
    const cut = () => socket.destroy();
    // Until the server listens again, one that nobody hears would end the process.
    socket.on('error', cut);
    const giveBack = () => {
      if (socket.destroyed) return;
      socket.off('error', cut);
      socket.unshift(Buffer.concat([headOf(request), begun]));
      server.emit('connection', socket);
    };
    // The server keeps the order of answers by line, and to it this is a new one.
    const answer = answers.get(socket);
    if (answer) answer.once('close', giveBack);
    else giveBack();
  };
}

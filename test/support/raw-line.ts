/** A line to a service on which bytes are sent as they are, and what comes back is heard. It does not know HTTP. */
import net from 'node:net';

export interface RawLine {
  socket: net.Socket;
  closed: Promise<unknown>;
  /** All that has come back. */
  heard(): string;
}

export function rawLine(port: number): RawLine {
  const socket = net.connect(port, '127.0.0.1');
  let heard = '';
  // Cut while it sends, as it may be.
  socket
    .on('error', () => undefined)
    .on('data', (data) => {
      heard += data;
    });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  return { socket, closed, heard: () => heard };
}

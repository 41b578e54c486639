/** A line to a database that falls silent at a test's word, as one whose disk hangs: nothing is refused, nothing comes. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { z } from 'zod';

export interface SilentLine {
  /** The same database, through this line. */
  url: string;
  fallSilent(): void;
  /** For whoever comes anew: what is silent stays so, as where the host of a database has been replaced. */
  answerAnew(): void;
  close(): void;
}

export async function silentLine(databaseUrl: string): Promise<SilentLine> {
  const to = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let silent = false;
  const line = createServer({ allowHalfOpen: true }, (client) => {
    const server = connect({ port: Number(to.port), host: to.hostname, allowHalfOpen: true });
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    if (!silent) client.pipe(server).pipe(client);
  });
  await once(line.listen(0, '127.0.0.1'), 'listening');
  const { port } = z.object({ port: z.number() }).parse(line.address());
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    fallSilent() {
      silent = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    answerAnew() {
      silent = false;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      line.close();
    },
  };
}

import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * For programs that do not choose one by themselves. Nobody keeps it until they have it; so it is none of those that
 * systems give to whoever asks for any, of which a busy machine gives away hundreds meanwhile.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

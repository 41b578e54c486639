/** Serves the hostile pages, each below its own path, from another site than the service's. It does not know what they do. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { Answer, HostilePage, Site } from './page.js';

export interface Host {
  /** The address of a page. */
  url(page: HostilePage): string;
  stop(): Promise<void>;
}

/** Chromium is told where it is; it stands for any host without TLS. */
export const plainHost = 'shop.hostile.test';

export async function startHost(pages: readonly HostilePage[], service: string): Promise<Host> {
  const answers = new Map<string, Answer>();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const answer = answers.get(path);
    if (!answer) return void response.writeHead(404, { 'content-type': 'text/plain' }).end('Not here.');
    const nonce = randomBytes(12).toString('hex');
    const fill = (text: string) => text.replaceAll('{{nonce}}', nonce);
    const headers = Object.entries(answer.headers ?? {}).map(([name, value]) => [name, fill(value)] as const);
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      ...Object.fromEntries(headers),
    });
    response.end(fill(answer.body));
  });
  // No address: a name that leads to either loopback is found.
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const originOf = (page: HostilePage) => `http://${page.plain ? plainHost : 'localhost'}:${port}`;
  for (const page of pages) {
    const path = `/${page.name}/`;
    const site: Site = { service, origin: originOf(page), path };
    answers.set(path, page.page(site));
    for (const [file, answer] of Object.entries(page.files?.(site) ?? {})) answers.set(path + file, answer);
  }
  return {
    url: (page) => `${originOf(page)}/${page.name}/`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

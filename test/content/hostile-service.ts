/**
 * A service that says whatever a test wants: the public family and the socket with nothing behind them, and the built
 * widget on a page. The real service is not used here, because it refuses most of what a hostile one would say: it
 * would never send an object for a name. All else is real: the files, HTTP, the socket, the browser.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';

const cdn = join(import.meta.dirname, '../../dist/cdn');
export const INBOX = 'hostile-inbox';

/** Reports and does not forbid: what a policy would have stopped must not even be tried. */
const policy = [
  "default-src 'none'",
  "script-src 'nonce-test' 'strict-dynamic'",
  "style-src 'none'",
  'img-src * data:',
  "connect-src 'self' ws:",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const hostPage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A shop</title><link rel="icon" href="data:,">
<script nonce="test" async src="/parley.js" data-base-url="{{origin}}" data-inbox-identifier="${INBOX}"></script>
</head><body><h1>A shop</h1></body></html>`;

export interface HostileService {
  url: string;
  /** The key that the widget keeps its facts under. */
  scope: string;
  /** What the next answers are. */
  says: {
    contact: unknown;
    conversations: unknown;
    history: unknown;
    sent: { status: number; body: unknown };
  };
  /** Whom it has heard of: method, path and referrer of every request. */
  heard: { method: string; path: string; referrer: string | undefined }[];
  /** How many sockets are subscribed now. */
  listeners: () => number;
  event: (event: string, data: unknown) => void;
  end: () => Promise<void>;
}

export const honest = (): HostileService['says'] => ({
  contact: { source_id: 'visitor-1', pubsub_token: 'token-1', id: 1, name: 'A visitor', email: null },
  conversations: [{ id: 1, uuid: 'u', inbox_id: 1, status: 'open', messages: [] }],
  history: [],
  sent: { status: 422, body: {} },
});

export async function startHostileService(): Promise<HostileService> {
  const subscribed = new Map<WebSocket, string>();
  const heard: HostileService['heard'] = [];
  let url = '';
  const service: HostileService = {
    url,
    scope: '',
    says: honest(),
    heard,
    listeners: () => subscribed.size,
    event(event, data) {
      for (const [socket, identifier] of subscribed)
        socket.send(JSON.stringify({ identifier, message: { event, data } }));
    },
    async end() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { pathname: path } = new URL(request.url ?? '/', url);
    const method = request.method ?? '';
    heard.push({ method, path, referrer: request.headers.referer });
    const json = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body) ?? 'null');
    const html = (body: string, headers = {}) =>
      response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body);
    for await (const _ of request);
    if (path === '/')
      return html(hostPage.replace('{{origin}}', url), { 'content-security-policy-report-only': policy });
    if (path === '/blank') return html('<!doctype html><link rel="icon" href="data:,">');
    if (path === '/parley.js' || path.startsWith('/assets/')) {
      const file = await readFile(join(cdn, path));
      return response.writeHead(200, { 'content-type': 'text/javascript' }).end(file);
    }
    if (/\/(update_last_seen|toggle_typing)$/.test(path)) return json({});
    if (path.endsWith('/messages'))
      return method === 'GET'
        ? json(service.says.history)
        : json(service.says.sent.body, service.says.sent.status);
    if (path.endsWith('/conversations')) return json(service.says.conversations);
    if (path.includes('/contacts')) return json(service.says.contact);
    if (path.endsWith(`/${INBOX}`)) return json({});
    response.writeHead(404).end();
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(500).end());
  });
  const sockets = new WebSocketServer({
    server,
    path: '/cable',
    handleProtocols: () => 'actioncable-v1-json',
  });
  sockets.on('connection', (socket) => {
    socket.send(JSON.stringify({ type: 'welcome' }));
    socket.on('close', () => subscribed.delete(socket));
    socket.on('message', (data) => {
      const { command, identifier } = JSON.parse(String(data));
      if (command !== 'subscribe') return;
      subscribed.set(socket, identifier);
      socket.send(JSON.stringify({ type: 'confirm_subscription', identifier }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service.url = url;
  service.scope = `parley:${url}#${INBOX}`;
  return service;
}

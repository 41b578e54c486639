/**
 * A real proxy in front of a service, HTTP and WebSocket, that does to requests and frames what networks do. A test
 * gives it rules; the first rule that answers with a fault decides, everything else passes. It writes down all it
 * saw. Every answer closes its connection, because a browser repeats a POST by itself when a kept connection dies.
 * It knows HTTP and text frames, and not what they mean; preflights always pass.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';

import type { Answer, Exchange, Frame, FrameRule, Rule, Seen } from './faults.js';

export * from './faults.js';

export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>;

async function bytesOf(stream: IncomingMessage, perSecond = () => Number.POSITIVE_INFINITY): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) {
    parts.push(part);
    const ms = (part.length / perSecond()) * 1000;
    if (ms) await new Promise((resolve) => setTimeout(resolve, ms));
  }
  return Buffer.concat(parts);
}

const hopByHop = ['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade'];

function endToEnd(headers: IncomingHttpHeaders, length: number): IncomingHttpHeaders {
  const kept = Object.entries(headers).filter(([name]) => !hopByHop.includes(name));
  return { ...Object.fromEntries(kept), 'content-length': String(length), connection: 'close' };
}

/** @param target the service's address; it may come and go behind the proxy */
export async function startFaultProxy(target: string) {
  const { hostname, port } = new URL(target);
  const rules = new Set<Rule>();
  const frameRules = new Set<FrameRule>();
  const requests: Seen[] = [];
  const frames: Frame[] = [];
  const sockets = new Set<Socket>();
  const links = new Set<Link>();
  const stopping = new AbortController();
  let offline = false;
  let socketsRefused = false;
  let bytesPerSecond = Number.POSITIVE_INFINITY;

  function forward(seen: Seen, body: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          hostname,
          port,
          method: seen.method,
          path: seen.path,
          headers: endToEnd(seen.headers, body.length),
          agent: false,
          signal: stopping.signal,
        },
        (incoming) => {
          bytesOf(incoming).then((bytes) => {
            resolve({ status: incoming.statusCode ?? 502, headers: incoming.headers, body: bytes });
          }, reject);
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body, () => {
        seen.forwarded++;
      });
    });
  }

  const server: Server = createServer(async (incoming, outgoing) => {
    const destroy = () => void incoming.socket.destroy();
    try {
      const body = await bytesOf(incoming, () => bytesPerSecond);
      const { method = 'GET', url: path = '/', headers } = incoming;
      const seen: Seen = {
        method,
        path,
        headers,
        body: body.toString(),
        at: performance.now(),
        forwarded: 0,
      };
      requests.push(seen);
      const exchange: Exchange = {
        forward: () => forward(seen, body),
        destroy,
        answer(answer) {
          if (outgoing.destroyed) return;
          seen.status = answer.status;
          outgoing.writeHead(answer.status, endToEnd(answer.headers, answer.body.length));
          outgoing.end(method === 'HEAD' ? undefined : answer.body);
        },
        cut(answer, bytes) {
          if (outgoing.destroyed) return;
          outgoing.writeHead(answer.status, endToEnd(answer.headers, answer.body.length));
          outgoing.write(answer.body.subarray(0, bytes), destroy);
        },
      };
      const fault = method === 'OPTIONS' ? undefined : firstOf(rules, seen);
      if (fault) await fault(exchange);
      else exchange.answer(await exchange.forward());
    } catch {
      // The client went away, or the service cannot be reached: either way there is nobody or nothing to answer.
      destroy();
    }
  });
  server.on('connection', (socket: Socket) => {
    if (offline) return void socket.resetAndDestroy();
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });

  const acceptor = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    handleProtocols: (offered) => [...offered][0] ?? false,
  });

  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (socketsRefused) return void socket.destroy();
    const offered = (incoming.headers['sec-websocket-protocol'] ?? '').split(/\s*,\s*/).filter(Boolean);
    const { origin } = incoming.headers;
    const up = new WebSocket(new URL(incoming.url ?? '/', target.replace(/^http/, 'ws')), offered, {
      perMessageDeflate: false,
      ...(origin === undefined ? {} : { origin }),
    });
    up.once('error', () => socket.destroy());
    socket.once('close', () => up.terminate());
    up.once('open', () => {
      // The service has chosen; the browser is told the same.
      incoming.headers['sec-websocket-protocol'] = up.protocol;
      acceptor.handleUpgrade(incoming, socket, head, (down) => {
        const link = createLink(up, down);
        links.add(link);
        down.once('close', () => links.delete(link));
      });
    });
  });

  interface Link {
    cut: () => void;
    halfOpen: () => void;
    inject: (text: string) => void;
  }

  function createLink(up: WebSocket, down: WebSocket): Link {
    let dead = false;
    const pass = (direction: Frame['direction'], from: WebSocket, to: WebSocket) => {
      from.on('message', (data) => {
        const frame: Frame = { direction, text: data.toString(), at: performance.now() };
        frames.push(frame);
        const deliver = () => {
          if (!dead && to.readyState === WebSocket.OPEN) to.send(frame.text);
        };
        const fault = firstOf(frameRules, frame);
        if (fault) fault(deliver);
        else deliver();
      });
      from.on('error', () => from.terminate());
      from.on('close', (code, reason) => {
        if (dead && direction === 'down') return;
        // 1005 and 1006 say that no code came; they may not be sent.
        if (code === 1005 || code === 1006) to.terminate();
        else to.close(code, reason);
      });
    };
    pass('up', down, up);
    pass('down', up, down);
    return {
      cut() {
        up.terminate();
        down.terminate();
      },
      halfOpen() {
        dead = true;
      },
      inject: (text) => down.send(text),
    };
  }

  function firstOf<S, F>(all: Iterable<(seen: S) => F | undefined>, seen: S): F | undefined {
    for (const rule of all) {
      const fault = rule(seen);
      if (fault) return fault;
    }
    return undefined;
  }

  const cutSockets = () => {
    for (const link of [...links]) link.cut();
  };
  const cutAll = () => {
    cutSockets();
    for (const socket of [...sockets]) socket.resetAndDestroy();
  };

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port: own } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${own}`,
    /** All requests, oldest first, preflights included. */
    requests: requests as readonly Seen[],
    /** All frames, both ways, also those that were never delivered. */
    frames: frames as readonly Frame[],
    /** Open sockets. */
    links: () => links.size,
    /** Returns its undo. */
    rule(rule: Rule): () => void {
      rules.add(rule);
      return () => rules.delete(rule);
    },
    frameRule(rule: FrameRule): () => void {
      frameRules.add(rule);
      return () => frameRules.delete(rule);
    },
    /** Forgets every rule and every refusal; what was held stays held by its own handle. */
    clear() {
      rules.clear();
      frameRules.clear();
      offline = socketsRefused = false;
      bytesPerSecond = Number.POSITIVE_INFINITY;
    },
    /** What a browser sends is taken no faster than this; what the kernels hold comes on top. */
    slow(perSecond = Number.POSITIVE_INFINITY) {
      bytesPerSecond = perSecond;
    },
    cutSockets,
    refuseSockets(refuse = true) {
      socketsRefused = refuse;
    },
    /** Sockets that are open now stay so and carry nothing any more; new ones are not touched. */
    halfOpen() {
      for (const link of links) link.halfOpen();
    },
    /** A frame that the service never sent, to every open socket. */
    inject(frame: unknown) {
      for (const link of links) link.inject(JSON.stringify(frame));
    },
    offline() {
      offline = true;
      cutAll();
    },
    online() {
      offline = false;
    },
    async stop(): Promise<void> {
      stopping.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      cutAll();
      acceptor.close();
      await closed;
    },
  };
}

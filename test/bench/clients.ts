/**
 * The load generator: many clients in one process, each a kept connection of HTTP/1.1 over node:net, asking again as
 * soon as, or as often as, it may. Written by hand because node:http costs as much processor time as the service it
 * would measure. Understands answers with a Content-Length, which ours are; anything else counts as failed.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Asked {
  method: string;
  path: string;
  body?: string;
  headers?: Record<string, string>;
}

export interface Figures {
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
  worst: number;
  failed: number;
}

const at = (sorted: Float64Array, share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

export function figuresOf(times: readonly number[], tookMs: number, failed: number): Figures {
  const sorted = Float64Array.from(times).sort();
  return {
    perSecond: (sorted.length * 1000) / tookMs,
    p50: at(sorted, 0.5),
    p95: at(sorted, 0.95),
    p99: at(sorted, 0.99),
    worst: at(sorted, 1),
    failed,
  };
}

function bytesOf({ method, path, body = '', headers = {} }: Asked): string {
  const given = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const type = body ? 'Content-Type: application/json\r\n' : '';
  const length = body || method !== 'GET' ? `Content-Length: ${Buffer.byteLength(body)}\r\n` : '';
  return `${method} ${path} HTTP/1.1\r\nHost: bench\r\n${given.join('')}${type}${length}\r\n${body}`;
}

const endOfHead = Buffer.from('\r\n\r\n');

/** One connection; one question at a time. */
class Client {
  private answer: (status: number) => void = () => undefined;
  private got: Buffer = Buffer.alloc(0);

  constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.read(chunk));
    socket.on('error', () => this.answer(0));
    socket.on('close', () => this.answer(0));
  }

  private read(chunk: Buffer): void {
    this.got = this.got.length ? Buffer.concat([this.got, chunk]) : chunk;
    const end = this.got.indexOf(endOfHead);
    if (end === -1) return;
    const head = this.got.toString('latin1', 0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length !== undefined && this.got.length < end + endOfHead.length + Number(length)) return;
    this.got = Buffer.alloc(0);
    this.answer(length === undefined ? 0 : Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)));
  }

  ask(asked: Asked): Promise<number> {
    return new Promise((resolve) => {
      this.answer = resolve;
      if (this.socket.destroyed) resolve(0);
      else this.socket.write(bytesOf(asked));
    });
  }
}

/**
 * @param perSecond of all clients together; without it each asks as fast as it is answered. A paced request is
 * timed from when it was due, so that a stall is not hidden by the requests that waited for it.
 */
export async function drive(
  url: string,
  options: { clients: number; seconds: number; perSecond?: number },
  next: (n: number) => Asked,
): Promise<Figures> {
  const { hostname: host, port } = new URL(url);
  const times: number[] = [];
  let failed = 0;
  let n = 0;
  const sockets = await Promise.all(
    Array.from({ length: options.clients }, async () => {
      const socket = connect({ host, port: Number(port) });
      await once(socket, 'connect');
      return socket;
    }),
  );
  const startedAt = performance.now();
  const until = startedAt + options.seconds * 1000;
  const gapMs = options.perSecond === undefined ? 0 : 1000 / options.perSecond;
  const work = async (client: Client) => {
    for (;;) {
      const mine = n;
      n += 1;
      const dueAt = gapMs ? startedAt + mine * gapMs : performance.now();
      if (Math.max(dueAt, performance.now()) >= until) return;
      if (dueAt > performance.now()) {
        await new Promise((resolve) => setTimeout(resolve, dueAt - performance.now()));
      }
      const status = await client.ask(next(mine));
      times.push(performance.now() - dueAt);
      if (status !== 200) failed += 1;
    }
  };
  await Promise.all(sockets.map((socket) => work(new Client(socket))));
  const tookMs = performance.now() - startedAt;
  for (const socket of sockets) socket.destroy();
  return figuresOf(times, tookMs, failed);
}

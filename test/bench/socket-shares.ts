/** Shares the sockets of a bench out among processes, for one cannot hold them all and keep its own clock. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { figuresOf } from './clients.js';

const most = 5000;

export interface SocketFigures {
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
  worst: number;
  sent: number;
  failed: number;
  missing: number;
  /** Of the service, with all sockets open and nothing sent yet. */
  residentBytes: number;
}

/** As the service tells it itself. */
export async function residentBytes(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^parley_resident_memory_bytes (\d+)/m.exec(text)?.[1] ?? Number.NaN);
}

interface Holder {
  isOpen: Promise<void>;
  go(): void;
  done: Promise<{ times: number[]; sent: number; failed: number; missing: number }>;
}

function holder(share: object): Holder {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'run.mjs'), 'sockets'], {
    env: { ...process.env, BENCH_SHARE: JSON.stringify(share) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let printed = '';
  const line = (n: number) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const whole = printed.split('\n');
        if (whole.length > n + 1) resolve(whole[n] ?? '');
      };
      child.stdout.on('data', look);
      child.once('exit', (code) => code && reject(new Error('A process of sockets ended.')));
    });
  child.stdout.on('data', (text) => {
    printed += text;
  });
  return {
    isOpen: line(0).then(() => undefined),
    go: () => child.stdin.write('go\n'),
    done: line(1).then((text) => JSON.parse(text)),
  };
}

export async function socketShare(asked: {
  url: string;
  token: string;
  sockets: number;
  seconds: number;
}): Promise<SocketFigures> {
  const { sockets, seconds, url, token } = asked;
  const shares = Math.ceil(sockets / most);
  const perSecond = Math.max(1, Math.round(sockets / 100));
  const holders: Holder[] = [];
  for (let n = 0; n < shares; n += 1) {
    const from = 1 + Math.floor((n * sockets) / shares);
    const to = Math.floor(((n + 1) * sockets) / shares);
    const share = { url, token, from, to, seconds, perSecond: perSecond / shares };
    const next = holder(share);
    await next.isOpen;
    holders.push(next);
  }
  const resident = await residentBytes(url);
  for (const { go } of holders) go();
  const all = await Promise.all(holders.map(({ done }) => done));
  const sum = (of: 'sent' | 'failed' | 'missing') => all.reduce((total, one) => total + one[of], 0);
  const times = all.flatMap((one) => one.times);
  const { p50, p95, p99, worst } = figuresOf(times, seconds * 1000, sum('failed'));
  return {
    perSecond,
    p50,
    p95,
    p99,
    worst,
    sent: sum('sent'),
    failed: sum('failed'),
    missing: sum('missing'),
    residentBytes: resident,
  };
}

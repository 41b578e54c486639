/** Starts `service.ts` in a process of its own, so that a bench and the service do not share a thread. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

export async function startServiceProcess(
  dataDir: string,
  databaseUrl: string,
): Promise<{ child: ChildProcess; url: string; token: string }> {
  const flagsOf = process.env.BENCH_NODE ? process.env.BENCH_NODE.split(' ') : [];
  const child = spawn(process.execPath, [...flagsOf, join(import.meta.dirname, 'run.mjs'), 'service'], {
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  for await (const text of child.stdout) {
    printed += text;
    const [, url, token] = /(http:\S+)\/agent#token=(\S+)\n/.exec(printed) ?? [];
    if (url && token) return { child, url, token };
  }
  throw new Error('The service did not start.');
}

/** The built service as a process of its own, for tests whose own globals are a browser's. Reached by plain HTTP. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ServiceProcess {
  url: string;
  /** As an agent of account 1. */
  agent: (method: string, path: string, body: unknown) => Promise<number>;
  end: () => Promise<void>;
}

const main = join(import.meta.dirname, '../../dist/demo/service/main.js');

export async function startServiceProcess(): Promise<ServiceProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-process-'));
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  const [url, token] = await new Promise<string[]>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`The built service did not start; is it built? ${printed}`)));
    child.stdout.on('data', (data) => {
      printed += data;
      const found = /(http:\S+)\/agent#token=(\S+)\n/.exec(printed);
      if (found) resolve(found.slice(1));
    });
  });
  if (!url || !token) throw new Error('The service printed no address.');
  return {
    url,
    agent: (method, path, body) =>
      new Promise((resolve, reject) => {
        const headers = { api_access_token: token, 'content-type': 'application/json' };
        const call = request(url + path, { method, headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        });
        call.on('error', reject);
        call.end(JSON.stringify(body));
      }),
    async end() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Real nginx with servers that somebody else has written: around them stands only where its files are. Asked by the
 * names that the servers have, over TLS.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findNginx, howToGetNginx } from '../system.mjs';
import { makeCertificate } from './certificate.js';
import { freePort } from './free-port.js';

export interface Place {
  port: number;
  /** Paths of files. */
  certificate: string;
  key: string;
}

export interface Said {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Nginx extends Place {
  ask(url: string, headers?: Record<string, string>): Promise<Said>;
  /** Announces a body of so many bytes and sends none. @returns what nginx says to that: 100 is "send it" */
  announce(url: string, bytes: number): Promise<number>;
  /** Asks for a socket and lets it go. @returns what is said to that: 101 is "there it is" */
  knock(url: string, headers: Record<string, string>): Promise<number>;
  stop(): Promise<void>;
}

const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** @param servers what stands within `http` */
export async function startNginx(
  names: readonly string[],
  servers: (place: Place) => string,
): Promise<Nginx> {
  const program = findNginx();
  if (!program) throw new Error(howToGetNginx);
  const folder = mkdtempSync(join(tmpdir(), 'parley-nginx-'));
  const file = (name: string) => join(folder, name);
  const { key, certificate } = makeCertificate(names);
  const place = { port: await freePort(), certificate: file('site.pem'), key: file('site.key') };
  writeFileSync(place.certificate, certificate);
  writeFileSync(place.key, key, { mode: 0o600 });
  const made = spawnSync(program, ['-V'], { encoding: 'utf8' });
  const [, usual = '/etc/nginx/nginx.conf'] = /--conf-path=(\S+)/.exec(made.stderr) ?? [];
  writeFileSync(
    file('nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
pid ${file('pid')};
error_log stderr notice;
worker_processes 1;
events {}
http {
  include ${join(dirname(usual), 'mime.types')};
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${file(name)};`).join('\n  ')}
${servers(place)}
}
`,
  );
  const child = spawn(program, ['-p', folder, '-c', file('nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const gone = once(child, 'exit');
  let printed = '';
  const started = new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`nginx did not start:\n${printed}`)));
    child.stderr.on('data', (text) => {
      printed = (printed + text).slice(-4000);
      if (printed.includes('start worker process ')) resolve();
    });
  });
  await started.catch((error) => {
    rmSync(folder, { recursive: true });
    throw error;
  });

  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const at = (url: string) => {
    const { hostname } = new URL(url);
    // As it is written: a URL would put odd ways to say a path in order.
    const path = url.slice(url.indexOf(hostname) + hostname.length);
    return {
      host: '127.0.0.1',
      port: place.port,
      servername: hostname,
      ca: certificate,
      path,
    };
  };
  const hostOf = (url: string) => ({ host: new URL(url).hostname });
  return {
    ...place,
    ask: (url, headers = {}) =>
      new Promise((resolve, reject) => {
        const call = request({ ...at(url), agent, headers: { ...hostOf(url), ...headers } }, (answer) => {
          const parts: Buffer[] = [];
          answer.on('data', (part) => parts.push(part));
          answer.on('error', reject);
          answer.on('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              body: Buffer.concat(parts),
            }),
          );
        });
        call.on('error', reject);
        call.end();
      }),
    announce: (url, bytes) =>
      new Promise((resolve, reject) => {
        const headers = { ...hostOf(url), expect: '100-continue', 'content-length': bytes };
        const call = request({ ...at(url), agent: false, method: 'POST', headers });
        const said = (status: number) => {
          resolve(status);
          call.destroy();
        };
        call.on('error', reject);
        call.on('continue', () => said(100));
        call.on('response', ({ statusCode }) => said(statusCode ?? 0));
        call.flushHeaders();
      }),
    knock: (url, headers) =>
      new Promise((resolve, reject) => {
        const asked = {
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': randomBytes(16).toString('base64'),
        };
        const call = request({ ...at(url), agent: false, headers: { ...hostOf(url), ...asked, ...headers } });
        call.on('error', reject);
        call.on('upgrade', ({ statusCode }, socket) => {
          resolve(statusCode ?? 0);
          socket.destroy();
        });
        call.on('response', ({ statusCode }) => {
          resolve(statusCode ?? 0);
          call.destroy();
        });
        call.end();
      }),
    async stop() {
      agent.destroy();
      child.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

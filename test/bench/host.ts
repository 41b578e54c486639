/**
 * The site of the bench: one plain page for each candidate, with the candidate's files sent as a content delivery
 * network would (brotli or gzip at their best, kept by the browser for a year), and the stubs of vendors' back ends.
 * It does not know what is measured.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { folder } from './candidates.js';
import type { Stub } from './peers/peer.js';

export interface Site {
  name: string;
  /** What stands in the head. */
  head: string;
  /** Where its files are. */
  files?: string;
  stub?: Stub;
}

export interface Weight {
  raw: number;
  gzip: number;
  brotli: number;
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json',
  '.jpg': 'image/jpeg',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const photo = readFileSync(join(import.meta.dirname, '../../demo/site/art/skerry-bowls.jpg'));
const packed = join(folder, 'packed');

type Packing = 'br' | 'gzip';

/** Packing megabytes at their best takes seconds: what was packed once is kept. */
function pack(content: Buffer, packing: Packing): Buffer {
  const file = join(packed, `${createHash('sha256').update(content).digest('hex')}.${packing}`);
  if (existsSync(file)) return readFileSync(file);
  const made =
    packing === 'br'
      ? brotliCompressSync(content, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: 11,
            [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
          },
        })
      : gzipSync(content, { level: 9 });
  mkdirSync(packed, { recursive: true });
  writeFileSync(file, made);
  return made;
}

const weigh = (content: Buffer): Weight => ({
  raw: content.length,
  gzip: pack(content, 'gzip').length,
  brotli: pack(content, 'br').length,
});

const words =
  'Everything here is thrown, carved or woven within a day’s walk of the harbour, and sent the day after. ';

const pageOf = ({ head }: Site) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>A plain page</title>
    <link rel="icon" href="data:,">
    <style>
      body { margin: 0 auto; max-width: 44rem; padding: 1rem; font: 1.1rem/1.5 sans-serif }
      img { inline-size: 100%; block-size: auto }
    </style>
    ${head}
  </head>
  <body>
    <main>
      <h1>A plain page</h1>
      <img src="/photo.jpg" width="480" height="360" alt="">
      ${`<p>${words.repeat(4)}</p>\n`.repeat(6)}
    </main>
  </body>
</html>
`;

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
};

export interface Host {
  url: string;
  pageOf: (name: string) => string;
  /** What this address weighs, if it is a file or an answer of ours; pages and their picture are nobody's. */
  weightOf: (address: string) => Weight | undefined;
  close: () => void;
}

export async function startHost(sites: readonly Site[]): Promise<Host> {
  const weights = new Map<string, Weight>();
  for (const { name, files } of sites)
    for (const file of files ? readdirSync(files, { recursive: true, encoding: 'utf8' }) : [])
      if (files && extname(file) in types)
        weights.set(`/${name}/${file.replaceAll(sep, '/')}`, weigh(readFileSync(join(files, file))));
  const byName = new Map(sites.map((site) => [site.name, site]));

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    content: Buffer,
    type: string,
    lives: string,
  ) {
    const accepted = String(request.headers['accept-encoding'] ?? '');
    const packing = (['br', 'gzip'] as const).find((one) => accepted.includes(one));
    // Pages and answers differ each time; what is not kept is not worth the wait.
    const isKept = lives.includes('immutable') && !type.startsWith('image/jpeg');
    const body = packing && isKept ? pack(content, packing) : content;
    response.writeHead(200, {
      'content-type': type,
      'content-length': body.length,
      'cache-control': lives,
      'access-control-allow-origin': '*',
      'timing-allow-origin': '*',
      vary: 'accept-encoding',
      ...(body === content ? {} : { 'content-encoding': packing }),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search, origin } = new URL(request.url ?? '/', url);
    if (pathname === '/photo.jpg') return send(request, response, photo, 'image/jpeg', 'max-age=31536000');
    const [, name = '', rest = ''] = /^\/([\w-]+)\/(.*)$/.exec(pathname) ?? [];
    const site = byName.get(name);
    if (!site) return void response.writeHead(404).end();
    if (rest === '')
      return send(request, response, Buffer.from(pageOf(site)), types['.html'] ?? '', 'no-store');
    const file = site.files && join(site.files, normalize(`/${rest}`));
    if (file && existsSync(file) && statSync(file).isFile()) {
      const content = readFileSync(file);
      const type = types[extname(file)] ?? 'application/octet-stream';
      return send(request, response, content, type, 'public, max-age=31536000, immutable');
    }
    const body = await bodyOf(request);
    const text = site.stub?.({
      method: request.method ?? 'GET',
      path: `/${rest}${search}`,
      body,
      base: `${origin}/${name}`,
    });
    if (text === undefined) return void response.writeHead(404).end();
    const content = Buffer.from(text);
    const [raw, gzip, brotli] = [
      content.length,
      gzipSync(content).length,
      brotliCompressSync(content).length,
    ];
    weights.set(pathname, { raw, gzip, brotli });
    const type = text.startsWith('<') ? '.html' : /^[{[]/.test(text) ? '.json' : '.js';
    return send(request, response, content, types[type] ?? '', 'no-store');
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return {
    url,
    pageOf: (name) => `${url}/${name}/`,
    weightOf: (asked) => weights.get(new URL(asked).pathname),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

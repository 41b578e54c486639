/**
 * Serves built pages and files from directories. A directory may bring a `headers.json` (path → headers); every
 * `{{nonce}}` in such a page and its headers becomes a fresh nonce per answer, `{{origin}}` the address by which
 * the service was asked, or the one that the world knows, and `{{inbox}}` its inbox. Knows nothing of what is served.
 */
import { readFile, realpath, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { MiddlewareHandler } from 'hono';
import { z } from 'zod';
import { randomToken } from '../secrets.js';
import type { Env } from './app.js';

export interface StaticDirectory {
  /** Where it appears: `/`, `/agent`. */
  path: string;
  directory: string;
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

const pageHeaders = z.record(z.string(), z.record(z.string(), z.string()));

async function extraHeaders(directory: string, file: string): Promise<Record<string, string>> {
  const text = await readFile(join(directory, 'headers.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return {};
  const all = pageHeaders.parse(JSON.parse(text));
  return all[file] ?? all[`/${file}`] ?? {};
}

function cacheOf(file: string): string {
  if (extname(file) === '.html') return 'no-cache';
  if (/(^|\/)assets\//.test(file)) return 'public, max-age=31536000, immutable';
  return 'public, max-age=300';
}

/** The file a path means inside the directory: itself, its `.html`, or the directory's `index.html`. */
async function locate(directory: string, path: string): Promise<string | undefined> {
  const root = await realpath(directory).catch(() => undefined);
  if (root === undefined || path.includes('\0')) return undefined;
  for (const candidate of [path, `${path}.html`, join(path, 'index.html')]) {
    const found = await realpath(join(root, candidate)).catch(() => undefined);
    if (!found?.startsWith(root + sep)) continue;
    const file = found.slice(root.length + 1).replaceAll(sep, '/');
    // Of the file itself: one file has many paths.
    const isHidden = file === 'headers.json' || /(^|\/)\./.test(file);
    if (!isHidden && (await stat(found)).isFile()) return file;
  }
  return undefined;
}

function below(mount: string, path: string): string | undefined {
  const prefix = mount === '/' ? '/' : `${mount}/`;
  if (path === mount) return '';
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

const filled = (text: string, values: Record<string, string>) =>
  text.replace(/\{\{(nonce|origin|inbox)\}\}/g, (_, name: string) => values[name] ?? '');

export interface Pages {
  statics: readonly StaticDirectory[];
  inbox: string;
  /** Behind a proxy a request does not tell by which address the world came. */
  publicUrl?: string | undefined;
}

/** What only this machine calls itself is no help to whoever came from elsewhere by another name. */
const isLoopback = ({ hostname }: URL) => /^(?:localhost|127\.|\[::1\]$)/.test(hostname);

export function staticFiles({ statics, inbox, publicUrl }: Pages): MiddlewareHandler<Env> {
  const world = publicUrl === undefined ? undefined : new URL(publicUrl);
  const known = world && !isLoopback(world) ? world.origin : undefined;
  const byDepth = [...statics].sort((a, b) => b.path.length - a.path.length);
  return async (http, next) => {
    const path = decoded(new URL(http.req.url).pathname);
    for (const { path: mount, directory } of path === undefined ? [] : byDepth) {
      const rest = below(mount, path ?? '');
      const file = rest === undefined ? undefined : await locate(directory, rest);
      if (file === undefined) continue;
      const values = { nonce: randomToken(), origin: known ?? new URL(http.req.url).origin, inbox };
      const isPage = extname(file) === '.html';
      const extra = Object.entries(await extraHeaders(directory, file));
      http.set('route', '(file)');
      http.header('Content-Type', types[extname(file)] ?? 'application/octet-stream');
      http.header('Cache-Control', cacheOf(file));
      http.header('X-Content-Type-Options', 'nosniff');
      if (!isPage) {
        http.header('Access-Control-Allow-Origin', '*');
        // Pages that are isolated from other origins may have them all the same.
        http.header('Cross-Origin-Resource-Policy', 'cross-origin');
      }
      for (const [name, value] of extra) http.header(name, filled(value, values));
      const bytes = await readFile(join(directory, file));
      return http.body(isPage ? filled(bytes.toString('utf8'), values) : new Uint8Array(bytes));
    }
    return next();
  };
}

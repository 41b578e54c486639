/**
 * Serves built pages and files from directories. A directory may bring a `headers.json` (path → headers), for whatever
 * is served at its path, from another directory, too; every `{{nonce}}` in such a page and its headers becomes a fresh
 * nonce per answer, `{{origin}}` the address by which the service was asked, or the one that the world knows, and
 * `{{inbox}}` its inbox. Knows nothing of what is served.
 */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { extname, join, posix, relative, sep } from 'node:path';
import type { MiddlewareHandler } from 'hono';
import { z } from 'zod';
import { errorFacts, type Log } from '../log.js';
import { randomToken } from '../secrets.js';
import { keepBuilds, keptIn } from './earlier-builds.js';
import type { Env } from './endpoint.js';
import { rangeHeaders, rangeOf } from './range.js';

export interface StaticDirectory {
  /** Where it appears: `/`, `/agent`. */
  path: string;
  directory: string;
  /** Whole in memory from the start, for a directory that a build empties while it is served. */
  held?: boolean;
  /** What its `assets` had in builds before this one is served, too. */
  remembered?: boolean;
}

/** A directory as it is read. */
export interface OpenDirectory {
  path: string;
  /** The file a path means: itself, its `.html`, or the directory's `index.html`. */
  locate(path: string): Promise<string | undefined>;
  read(file: string): Promise<Uint8Array>;
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
  '.wav': 'audio/wav',
  '.webm': 'video/webm',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

const pageHeaders = z.record(z.string(), z.record(z.string(), z.string()));

async function extraHeaders(from: OpenDirectory, file: string): Promise<Record<string, string>> {
  const bytes = await from.read('headers.json').catch(() => undefined);
  if (bytes === undefined) return {};
  const all = pageHeaders.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  return all[file] ?? all[`/${file}`] ?? {};
}

function cacheOf(file: string): string {
  if (extname(file) === '.html') return 'no-cache';
  if (/(^|\/)assets\//.test(file)) return 'public, max-age=31536000, immutable';
  return 'public, max-age=300';
}

const candidates = (path: string) => [path, `${path}.html`, posix.join(path, 'index.html')];
/** Of the file itself: one file has many paths. */
const isHidden = (file: string) => file === 'headers.json' || /(^|\/)\./.test(file);

function openDirectory({ path: mount, directory }: StaticDirectory): OpenDirectory {
  return {
    path: mount,
    async locate(path) {
      const root = await realpath(directory).catch(() => undefined);
      if (root === undefined || path.includes('\0')) return undefined;
      for (const candidate of candidates(path)) {
        const found = await realpath(join(root, candidate)).catch(() => undefined);
        if (!found?.startsWith(root + sep)) continue;
        const file = found.slice(root.length + 1).replaceAll(sep, '/');
        if (!isHidden(file) && (await stat(found)).isFile()) return file;
      }
      return undefined;
    },
    read: (file) => readFile(join(directory, file)),
  };
}

/** One that is not there has no files. */
function nothing(error: unknown): [] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
  throw error;
}

async function holdDirectory({ path: mount, directory }: StaticDirectory): Promise<OpenDirectory> {
  const files = new Map<string, Uint8Array>();
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(nothing);
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    files.set(relative(directory, file).replaceAll(sep, '/'), await readFile(file));
  }
  return {
    path: mount,
    async locate(path) {
      return candidates(path)
        .map((candidate) => posix.join('/', candidate).slice(1))
        .find((file) => files.has(file) && !isHidden(file));
    },
    async read(file) {
      const bytes = files.get(file);
      if (!bytes) throw new Error('The directory has no such file.');
      return bytes;
    },
  };
}

const isAsset = (path: string) => path.startsWith('assets/');
const lookMs = 1000;

/**
 * What processes that were started later have built, while this one is not yet ended: a page of theirs may ask here.
 * @param known those that need no look
 */
function openLater(mount: string, kept: string, known: readonly string[]): OpenDirectory {
  const held = new Map<string, OpenDirectory | undefined>(known.map((directory) => [directory, undefined]));
  let looking: Promise<void> | undefined;
  const look = async () => {
    for (const directory of await keptIn(kept)) {
      if (held.has(directory)) continue;
      // One that is taken away meanwhile has no files.
      const opened = await holdDirectory({ path: mount, directory }).catch(() => undefined);
      if (opened) held.set(directory, opened);
    }
    setTimeout(() => {
      looking = undefined;
    }, lookMs).unref();
  };
  const find = async (path: string) => {
    for (const one of held.values()) {
      const file = await one?.locate(path);
      if (one && file !== undefined) return { one, file };
    }
    return undefined;
  };
  return {
    path: mount,
    async locate(path) {
      if (!isAsset(path)) return undefined;
      const found = await find(path);
      if (found) return found.file;
      looking ??= look();
      await looking;
      return (await find(path))?.file;
    },
    async read(file) {
      const found = await find(file);
      if (!found) throw new Error('The directory has no such file.');
      return found.one.read(file);
    },
  };
}

/**
 * @param kept the folder for what is remembered
 * @throws what the file system says of a directory that shall be held and is there, but cannot be read
 */
export async function openStatics(
  statics: readonly StaticDirectory[],
  kept: string,
  log: Log,
): Promise<OpenDirectory[]> {
  const failed = (error: unknown) =>
    log.error({ builds: 'files of builds are not kept for pages that are open', ...errorFacts(error) });
  const all = [...statics];
  const later: OpenDirectory[] = [];
  for (const { path, directory, remembered } of statics) {
    if (!remembered) continue;
    const earlier = await keepBuilds(directory, kept, failed);
    for (const build of earlier) all.push({ path, directory: build, held: true });
    later.push(openLater(path, kept, await keptIn(kept)));
  }
  const open = await Promise.all(all.map((one) => (one.held ? holdDirectory(one) : openDirectory(one))));
  return [...open, ...later];
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
  statics: readonly OpenDirectory[];
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
    for (const from of path === undefined ? [] : byDepth) {
      const rest = below(from.path, path ?? '');
      const file = rest === undefined ? undefined : await from.locate(rest);
      if (file === undefined) continue;
      const values = { nonce: randomToken(), origin: known ?? new URL(http.req.url).origin, inbox };
      const isPage = extname(file) === '.html';
      const beside = byDepth.filter(({ path }) => path === from.path);
      const extra = await Promise.all(beside.map((one) => extraHeaders(one, file)));
      http.set('route', '(file)');
      http.header('Content-Type', types[extname(file)] ?? 'application/octet-stream');
      http.header('Cache-Control', cacheOf(file));
      http.header('X-Content-Type-Options', 'nosniff');
      if (!isPage) {
        http.header('Access-Control-Allow-Origin', '*');
        // Pages that are isolated from other origins may have them all the same.
        http.header('Cross-Origin-Resource-Policy', 'cross-origin');
      }
      for (const [name, value] of extra.flatMap(Object.entries<string>))
        http.header(name, filled(value, values));
      const bytes = new Uint8Array(await from.read(file));
      if (isPage) return http.body(filled(Buffer.from(bytes).toString('utf8'), values));
      // Safari plays nothing of what it cannot ask for in parts. Only GET knows them.
      const range = http.req.method === 'HEAD' ? undefined : rangeOf(http.req.header('range'), bytes.length);
      const part = range ? bytes.subarray(range.start, range.end + 1) : bytes;
      return http.body(part, range ? 206 : 200, rangeHeaders(range, bytes.length));
    }
    return next();
  };
}

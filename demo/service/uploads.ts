/**
 * Files of messages on disk. A file is streamed into a waiting place under a name of ours, and moves to its own
 * place once its message is sure to be stored. The sender's name and type are never believed: what is not known
 * by its first bytes as a picture, sound or film is only ever offered as a download.
 */
import { once } from 'node:events';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type PictureSize, pictureSize, sniff } from './file-kinds.js';
import { randomToken } from './secrets.js';

export interface StoredFile extends PictureSize {
  key: string;
  fileName: string;
  fileType: 'image' | 'audio' | 'video' | 'file';
  contentType: string;
  extension: string | null;
  size: number;
}

export interface Uploads {
  receive(name: string, from: Readable): Promise<StoredFile>;
  /** From the waiting place to the final one. */
  keep(files: readonly StoredFile[]): Promise<void>;
  /** Wherever they are. */
  discard(keys: readonly string[]): Promise<void>;
  /** @returns the keys of those that have been at their final place, or set aside, for so long */
  keptFor(ms: number): Promise<string[]>;
  asideFor(ms: number): Promise<string[]>;
  /** Where nobody finds them, and back. */
  setAside(keys: readonly string[]): Promise<void>;
  bringBack(keys: readonly string[]): Promise<void>;
  /**
   * Nothing is opened before `open`: who asks for the head alone would leave it open for ever. And what cannot be opened
   * fails there, where it can still be told as any other error.
   */
  find(key: string): Promise<{ size: number; open(range?: Range): Promise<Readable> } | undefined>;
}

/** Both bytes are part of it. */
export interface Range {
  start: number;
  end: number;
}

const headBytes = 64 * 1024;
const longestName = 120;

/** The last part of any path, without control and bidi characters and with its extension whatever its length. */
function cleanName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? '';
  const plain = last.replace(/[\p{Cc}\p{Cf}\p{Surrogate}"<>|*?:]/gu, '').trim();
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(plain)?.[0] ?? '';
  // By characters: half an emoji is none.
  const stem = Array.from(plain.slice(0, plain.length - extension.length))
    .slice(0, longestName)
    .join('');
  // In an address dots alone are steps: who fetched it would ask for another.
  return `${/^\.*$/.test(stem) ? 'file' : stem}${extension}`;
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** A name is as easily lost as bytes are. */
async function syncFolder(path: string): Promise<void> {
  // Which opens no folder.
  if (process.platform === 'win32') return;
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

const isKey = (name: string) => /^[\w-]{32}$/.test(name);

const forgottenMs = 24 * 60 * 60 * 1000;

/** What a process that died was receiving. */
async function sweep(waiting: string): Promise<void> {
  for (const name of await readdir(waiting)) {
    const path = join(waiting, name);
    const facts = await stat(path).catch(() => undefined);
    if (facts && Date.now() - facts.mtimeMs > forgottenMs) await rm(path, { force: true });
  }
}

/** @returns those that have had this name for so long: their bytes may have been much longer on their way */
async function keysIn(folder: string, ms: number): Promise<string[]> {
  const keys: string[] = [];
  for (const name of await readdir(folder)) {
    const facts = isKey(name) ? await stat(join(folder, name)).catch(() => undefined) : undefined;
    if (facts?.isFile() && Date.now() - facts.ctimeMs >= ms) keys.push(name);
  }
  return keys;
}

/** Another process may have been quicker. */
async function moveAll(keys: readonly string[], from: string, to: string): Promise<void> {
  for (const key of keys) await rename(join(from, key), join(to, key)).catch(() => undefined);
}

export async function openUploads(dataDir: string): Promise<Uploads> {
  const waiting = join(dataDir, 'uploads', 'waiting');
  const kept = join(dataDir, 'uploads', 'kept');
  const aside = join(dataDir, 'uploads', 'unnamed');
  for (const folder of [waiting, kept, aside]) {
    await mkdir(folder, { recursive: true });
    // One that is there already may be somebody else's; the first file would be told so too late.
    await access(folder, constants.W_OK | constants.X_OK);
  }
  await sweep(waiting);
  return {
    async receive(name, from) {
      const key = randomToken(24);
      const path = join(waiting, key);
      try {
        // Flushed: its message is on the disk once it is stored, and must not outlive the bytes that it names.
        await pipeline(from, createWriteStream(path, { flags: 'wx', flush: true }));
        const head = await headOf(path);
        const kind = sniff(head);
        const fileName = cleanName(name);
        return {
          key,
          fileName,
          fileType: kind?.fileType ?? 'file',
          contentType: kind?.contentType ?? 'application/octet-stream',
          extension: /\.([A-Za-z0-9]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? null,
          size: (await stat(path)).size,
          ...pictureSize(head, kind),
        };
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
    },
    async keep(files) {
      for (const { key } of files) await rename(join(waiting, key), join(kept, key));
      if (files.length > 0) await syncFolder(kept);
    },
    async discard(keys) {
      for (const key of keys) {
        for (const folder of [waiting, kept, aside]) await rm(join(folder, key), { force: true });
      }
    },
    keptFor: (ms) => keysIn(kept, ms),
    asideFor: (ms) => keysIn(aside, ms),
    setAside: (keys) => moveAll(keys, kept, aside),
    bringBack: (keys) => moveAll(keys, aside, kept),
    async find(key) {
      if (!isKey(key)) return undefined;
      let path = join(kept, key);
      let facts = await stat(path).catch(() => undefined);
      if (!facts) {
        // Named again, as by an older copy of the database, it is back at the next turn of the day.
        path = join(aside, key);
        facts = await stat(path).catch(() => undefined);
      }
      return (
        facts && {
          size: facts.size,
          async open(range) {
            const file = createReadStream(path, range ?? {});
            await once(file, 'open');
            return file;
          },
        }
      );
    },
  };
}

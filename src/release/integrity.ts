/**
 * Publishes the hash of every script that a page can be given, for `integrity="…"` on a tag and for whoever compares two
 * builds. It does not know what the scripts do.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Integrity {
  version: string;
  /** A script's place in the folder, and what `integrity` says of it. */
  files: Record<string, string>;
}

export function integrityOf(folder: string, version: string): Integrity {
  const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.js'))
    .sort();
  const hashOf = (file: string) =>
    createHash('sha384')
      .update(readFileSync(join(folder, file)))
      .digest('base64');
  return { version, files: Object.fromEntries(scripts.map((file) => [file, `sha384-${hashOf(file)}`])) };
}

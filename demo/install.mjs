/**
 * Installs the packages of the lock file when they are missing or out of date. Knows Node alone, because it
 * runs before anything is installed.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export function install() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  // As the tools have it that build and test.
  const least = { 20: 19, 22: 12 }[major] ?? (major < 24 ? Number.POSITIVE_INFINITY : 0);
  if (minor < least) {
    console.error(`Parley needs Node 20.19, 22.12, or 24 and newer; this is ${process.versions.node}.`);
    process.exit(1);
  }
  const mark = join(root, 'node_modules', '.parley-installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  console.log('Installing packages …');
  // Whatever NODE_ENV says: what builds is among the packages for development.
  execFileSync('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  writeFileSync(mark, wanted);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) install();

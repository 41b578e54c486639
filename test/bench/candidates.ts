/**
 * Gets the candidates: each one installed from exact versions into a folder of its own below `.bench` (ignored by git,
 * kept for the next time) and made into the files of one page. Every step has a time limit; one that cannot be had is
 * told with its reason. It does not know what is measured.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Peer } from './peers/peer.js';

export const folder = join(import.meta.dirname, '../../.bench');
const peersFolder = join(import.meta.dirname, 'peers');
const INSTALL_MS = 400_000;
const BUILD_MS = 180_000;

const execute = promisify(execFile);
const placeOf = ({ name }: Pick<Peer, 'name'>) => join(folder, name);
export const filesOf = (peer: Pick<Peer, 'name'>) => join(placeOf(peer), 'files');

const failure = z.object({
  message: z.string(),
  stderr: z.string().default(''),
  killed: z.boolean().default(false),
});

/** What the command said when it failed, in one line. */
function reasonOf(error: unknown): string {
  const { stderr, message, killed } = failure.safeParse(error).data ?? { stderr: '', message: String(error) };
  if (killed) return 'took too long';
  const lines = `${stderr}\n${message}`
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!) ?(code \w+)?/, '').trim());
  return lines.find((line) => line && !/^npm warn/i.test(line))?.slice(0, 200) ?? 'failed';
}

const npm = (cwd: string, ...args: string[]) =>
  execute('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    timeout: INSTALL_MS,
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  });

/** What is built by the vendor needs nothing but itself. */
async function unpack(peer: Peer, place: string): Promise<void> {
  const [[name = '', version = ''] = []] = Object.entries(peer.packages);
  await npm(place, 'pack', `${name}@${version}`, '--silent');
  const packed = readdirSync(place).find((file) => file.endsWith('.tgz')) ?? '';
  await execute('tar', ['-xzf', packed], { cwd: place, timeout: INSTALL_MS });
  rmSync(join(place, packed));
}

function copyPublished(peer: Peer, published: Readonly<Record<string, string>>): void {
  const [from, to] = [join(placeOf(peer), 'package'), filesOf(peer)];
  for (const [name, path] of Object.entries(published)) {
    if (name === '*') {
      const ending = basename(path).slice(1);
      for (const file of readdirSync(join(from, dirname(path))))
        if (file.endsWith(ending)) cpSync(join(from, dirname(path), file), join(to, file));
    } else {
      mkdirSync(dirname(join(to, name)), { recursive: true });
      cpSync(join(from, path), join(to, name));
    }
  }
  for (const file of ['plain-launcher.js', `${peer.name}.page.js`])
    cpSync(join(peersFolder, file), join(to, file === 'plain-launcher.js' ? file : 'page.js'));
}

/** In a process of its own: what a vendor's sources do to a build can then be ended. */
async function build(peer: Peer): Promise<void> {
  const source = join(placeOf(peer), 'source');
  mkdirSync(source, { recursive: true });
  for (const file of readdirSync(peersFolder))
    if (file.endsWith('.js')) cpSync(join(peersFolder, file), join(source, file));
  const input = {
    page: join(source, `${peer.name}.page.js`),
    ...(peer.build?.late ? { late: join(source, `${peer.name}.late.js`) } : {}),
  };
  const given = { ...peer.build, root: placeOf(peer), input, outDir: filesOf(peer) };
  await execute(process.execPath, [join(import.meta.dirname, 'run.mjs'), 'build'], {
    env: { ...process.env, BENCH_BUILD: JSON.stringify(given), NODE_ENV: 'production' },
    timeout: BUILD_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** What the files were made of: nothing is made twice. */
function markOf(peer: Peer): string {
  const hash = createHash('sha256').update(JSON.stringify(peer));
  for (const file of [...readdirSync(peersFolder).sort(), '../build.ts', '../candidates.ts'])
    if (/\.js$|\.\.\//.test(file)) hash.update(readFileSync(join(peersFolder, file)));
  return hash.digest('hex');
}

async function make(peer: Peer): Promise<void> {
  const place = placeOf(peer);
  const mark = join(place, 'made');
  const wanted = markOf(peer);
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  const manifest = JSON.stringify({ name: `bench-${peer.name}`, private: true, dependencies: peer.packages });
  const listed = join(place, 'package.json');
  const isInstalled =
    existsSync(listed) && readFileSync(listed, 'utf8') === manifest && existsSync(join(place, 'installed'));
  if (!isInstalled) {
    console.log(`Installing ${Object.keys(peer.packages)[0] ?? peer.name} …`);
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place, { recursive: true });
    writeFileSync(listed, manifest);
    if (peer.published) await unpack(peer, place);
    else if (Object.keys(peer.packages).length) await npm(place, 'install', '--ignore-scripts');
    writeFileSync(join(place, 'installed'), '');
  }
  rmSync(filesOf(peer), { recursive: true, force: true });
  if (peer.published) copyPublished(peer, peer.published);
  else await build(peer);
  if (!existsSync(join(filesOf(peer), 'page.js'))) throw new Error('the build made no page.js');
  writeFileSync(mark, wanted);
}

/** @returns why each of those that cannot be had cannot */
export async function makeCandidates(peers: readonly Peer[]): Promise<Map<string, string>> {
  const absent = new Map<string, string>();
  for (const peer of peers) {
    try {
      await make(peer);
    } catch (error) {
      absent.set(peer.name, reasonOf(error));
      console.log(`Absent: ${peer.title}: ${absent.get(peer.name)}`);
    }
  }
  return absent;
}

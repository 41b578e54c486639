/**
 * A PostgreSQL of our own, where the programs are installed and no DATABASE_URL is given: made in a folder, on a free
 * port of this machine, with a password nobody else knows. Knows Node alone.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const oldest = 15;
/** Until one that hangs is ended. What was committed is in its log, and the next start reads it. */
const endMs = 30_000;

const lastLines = 5;

export const howToGetPostgres =
  'No PostgreSQL found. Install version 15 or newer ("sudo apt-get install postgresql", "brew install postgresql@17"), or set DATABASE_URL to one.';

const subfolders = (folder) =>
  existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name, 'bin')) : [];

/**
 * @param major the version that wrote the data: no other one reads them
 * @returns the folder of the programs, the newest first, or nothing
 */
export function findPostgres(major) {
  const newestFirst = subfolders('/usr/lib/postgresql').sort(
    (a, b) => parseInt(b.split('/')[4], 10) - parseInt(a.split('/')[4], 10),
  );
  const usual = [
    ...newestFirst,
    ...(process.env.PATH ?? '').split(delimiter),
    ...subfolders('/opt/homebrew/opt').filter((path) => path.includes('postgresql')),
    ...subfolders('/usr/local/opt').filter((path) => path.includes('postgresql')),
  ];
  const places = process.env.POSTGRES_BIN ? [process.env.POSTGRES_BIN] : usual;
  return places.find((folder) => {
    if (!folder || !existsSync(join(folder, 'initdb')) || !existsSync(join(folder, 'postgres'))) return false;
    const told = execFileSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' });
    const version = Number(/(\d+)/.exec(told)?.[1]);
    return version >= oldest && (major === undefined || version === major);
  });
}

/** PostgreSQL refuses to run as root; its package brings a user for that. */
function identity() {
  if (process.getuid?.() !== 0) return {};
  try {
    const id = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return {};
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Names who started it, in the words by which it was started. */
const starter = 'parley.starter';

/** @returns its parent and the words by which it was started, nothing of one that is no more */
function factsOf(pid) {
  try {
    const asked = ['-ww', '-o', 'ppid=', '-o', 'args=', '-p', String(pid)];
    const [parent, ...words] = execFileSync('ps', asked, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .trim()
      .split(' ');
    return { parent: Number(parent), words: words.join(' ') };
  } catch {
    return undefined;
  }
}

/** One that lost whoever started it, as by kill -9, would have its data for ever. One that did not is left alone. */
async function endOrphan(data) {
  const file = join(data, 'postmaster.pid');
  const pid = existsSync(file) ? parseInt(readFileSync(file, 'utf8'), 10) : 0;
  const orphan = () => {
    const { parent, words = '' } = (pid > 0 && factsOf(pid)) || {};
    const by = words.includes(` ${data} `) && new RegExp(`${starter}=(\\d+)`).exec(words)?.[1];
    return by && Number(by) !== parent;
  };
  if (!orphan()) return;
  process.kill(pid, 'SIGINT');
  for (const from = Date.now(); orphan() && Date.now() - from < endMs; ) await wait(100);
}

/**
 * @param folder where its data is, or will be
 * @param settings such as { fsync: 'off' }
 * @param ownGroup what a terminal tells all its processes does not reach it: whoever started it must stop it
 * @returns its address, its process id, its end, and how to bring that about
 */
export async function startPostgres(folder, settings = {}, { ownGroup = false } = {}) {
  const data = join(folder, 'data');
  const written = join(data, 'PG_VERSION');
  // Where the programs that fit are gone, the newest say what they miss.
  const bin =
    (existsSync(written) && findPostgres(parseInt(readFileSync(written, 'utf8'), 10))) || findPostgres();
  if (!bin) throw new Error(howToGetPostgres);
  const as = identity();
  const own = (path) => as.uid !== undefined && chownSync(path, as.uid, as.gid);
  const secret = join(folder, 'password');
  // The mode is for the last one alone: the user of PostgreSQL must come through those above.
  mkdirSync(dirname(folder), { recursive: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  own(folder);
  if (!existsSync(secret)) {
    writeFileSync(secret, randomBytes(18).toString('hex'), { mode: 0o600 });
    own(secret);
  }
  if (existsSync(written)) await endOrphan(data);
  else {
    // It has its name once it is whole.
    const half = `${data}-new`;
    const how = [
      '-D',
      half,
      '-U',
      'parley',
      '--auth=scram-sha-256',
      `--pwfile=${secret}`,
      '-E',
      'UTF8',
      '--no-sync',
    ];
    const make = (locale, errors) => {
      rmSync(half, { recursive: true, force: true });
      execFileSync(join(bin, 'initdb'), [...how, `--locale=${locale}`], {
        ...as,
        cwd: folder,
        stdio: ['ignore', 'ignore', errors],
      });
      renameSync(half, data);
    };
    // In the locale C, which a machine without any setting has, only A to Z are small letters and large ones.
    try {
      make('C.UTF-8', 'ignore');
    } catch {
      try {
        make('en_US.UTF-8', 'inherit');
      } catch {
        const who = as.uid === undefined ? 'this user' : 'the user "postgres"';
        throw new Error(
          `PostgreSQL could not make its database in ${data}: set DATA_DIR to a folder that ${who} can reach and write to.`,
        );
      }
    }
  }
  const port = await freePort();
  const given = {
    [starter]: String(process.pid),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    ...settings,
  };
  const options = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...options], {
    ...as,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: ownGroup,
  });
  const exit = new Promise((resolve) => child.once('exit', resolve));
  let printed = '';
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${printed}`)));
    child.stderr.on('data', (text) => {
      printed = (printed + text).slice(-4000);
      if (printed.includes('ready to accept connections')) resolve(undefined);
    });
  });
  return {
    url: `postgres://parley:${readFileSync(secret, 'utf8')}@127.0.0.1:${port}/postgres`,
    pid: child.pid,
    ended: exit,
    said: () => printed.trim().split('\n').slice(-lastLines).join('\n'),
    async stop() {
      // Fast: clients are told to go.
      child.kill('SIGINT');
      const cut = setTimeout(() => child.kill('SIGKILL'), endMs);
      await exit;
      clearTimeout(cut);
    },
  };
}

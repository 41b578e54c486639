/** `npm run dev`: serves, and whenever a source changes builds again and starts the service anew. */
import { spawn, spawnSync } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { install, root } from './install.mjs';

install();
process.chdir(root);
const SETTLE_MS = 150;
let service;
let again = false;
let timer;

function serve() {
  service = spawn(process.execPath, [join(root, 'dist/demo/service/main.js')], { stdio: 'inherit' });
  service.once('exit', () => {
    service = undefined;
    if (again) serve();
    again = false;
  });
}

function start() {
  const build = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'],
    {
      stdio: 'inherit',
    },
  );
  if (build.status !== 0) return;
  if (!service) return serve();
  // However often a source changes until it is gone, one comes after it.
  again = true;
  service.kill('SIGTERM');
}

start();
for (const folder of ['src', 'demo']) {
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(start, SETTLE_MS);
  });
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    again = false;
    if (!service) process.exit(0);
    service.once('exit', () => process.exit(0));
    service.kill('SIGTERM');
  });
}

/** `node test/bench/run.mjs <name>`: runs a bench written in TypeScript, out of its sources. */
import { join } from 'node:path';
import { install, root } from '../../demo/install.mjs';

install();
const { runnerImport } = await import('vite');
const name = process.argv[2] ?? 'load';
const { module } = await runnerImport(join(root, 'test/bench', `${name}.ts`), { configFile: false, root });
await module.run();

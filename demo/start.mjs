/** `npm start`: installs what is missing, builds, and serves until it is stopped. */
import { install, root } from './install.mjs';

install();
process.chdir(root);
const { createBuilder } = await import('vite');
const builder = await createBuilder({ root, logLevel: 'warn' });
await builder.buildApp();
await import('../dist/demo/service/main.js');

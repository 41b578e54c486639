/**
 * Bugs planted on purpose: exact replacements in the sources. The engine and the model around it are
 * loaded anew with the bug in place, so that the shipped files stay as they are. It does not know how a bug is found.
 */
import { fileURLToPath } from 'node:url';
import { createServer, type Plugin } from 'vite';
import type { Schedule } from './schedule.js';

export interface Mutant {
  name: string;
  edits: { file: string; from: string; to: string }[];
  /** The schedule of seed 1 that finds it. */
  found: number;
  /** Where it takes other dice than those of the schedule. */
  dice?: number;
}

interface World {
  run: (schedule: Schedule) => Promise<{ violations: string[] }>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

export async function withBug<T>(mutant: Mutant, work: (world: World) => Promise<T>): Promise<T> {
  let planted = 0;
  const plant: Plugin = {
    name: 'parley-mutant',
    enforce: 'pre',
    transform(code, id) {
      let changed = code;
      for (const { file, from, to } of mutant.edits) {
        if (!id.endsWith(file)) continue;
        if (changed.split(from).length !== 2) throw new Error(`${mutant.name}: its place is not there once.`);
        planted++;
        changed = changed.replace(from, () => to);
      }
      return changed === code ? undefined : changed;
    },
  };
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [plant],
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    appType: 'custom',
  });
  try {
    const module = await server.ssrLoadModule('/test/model/world.ts');
    if (planted !== mutant.edits.length) throw new Error(`${mutant.name} was not planted.`);
    return await work({ run: module.run });
  } finally {
    await server.close();
  }
}

/**
 * What a guest on other people's pages changes in the libraries it brings. It does not know what we build with them.
 */
import { resolve } from 'node:path';
import type { Plugin } from 'vite';

/** Pages of a certain age add members to Object.prototype, and a library's for…in walks them, too. */
const loop = /for\s*\(\s*((?:const|let|var)\s+)?(\w+|\$)\s+in\s+([^()]+)\)/g;
/** As much of it as our schemas use; that it reads alike is proved in test/built/schemas.test.ts. */
const LEAN_ZOD = resolve('src/lean/zod.ts');
const GLOBAL = /globalThis\.nanostoresGlobal/;

/** @param environments whose files go to visitors */
export function guestLibraries(environments: string[]): Plugin {
  return {
    name: 'parley-guest-libraries',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => environments.includes(name),
    resolveId: (id) => (id === 'zod/mini' ? LEAN_ZOD : undefined),
    transform(code, id) {
      if (!/node_modules\/(?:preact|nanostores)\//.test(id)) return undefined;
      let changed = code.replace(
        loop,
        (_, kind = '', key, object) => `for(${kind}${key} of Object.keys((${object})||{}))`,
      );
      // The globals that two of them would add stay in their modules: a guest has one.
      if (GLOBAL.test(changed))
        changed = `const parleyGlobals = {};\n${changed.replaceAll(/\bglobalThis\b/g, 'parleyGlobals')}`;
      return changed === code ? undefined : { code: changed, map: null };
    },
  };
}

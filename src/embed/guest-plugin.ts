/**
 * What a guest on other people's pages changes in the libraries it brings. It does not know what we build with them.
 */
import { resolve } from 'node:path';
import type { Plugin } from 'vite';

/** Pages of a certain age add members to Object.prototype, and a library's for…in walks them, too. */
const loop = /for\s*\(\s*((?:const|let|var)\s+)?(\w+|\$)\s+in\s+([^()]+)\)/g;
/** As much of these as we use; that it does the same is proved in test/built. */
const lean: Record<string, string> = {
  nanostores: resolve('src/lean/stores.ts'),
  'zod/mini': resolve('src/lean/zod.ts'),
};

/** @param environments whose files go to visitors */
export function guestLibraries(environments: string[]): Plugin {
  return {
    name: 'parley-guest-libraries',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => environments.includes(name),
    resolveId: (id) => lean[id],
    transform(code, id) {
      if (!/node_modules\/preact\//.test(id)) return undefined;
      const changed = code.replace(
        loop,
        (_, kind = '', key, object) => `for(${kind}${key} of Object.keys((${object})||{}))`,
      );
      return changed === code ? undefined : { code: changed, map: null };
    },
  };
}

/**
 * Preact for visitors, without what nobody here uses: class components, error boundaries, portals, hydration and what
 * waits in it, HTML strings, MathML, the switches of its tools. The build takes exact passages out of the very version
 * that package.json pins and stops when one is not found, so that an update looks at each. What tests of components and
 * the console run is untouched.
 */
import type { Plugin } from 'vite';
import { CUTS } from './preact-cuts.js';

/** @param environments whose files go to visitors */
export function leanPreact(environments: string[]): Plugin {
  return {
    name: 'parley-lean-preact',
    enforce: 'pre',
    applyToEnvironment: ({ name, config }) => config.command === 'build' && environments.includes(name),
    transform(code, id) {
      const cuts = CUTS[/node_modules\/preact\/.*?(\w+)\.mjs$/.exec(id)?.[1] ?? ''];
      if (!cuts) return undefined;
      const left = cuts.reduce((rest, [passage, instead = '']) => {
        if (rest.split(passage).length !== 2)
          throw new Error(`Preact does not contain "${passage}" once: see what became of it.`);
        return rest.replace(passage, () => instead);
      }, code);
      return { code: left, map: null };
    },
  };
}

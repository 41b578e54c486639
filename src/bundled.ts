/**
 * Takes the place of `loader.ts` where no file is fetched by us: in the one-file build everything is here already, and
 * in the package the owner's bundler sees the imports and decides. It does not know what is in the modules.
 */

/** For each module what brings it. */
export type Bundled<Modules> = { [Name in keyof Modules]: () => Promise<Modules[Name]> };

/** Nothing is relative to anything. */
export const above = (): string => '';

/** Nothing is fetched. */
export const FETCHED = '';

/** As it is. */
export const createOpener = <Module>(bring: () => Promise<Module>) => bring;

export function createLoader<Modules>(bundled: Bundled<Modules>) {
  return {
    preload(name: keyof Modules, _beside?: string): void {
      // Whoever opens it next is told that it failed.
      bundled[name]().catch(() => {});
    },
    open: async <N extends keyof Modules>(name: N, _beside?: string): Promise<Modules[N]> => bundled[name](),
  };
}

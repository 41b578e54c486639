/**
 * Makes what visitors fetch as small and as quick to begin as it gets, and keeps the way back to the sources. The
 * build's own minifier is quick; a second one finds what it leaves, more than one in a hundred. Source maps lie apart
 * from what is served, and nothing served names them: who reads an error report has them, a visitor does not pay for
 * them. It does not know what is in the files.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { minify } from 'terser';
import type { Plugin } from 'vite';

/** Unsafe for functions that are constructed without a word of `this`: there are none. */
const options = { ecma: 2020, compress: { passes: 3, unsafe_arrows: true, keep_fargs: false } } as const;
/** To Chromium: compile all of it while the file comes, and not each function anew when it is called. */
const atOnce = '//# allFunctionsCalledOnLoad';

/**
 * One letter beyond Latin 1 makes browsers keep all of a file in twice the memory. Where there are few of them they are
 * written by their numbers.
 */
const isNearlyAscii = (code: string): boolean =>
  (code.match(/[\u0080-\uffff]/g)?.length ?? 0) < code.length / 500;

/**
 * @param environments whose files are made small, and the folder of `maps` that theirs go to; the first empties it
 * @param left whose files are left as they are: somebody else's build makes them small, or one in a hundred is no matter
 * @param called names of files of which nearly all is called as soon as they are there
 */
export function smallest(
  maps: string,
  environments: Record<string, string>,
  left: string[],
  called: RegExp,
): Plugin {
  const { version } = createRequire(import.meta.url)('terser/package.json');
  const [first] = Object.keys(environments);
  return {
    name: 'parley-smallest',
    applyToEnvironment: ({ name }) => name in environments,
    // A file is named by what it was before.
    augmentChunkHash: () => `${version} ${JSON.stringify(options)} ${called} ${atOnce} ${isNearlyAscii}`,
    buildStart() {
      if (this.environment.name === first && this.environment.config.command === 'build')
        rmSync(maps, { recursive: true, force: true });
    },
    generateBundle: {
      order: 'post',
      async handler({ format, dir = '' }, bundle) {
        const { name } = this.environment;
        const folder = join(maps, environments[name] ?? '');
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk') continue;
          const { sourcemapFileName } = file;
          let map = file.map;
          if (!left.includes(name)) {
            const small = await minify(file.code, {
              module: format === 'es',
              ...options,
              format: {
                preamble: called.test(file.fileName) ? atOnce : '',
                ascii_only: isNearlyAscii(file.code),
              },
              ...(map && {
                sourceMap: { content: JSON.stringify(map), includeSources: true, asObject: true },
              }),
            });
            if (small.code) file.code = small.code;
            if (map) map = Object.assign(map, small.map);
          }
          if (sourcemapFileName) delete bundle[sourcemapFileName];
          // A table of names has no source.
          if (!map) continue;
          const to = join(folder, `${file.fileName}.map`);
          const from = dirname(join(dir, file.fileName));
          mkdirSync(dirname(to), { recursive: true });
          writeFileSync(
            to,
            JSON.stringify({
              ...map,
              file: file.fileName,
              // By its place in this repository, whatever folder that lies in.
              sources: map.sources.map((source) =>
                /[\0]|^virtual:/.test(source)
                  ? source
                  : relative('.', join(from, source)).replaceAll('\\', '/'),
              ),
            }),
          );
        }
      },
    },
  };
}

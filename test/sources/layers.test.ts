/** Nothing in the sources points up. That no imports go in a ring is for the linter to see: `noImportCycles`. */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';

/** From the leaves up; those that stand side by side do not know each other. A folder of `src`, or a file beside them. */
const layers = [
  'parley errors json',
  'options levels event-names page-held loader bundled styles',
  'option-kinds page-env',
  'options-table env',
  'wire',
  'model',
  'api realtime storage',
  'text theme content',
  'settings',
  'state',
  'ui',
  'asks emoji files',
  'export tray',
  'more parts',
  'embed',
  'notice bridge',
  'chat owner',
  'doctor',
  'page index',
  'wrappers',
].map((names) => names.split(' '));
/** For the build alone. */
const apart = /^src\/(?:release|lean|.*-plugin|page\/html|ui\/preact-cuts)|\.d\.ts$/;
/** A promise to fetch, `import()`, may go up, and so may `typeof import()`, which says what comes of it. */
const imported = /^(?:import|export)\s(?:[^;'"]*\sfrom\s)?'(\.[^'?]+)/gm;

const layerOf = (path: string) => {
  const [, name = ''] = /^src\/([^/.]+)/.exec(path) ?? [];
  return { name, at: layers.findIndex((names) => names.includes(name)) };
};
const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((path) => `src/${path}`)
  .filter((path) => /\.tsx?$/.test(path) && !apart.test(path));
const importsOf = (path: string) =>
  [...readFileSync(path, 'utf8').matchAll(imported)].map(([, to = '']) =>
    posix.join(posix.dirname(path), to),
  );

test('every folder has its layer', () => {
  expect(files.filter((path) => layerOf(path).at < 0)).toEqual([]);
});

test('nothing points up, nor to its neighbours', () => {
  const wrong = files.flatMap((path) => {
    const from = layerOf(path);
    return importsOf(path)
      .filter((to) => {
        const { name, at } = layerOf(to);
        return name !== from.name && (at < 0 || at >= from.at);
      })
      .map((to) => `${path} → ${to}`);
  });
  expect(wrong).toEqual([]);
});

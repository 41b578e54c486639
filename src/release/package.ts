/**
 * Makes the package around its built files: what it exports, its types, and what people read. The types are those that
 * can be reached from what is exported, and lean on nothing that the package does not bring. It does not know how the
 * files are built.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

export interface Exported {
  /** Below what name it is imported: `.`, `./react`. */
  name: string;
  /** Its source, below `src`. */
  source: string;
  /** What whoever imports it brings, in which versions. */
  peer?: readonly [name: string, versions: string];
}

const SPECIFIER = /\b(?:from|import)\s*\(?\s*'([^']+)'/g;

/** @returns the text of each file of types, by its place */
export async function makeTypes(exported: readonly Exported[]): Promise<ReadonlyMap<string, string>> {
  mkdirSync('dist', { recursive: true });
  const all = mkdtempSync('dist/types-');
  try {
    const tsc = ['node_modules/typescript/bin/tsc', '-p', 'src/release', '--outDir', all];
    await promisify(execFile)(process.execPath, tsc);
    const peers = new Set(exported.flatMap(({ peer }) => (peer ? [peer[0]] : [])));
    const reached = new Set(exported.map(({ source }) => typesOf(source)));
    const types = new Map<string, string>();
    for (const file of reached) {
      const text = readFileSync(join(all, file), 'utf8');
      types.set(file, text);
      for (const [, specifier = ''] of text.matchAll(SPECIFIER)) {
        if (specifier.startsWith('.')) reached.add(relative('.', join(dirname(file), typesOf(specifier))));
        else if (!peers.has(specifier))
          throw new Error(`The types of ${file} lean on ${specifier}, which the package does not bring.`);
      }
    }
    return types;
  } finally {
    rmSync(all, { recursive: true, force: true });
  }
}

const typesOf = (source: string): string => source.replace(/\.[jt]sx?$/, '.d.ts');
const fileOf = (name: string): string => (name === '.' ? './index.js' : `${name}.js`);

/**
 * The manual, for whoever has the package alone: without its pictures, which lie in the repository.
 * @throws where it leads to something else that the package does not bring
 */
function manual(readme: string): string {
  const text = readme.replace(/^!\[[^\]]*\]\((?!https:)[^)]*\)\n\n/gm, '');
  const prose = text.replace(/^```[\s\S]*?^```/gm, '');
  const [, astray] = /\]\((?!#|https:)([^)]*)\)/.exec(prose) ?? [];
  if (astray) throw new Error(`README.md leads to ${astray}, which the package does not bring.`);
  return text;
}

/**
 * @param about what the package is called, its version and so on
 * @param licences of what is bundled
 * @param sentences in English, by their names
 */
export function writePackage(
  folder: string,
  exported: readonly Exported[],
  about: Readonly<Record<'name' | 'version' | 'description' | 'license', string>>,
  types: ReadonlyMap<string, string>,
  licences: string,
  sentences: object,
): void {
  for (const [file, text] of types) {
    const place = join(folder, 'types', file);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
  }
  const peers = exported.flatMap(({ peer }) => (peer ? [peer] : []));
  const manifest = {
    ...about,
    type: 'module',
    keywords: [
      'chat',
      'widget',
      'customer support',
      'live chat',
      'accessible',
      'react',
      'vue',
      'custom element',
    ],
    exports: {
      ...Object.fromEntries(
        exported.map(({ name, source }) => [
          name,
          { types: `./types/${typesOf(source)}`, default: fileOf(name) },
        ]),
      ),
      './sentences.json': './sentences.json',
      './package.json': './package.json',
    },
    // What it defines is all it is for.
    sideEffects: ['./element.js'],
    peerDependencies: Object.fromEntries(peers),
    peerDependenciesMeta: Object.fromEntries(peers.map(([name]) => [name, { optional: true }])),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, 'LICENSES.txt'), licences);
  writeFileSync(join(folder, 'sentences.json'), `${JSON.stringify(sentences, null, 2)}\n`);
  writeFileSync(join(folder, 'MANUAL.md'), manual(readFileSync('README.md', 'utf8')));
  cpSync('src/package', folder, { recursive: true });
  cpSync('LICENSE', join(folder, 'LICENSE'));
}

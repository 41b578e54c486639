/**
 * Gathers the licences of what is bundled, our own before all others, out of the very modules that went into the files:
 * whoever passes the files on passes these on, too. A package without a licence, and a module that nobody knows the
 * origin of, end the build. It does not know what is bundled.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const PACKAGE = /^(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)/;
const OURS = /^\0?virtual:parley-/;

/** What the tools of the build add to files. */
const tools: Record<string, string[]> = {
  '\0rolldown/runtime.js': ['rolldown'],
  '\0vite/preload-helper.js': ['vite'],
};

export interface Licences {
  plugin: Plugin;
  /** @returns the licences of what was bundled for this folder, as one text */
  text: (folder: string) => string;
}

/**
 * @param folders which folder the files of an environment go to
 * @param made for a module that is made when the files are built: the packages it is made of
 * @param texts licences that a package passes on without bringing their text: the package, and the file
 */
export function createLicences(
  folders: Record<string, string>,
  made: Record<string, string[]>,
  texts: Record<string, string>,
): Licences {
  const bundled: Record<string, Set<string>> = {};

  function section(directory: string): string {
    const { name, version, license, homepage } = JSON.parse(
      readFileSync(join(directory, 'package.json'), 'utf8'),
    );
    const files = readdirSync(directory).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file));
    const more = texts[name];
    if (!files.length && !more) throw new Error(`${name} has no licence that could be passed on.`);
    return [
      `${name} ${version} (${license})${homepage ? `\n${homepage}` : ''}`,
      ...files.sort().map((file) => readFileSync(join(directory, file), 'utf8')),
      ...(more ? [readFileSync(more, 'utf8')] : []),
    ]
      .map((text) => text.replaceAll('\r', '').trim())
      .join('\n\n');
  }

  return {
    plugin: {
      name: 'parley-licences',
      applyToEnvironment: ({ name, config }) => config.command === 'build' && name in folders,
      generateBundle(_, bundle) {
        const folder = folders[this.environment.name] ?? '';
        bundled[folder] ??= new Set();
        for (const file of Object.values(bundle)) {
          for (const id of file.type === 'chunk' ? file.moduleIds : []) {
            const packages = made[id] ?? tools[id];
            const [, directory] = PACKAGE.exec(id) ?? [];
            if (directory) bundled[folder].add(directory);
            else if (packages) for (const name of packages) bundled[folder].add(join('node_modules', name));
            else if (id.startsWith('\0') && !OURS.test(id))
              this.error(`${JSON.stringify(id)} is bundled, and its licence is not known.`);
          }
        }
      },
    },
    text: (folder) =>
      `${[
        'The files beside this one are the first of these works, with parts of the others or made from them.',
        section('.'),
        ...[...(bundled[folder] ?? [])].map(section).sort(),
      ].join(`\n\n${'-'.repeat(78)}\n\n`)}\n`,
  };
}

/**
 * What is put on a static host: its files and nothing else, their hashes, the way back to the sources apart from them,
 * and the licences of all that is in them.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { english } from '../../src/text/english.js';

const root = join(import.meta.dirname, '../..');
const dist = join(root, 'dist');
const cdn = join(dist, 'cdn');
if (!existsSync(cdn)) throw new Error('Nothing is built yet: run "npm run build" first.');

const all = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
const text = (file: string) => readFileSync(file, 'utf8');
const scripts = all(cdn).filter((file) => file.endsWith('.js'));
const mapped = all(join(dist, 'maps/cdn')).map((file) => file.replace(/\.map$/, ''));
const payload = (file: string, part = 'cdn'): SourceMapPayload =>
  JSON.parse(text(join(dist, 'maps', part, file)));

test('the folder holds what a static host serves, and nothing else', () => {
  const others = all(cdn).filter(
    (file) => !/^assets\/(?:(?:again\/)?[\w-]+-[\w-]{6}\.js|page-[\w-]{8}\.css)$/.test(file),
  );
  expect(others).toEqual([
    'LICENSES.txt',
    'chat.html',
    'integrity.json',
    'parley.element.js',
    'parley.js',
    'parley.module.js',
    'parley.single.js',
  ]);
});

test('every script is published with its hash', () => {
  const { version, files } = z
    .object({ version: z.string(), files: z.record(z.string(), z.string()) })
    .parse(JSON.parse(text(join(cdn, 'integrity.json'))));
  expect(version).toBe(JSON.parse(text(join(root, 'package.json'))).version);
  expect(Object.keys(files).sort()).toEqual(scripts);
  for (const file of scripts) {
    const hash = createHash('sha384')
      .update(readFileSync(join(cdn, file)))
      .digest('base64');
    expect(files[file], file).toBe(`sha384-${hash}`);
  }
});

test('the manual says what the one file weighs', () => {
  const [, said] = /is inside: (\d+) KB\s+compressed/.exec(text(join(root, 'README.md'))) ?? [];
  const bytes = brotliCompressSync(readFileSync(join(cdn, 'parley.single.js'))).length;
  expect(Math.abs(bytes / 1000 - Number(said))).toBeLessThan(3);
});

test('nothing served names a source map, and every script with a source has one', () => {
  for (const file of scripts) expect(/sourceMappingURL/.test(text(join(cdn, file))), file).toBe(false);
  // Tables of names are made by the build, and a copy has the source of what it is a copy of.
  const tables = /^assets\/(?:locales|names)-/;
  const own = (file: string) => file.replace('/again/', '/');
  expect(scripts.filter((file) => !mapped.includes(own(file)) && !tables.test(file))).toEqual([]);
  expect(mapped.filter((file) => !scripts.includes(file))).toEqual([]);
});

test('a place in a script leads to the same words in the source', () => {
  let found = 0;
  for (const file of [
    'parley.js',
    'parley.module.js',
    'parley.single.js',
    ...mapped.filter((name) => /(?:app|chat|thread|stage)-/.test(name)),
  ]) {
    const map = payload(`${file}.map`);
    const { sources, sourcesContent } = map;
    for (const source of sources) expect(source, file).toMatch(/^(?:src|node_modules)\//);
    const search = new SourceMap(map);
    for (const [line, words] of text(join(cdn, file)).split('\n').entries()) {
      for (const literal of words.matchAll(/(?<=[("[,=])"([a-z][\w-]{7,})"/g)) {
        const entry = search.findEntry(line, literal.index);
        if (!('originalSource' in entry) || !entry.originalSource.startsWith('src/')) continue;
        const source = String(sourcesContent[sources.indexOf(entry.originalSource)]).split('\n');
        const place = source[entry.originalLine]?.slice(entry.originalColumn);
        expect(place, `${file}:${line + 1}:${literal.index + 1}`).toContain(literal[1]);
        found++;
      }
    }
  }
  expect(found).toBeGreaterThan(200);
});

/** What a module of that folder imports by the name of a package. */
const imported = (folder: string) =>
  all(join(root, folder))
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => [
      ...text(join(root, folder, file)).matchAll(
        /^(?:import|\})(?:[^'`\n]* from)? '((?:@[\w-]+\/)?[\w-]+)/gm,
      ),
    ])
    .map(([, name = '']) => name);

/** One package's own words, as they stand beside what it is bundled into. */
function expectLicence(licences: string, folder: string, label: string): void {
  const { version } = JSON.parse(text(join(folder, 'package.json')));
  expect(licences).toContain(`${label} ${version} (`);
  const files = readdirSync(folder).filter((entry) => /^licen[cs]e/i.test(entry));
  // This one's lies beside the rest of Rails and is not brought by the package.
  expect(files.length > 0, label).toBe(label !== '@rails/actioncable');
  for (const file of files)
    expect(licences, label).toContain(text(join(folder, file)).replaceAll('\r', '').trim());
}

test.each(['cdn', 'npm', 'demo/console'])('our own licence comes first, in %s', (part) => {
  const [, first = ''] = text(join(dist, part, 'LICENSES.txt')).split(/^-{20,}$/m);
  expectLicence(first, root, 'parley');
  expect(text(join(dist, 'npm/LICENSE'))).toBe(text(join(root, 'LICENSE')));
});

test('the licence of everything that the agents’ console and the playground bundle lies beside them', () => {
  const packages = [...new Set([...imported('demo/console'), ...imported('demo/playground')])];
  expect(packages).toEqual(expect.arrayContaining(['preact', 'uplot', '@rails/actioncable', 'nanostores']));
  const licences = text(join(dist, 'demo/console/LICENSES.txt'));
  for (const name of [...packages, 'zod']) expectLicence(licences, join(root, 'node_modules', name), name);
  expect(licences).toContain('Copyright (c) 37signals LLC');
});

test.each(['cdn', 'npm'])('the licence of everything that is bundled lies beside it, in %s', (part) => {
  const packages = new Set<string>();
  const sources = all(join(dist, 'maps', part)).flatMap((file) => payload(file, part).sources);
  for (const source of sources) {
    const [, name] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
    if (name) packages.add(name);
    // The table is made of these when the files are built.
    if (source === 'src/emoji/table.ts') packages.add('unicode-emoji-json').add('emojilib');
  }
  expect([...packages]).toEqual(expect.arrayContaining(['preact', 'emojilib']));
  const licences = text(join(dist, part, 'LICENSES.txt'));
  for (const name of packages) expectLicence(licences, join(root, 'node_modules', name), name);
  expect(licences).toContain('UNICODE LICENSE V3');
});

test('the package needs nothing but what it says', () => {
  const npm = join(dist, 'npm');
  const { exports, peerDependencies, dependencies } = JSON.parse(text(join(npm, 'package.json')));
  expect(dependencies).toBeUndefined();
  const wanted = new Set<string>();
  for (const file of all(npm).filter((name) => /\.(?:js|d\.ts)$/.test(name))) {
    const specifiers = text(join(npm, file)).matchAll(/(?:\bfrom|^import|\bimport\()\s*["']([^"']+)["']/gm);
    for (const [, specifier = ''] of specifiers) {
      if (!specifier.startsWith('.')) wanted.add(specifier);
      else expect(all(npm), `${specifier} of ${file}`).toContain(place(file, specifier));
    }
  }
  expect([...wanted].sort()).toEqual(Object.keys(peerDependencies).sort());
  const named = Object.values(exports).flatMap((one) =>
    typeof one === 'string' ? [one] : Object.values(one ?? {}),
  );
  for (const file of named) expect(all(npm)).toContain(String(file).replace('./', ''));
});

test('the package brings the manual, whose links lead somewhere in it, and the names of all sentences', () => {
  const npm = join(dist, 'npm');
  const manual = text(join(npm, 'MANUAL.md')).replace(/^```[\s\S]*?^```/gm, '');
  const anchors = [...manual.matchAll(/^#+ (.+)$/gm)].map(
    ([, heading = '']) =>
      `#${heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} -]/gu, '')
        .replaceAll(' ', '-')}`,
  );
  const links = [...manual.matchAll(/\]\(([^)]*)\)/g)].map(([, to = '']) => to);
  expect(links.length).toBeGreaterThan(30);
  expect(links.filter((to) => !to.startsWith('https:') && !anchors.includes(to))).toEqual([]);
  for (const file of ['README.md', 'CHANGELOG.md'])
    for (const [, named = ''] of text(join(npm, file)).matchAll(/`([\w-]+\.(?:md|txt|json))`/g))
      expect(all(npm), file).toContain(named);
  expect(JSON.parse(text(join(npm, 'sentences.json')))).toEqual(english);
});

/** Types are asked for by the name of the script that they are of. */
const place = (file: string, specifier: string) => {
  const found = join(file, '..', specifier).replaceAll('\\', '/');
  return file.endsWith('.d.ts') ? found.replace(/\.js$/, '.d.ts') : found;
};

test('the package says nowhere where it lies', () => {
  const own = all(join(dist, 'npm')).filter((file) => file.endsWith('.js'));
  expect(own.length).toBeGreaterThan(10);
  expect(own.filter((file) => text(join(dist, 'npm', file)).includes('import.meta'))).toEqual([]);
});

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { wholeBytes } from '../bench/ours.js';

const cdn = join(import.meta.dirname, '../../dist/cdn');
const read = (file: string) => readFileSync(join(cdn, file));
const brotli = (file: string) => brotliCompressSync(read(file)).length;

/** As the launcher itself carries them: file and hash, in the order of the doors. */
let named: { file: string; hash: string }[] = [];
const fileOf = (name: string) => named.find(({ file }) => file.startsWith(`assets/${name}-`))?.file ?? name;
const assets = () => readdirSync(join(cdn, 'assets')).filter((file) => /\.(?:js|css)$/.test(file));
/** What the launcher does not name. */
const later = (name: string) => `assets/${assets().find((file) => file.startsWith(`${name}-`))}`;

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8').replace(/\s+/g, ' ');
/** The manual rounds to kilobytes. */
function isSaid(sentence: RegExp, ...bytes: number[]) {
  const said = (sentence.exec(readme) ?? []).slice(1).map(Number);
  expect(said.length, `${sentence}`).toBe(bytes.length);
  for (const [i, size] of bytes.entries())
    expect(
      Math.abs((said[i] ?? 0) - size / 1000),
      `${size} bytes, and the README says ${said[i]} KB`,
    ).toBeLessThan(1);
}

beforeAll(() => {
  if (!existsSync(join(cdn, 'parley.js')))
    throw new Error('Nothing is built yet: run "npm run build" first.');
  const launcher = read('parley.js').toString();
  named = [...launcher.matchAll(/["`,]([\w-]+) ([\w+/]{43})/g)].map(([, name = '', hash = '']) => ({
    file: `assets/${name}.js`,
    hash,
  }));
});

test('a page pays what the manual says: for the launcher, until the field takes words, until the conversation is shown, until words leave', () => {
  const sizes = {
    launcher: brotli('parley.js'),
    front: brotli(fileOf('stage')),
    kit: brotli(later('kit')),
    window: brotli(fileOf('app')),
    thread: brotli(later('thread')),
    owner: brotli(later('owner')),
  };
  const field = sizes.launcher + sizes.front;
  const composer = field + sizes.kit + sizes.window;
  const shown = composer + sizes.thread;
  const engine = brotli(fileOf('chat'));
  console.table({
    ...sizes,
    'until the field': field,
    'until the composer': composer,
    'until the conversation is shown': shown,
    engine,
    'until words leave': composer + engine,
    'all of a first visit': shown + engine,
  });
  isSaid(
    /Visitors pay (\d+) KB for a button, (\d+) KB until they can type, (\d+) KB until the conversation is shown and (\d+) KB for all/,
    sizes.launcher,
    field,
    shown,
    shown + engine,
  );
  const aside = sizes.front + sizes.owner;
  isSaid(
    /`outside-hours` fetch (\d+) KB with the page, `outreach` (\d+)/,
    aside,
    aside + brotli(later('notice')),
  );
  isSaid(/chat comes at once \((\d+) KB\)/, shown + engine + sizes.owner - sizes.launcher);
  isSaid(/fetch it; it is (\d+) KB, and no page loads it/, brotli(later('doctor')));
  // The names of other files are in it, and each change of them moves it by some bytes.
  expect(sizes.launcher).toBeLessThanOrEqual(3_080);
  expect(field).toBeLessThanOrEqual(15_480);
  expect(composer).toBeLessThanOrEqual(26_980);
  expect(engine).toBeLessThanOrEqual(24_950);
  expect(composer + engine).toBeLessThanOrEqual(51_800);
});

test('all of it, with English and whatever comes later, is at most 121.4 KB', () => {
  const languages = new Set(readdirSync(join(import.meta.dirname, '../../src/text/locales')));
  const sizes = Object.fromEntries(
    ['parley.js', ...assets().map((file) => `assets/${file}`)].flatMap((file) => {
      // Only chat.html fetches these.
      if (/\/(?:page|bridge)-/.test(file)) return [];
      const name = file.replace(/^assets\/|-[\w-]{6}\.js$|\.js$/g, '');
      // Who reads English fetches neither a language nor the index of them; visitors never fetch the doctor.
      return name === 'locales' || name === 'doctor' || languages.has(`${name.replace('names-', '')}.ts`)
        ? []
        : [[name, brotli(file)]];
    }),
  );
  const all = Object.values(sizes).reduce((sum, bytes) => sum + bytes, 0);
  console.table({ ...sizes, all });
  expect(Object.keys(sizes)).toEqual(
    expect.arrayContaining(['parley', 'stage', 'kit', 'app', 'chat', 'thread', 'emoji', 'notice']),
  );
  // The bench says the same.
  expect(wholeBytes()).toBe(all);
  // It is meant to be 60 KB.
  expect(all).toBeLessThanOrEqual(121_400);
});

test('chat.html pays 3.9 KB more than a tag, and in an app 3 KB for the bridge', () => {
  const files = assets();
  const sizeOf = (name: string) =>
    files
      .filter((file) => file.startsWith(`${name}-`))
      .reduce((sum, file) => sum + brotli(`assets/${file}`), 0);
  const sizes = {
    page: sizeOf('page') - brotli('parley.js') + brotli('chat.html'),
    bridge: sizeOf('bridge'),
  };
  console.table(sizes);
  expect(sizes.page).toBeLessThanOrEqual(3_875);
  expect(sizes.bridge).toBeLessThanOrEqual(2_870);
});

test('a browser is told to compile at once what is called at once, and only that: the rest would fill its memory', () => {
  const told = [...readdirSync(cdn), ...assets().map((file) => `assets/${file}`)]
    .filter((file) => file.endsWith('.js') && /^\/\/# allFunctionsCalledOnLoad\n/.test(read(file).toString()))
    .map((file) => file.replace(/-[\w-]{6}\.js$/, '.js'));
  expect(told.sort()).toEqual([
    'assets/page.js',
    'assets/stage.js',
    'parley.element.js',
    'parley.js',
    'parley.module.js',
  ]);
});

test('the launcher names the files behind it with their hashes, and the front names the kit', () => {
  expect(named.map(({ file }) => file.replace(/-[\w-]{6}\.js$/, ''))).toEqual([
    'assets/stage',
    'assets/app',
    'assets/chat',
  ]);
  const kit = later('kit');
  const [hash] = new RegExp(`(?<=${kit.slice('assets/'.length, -'.js'.length)} )[\\w+/]{43}`).exec(
    read(fileOf('stage')).toString(),
  ) ?? [''];
  expect(createHash('sha256').update(read(kit)).digest('base64')).toBe(`${hash}=`);
  for (const { file, hash } of named) {
    expect(createHash('sha256').update(read(file)).digest('base64')).toBe(`${hash}=`);
  }
});

test('neither Preact nor the schemas are in the first file', () => {
  const launcher = read('parley.js').toString();
  expect(/__k|safeParse/.test(launcher)).toBe(false);
  for (const file of [fileOf('app'), later('kit'), fileOf('stage')])
    expect(/safeParse/.test(read(file).toString()), file).toBe(false);
});

test('until the field takes words nothing is drawn by svg: the first one of a page costs the press a tenth', () => {
  for (const file of ['parley.js', fileOf('stage')])
    expect(/createElementNS|<svg/.test(read(file).toString()), file).toBe(false);
});

test('what visitors get asks for nothing that a strict policy forbids', () => {
  for (const file of ['parley.js', later('kit'), ...named.map((entry) => entry.file)]) {
    expect(
      /\beval\(|new Function|\.innerHTML\s*=(?!=)|document\.write/.test(read(file).toString()),
      file,
    ).toBe(false);
  }
});

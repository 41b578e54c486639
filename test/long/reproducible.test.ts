/** Whoever builds the same sources gets the same files, wherever and whenever that is. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import de from '../../src/text/locales/de.js';
import ptBr from '../../src/text/locales/pt-BR.js';
import sv from '../../src/text/locales/sv.js';

const root = join(import.meta.dirname, '../..');
const elsewhere = mkdtempSync(join(tmpdir(), 'parley-elsewhere-'));
afterAll(() => rmSync(elsewhere, { recursive: true, force: true }));

/** Half a year later. */
const later = `data:text/javascript,${encodeURIComponent(
  'const { now } = Date; Date.now = () => now() + 1.6e10; globalThis.Date = class extends Date { constructor(...given) { given.length ? super(...given) : super(Date.now()); } }',
)}`;

const hashes = (folder: string): Record<string, string> =>
  Object.fromEntries(
    ['dist/cdn', 'dist/npm'].flatMap((part) =>
      readdirSync(join(folder, part), { recursive: true, withFileTypes: true, encoding: 'utf8' })
        .filter((entry) => entry.isFile())
        .map((entry) => {
          const file = join(entry.parentPath, entry.name);
          const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
          return [file.slice(folder.length + 1), hash] as const;
        })
        .sort(),
    ),
  );

const folder = join(elsewhere, 'a folder/of another name');

test('two builds in two folders at two times give the same files', () => {
  // Its name has another length and its packages are files of their own: no place may get into what is built.
  mkdirSync(folder, { recursive: true });
  for (const name of [
    'src',
    'demo',
    'test',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'vite.config.ts',
  ])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  const linked = spawnSync('cp', ['-al', join(root, 'node_modules'), join(folder, 'node_modules')]);
  if (linked.status !== 0)
    cpSync(join(root, 'node_modules'), join(folder, 'node_modules'), {
      recursive: true,
      verbatimSymlinks: true,
    });
  execFileSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'], {
    cwd: folder,
    stdio: 'inherit',
    env: {
      ...process.env,
      NODE_OPTIONS: `--import=${later}`,
      TZ: 'Pacific/Auckland',
      LC_ALL: 'tr_TR.UTF-8',
      NODE_ENV: 'development',
    },
  });
  const [here, there] = [hashes(root), hashes(folder)];
  expect(Object.keys(here).length).toBeGreaterThan(150);
  // If this says that files differ, run "npm run build" first.
  expect(there).toEqual(here);
});

test('the one file speaks the languages that the build is told', () => {
  const build = (PARLEY_LOCALES: string) =>
    spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { createBuilder } from 'vite';
         const builder = await createBuilder({ logLevel: 'warn' });
         await builder.build(builder.environments.single);`,
      ],
      { cwd: folder, encoding: 'utf8', env: { ...process.env, PARLEY_LOCALES } },
    );
  expect(build('de,pt-BR').status).toBe(0);
  const one = readFileSync(join(folder, 'dist/cdn/parley.single.js'), 'utf8');
  for (const [catalogue, is] of [
    [de, true],
    [ptBr, true],
    [sv, false],
  ] as const)
    expect(one.includes(catalogue.subtitle ?? ''), catalogue.subtitle).toBe(is);
  const wrong = build('de,xx');
  expect(wrong.status).not.toBe(0);
  expect(wrong.stderr).toMatch(/PARLEY_LOCALES: write some of ar,bg/);
});

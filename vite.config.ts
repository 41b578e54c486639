import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, relative, resolve } from 'node:path';
import {
  type BuildEnvironmentOptions,
  defaultClientConditions,
  defaultClientMainFields,
  type EnvironmentOptions,
  normalizePath,
  type Plugin,
} from 'vite';
import { defineConfig } from 'vitest/config';
import { z } from 'zod';
import { guestLibraries } from './src/embed/guest-plugin.js';
import { emojiNames, nameSources, namesOf } from './src/emoji/names-plugin.js';
import { emojiSources, emojiTable } from './src/emoji/table-plugin.js';
import { AGAIN } from './src/loader.js';
import { writeChatPage } from './src/page/html.js';
import { integrityOf } from './src/release/integrity.js';
import { createLicences } from './src/release/licences.js';
import { smallest } from './src/release/maps.js';
import { type Exported, makeTypes, writePackage } from './src/release/package.js';
import { english } from './src/text/english.js';
import { leanPreact } from './src/ui/preact-plugin.js';
import type { EngineName } from './test/support/engines.js';
import { further } from './test/support/further.js';
import { LongestFirst } from './test/support/longest-first.js';

const cdn = 'dist/cdn';
const npm = 'dist/npm';
const demo = 'dist/demo';
const maps = 'dist/maps';
const manifests = 'dist/manifests';
/** Six characters tell 68 billion files of one name apart; the launcher carries those of three. */
const named = 'assets/[name]-[hash:6].js';

/** A busy machine is no news. */
const checks = { pluginTimings: false };

/** Whoever builds, and as what: visitors get the same, to the names of variables. */
if (!process.argv[1]?.includes('vitest')) process.env.NODE_ENV = 'production';
const define = { 'process.env.NODE_ENV': '"production"' };

/** What is made for other people's pages, in the order of the build, and the folder it goes to. */
const destinations = {
  kit: 'cdn',
  thread: 'cdn',
  names: 'cdn',
  locales: 'cdn',
  doctor: 'cdn',
  notice: 'cdn',
  later: 'cdn',
  doors: 'cdn',
  launcher: 'cdn',
  module: 'cdn',
  element: 'cdn',
  page: 'cdn',
  single: 'cdn',
  npm: 'npm',
};
/** Those in which modules are brought by functions: no file is fetched by ours. */
const bundled = ['single', 'npm'];
/** What the package exports. */
const exported: Exported[] = [
  { name: '.', source: 'index.ts' },
  { name: './react', source: 'wrappers/react.ts', peer: ['react', '>=18'] },
  { name: './vue', source: 'wrappers/vue.ts', peer: ['vue', '>=3.3'] },
  { name: './element', source: 'wrappers/element.ts' },
];
const about = z
  .object({ name: z.string(), version: z.string(), description: z.string(), license: z.string() })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

interface ManifestEntry {
  name?: string;
  file: string;
  imports?: string[];
  isEntry?: boolean;
}

/** A catalogue of sentences for each language but English, which the window carries. */
const locales = Object.fromEntries(
  readdirSync(new URL('src/text/locales', import.meta.url)).map((file) => [
    basename(file, '.ts'),
    `src/text/locales/${file}`,
  ]),
);

const licences = createLicences(
  { ...destinations, console: 'console' },
  { ...emojiSources, ...nameSources(Object.keys(locales)) },
  {
    'unicode-emoji-json': 'src/release/unicode-license.txt',
    '@rails/actioncable': 'src/release/rails-license.txt',
  },
);

/** Tests of these have their services keep data on PostgreSQL, where `npm test` has started one. */
const onPostgres = ['requests', 'chat', 'browser', 'further-browser', 'further-postgres', 'nginx'];
/** Thousands of requests that do not fit; the long run has more of them, on the embedded database. */
const requests = ['test/service/bad-generated.test.ts', 'test/service/bad-input.test.ts'];

/** Languages that the one file speaks beside English. */
const spoken = (process.env.PARLEY_LOCALES ?? '').split(',').filter(Boolean);
for (const tag of spoken)
  if (!(tag in locales)) throw new Error(`PARLEY_LOCALES: write some of ${Object.keys(locales).join()}.`);

/**
 * What fetches files is told their names and their hashes: door 1 those of the other doors, the window those that come
 * later still, and one of these those of the languages. Tests that run sources are told of those.
 */
const fetched: Record<string, Record<string, [manifest: string, entry: string]>> = {
  'virtual:parley-doors': {
    front: ['doors', 'src/embed/stage.ts'],
    window: ['doors', 'src/ui/app.tsx'],
    engine: ['doors', 'src/chat.ts'],
  },
  'virtual:parley-later': {
    thread: ['thread', 'src/ui/thread.ts'],
    parts: ['later', 'src/parts/parts.ts'],
    asks: ['later', 'src/asks/asks.ts'],
    emoji: ['later', 'src/emoji/emoji.ts'],
    more: ['later', 'src/more/more.ts'],
  },
  // What the window imports; the launcher has no bytes for it.
  'virtual:parley-beside': { kit: ['kit', 'src/ui/kit.ts'] },
  'virtual:parley-stage': {
    owner: ['later', 'src/owner/owner.ts'],
    locales: ['later', 'src/text/locales.ts'],
  },
  'virtual:parley-doctor': { doctor: ['doctor', 'src/doctor/doctor.ts'] },
  'virtual:parley-page': { bridge: ['later', 'src/bridge/bridge.ts'] },
  'virtual:parley-notice': { notice: ['notice', 'src/notice/notice.ts'] },
  'virtual:parley-locales': Object.fromEntries(
    Object.entries(locales).map(([name, entry]) => [name, ['locales', entry]]),
  ),
};
const entriesOf = (manifest: string) =>
  Object.values(fetched)
    .flatMap((entries) => Object.values(entries))
    .filter(([of]) => of === manifest)
    .map(([, entry]) => entry);

const manifestOf = (name: string): Record<string, ManifestEntry> =>
  JSON.parse(readFileSync(`${cdn}/.vite/${name}.json`, 'utf8'));

/**
 * Modules that several files share lie in one of them, which is built before the others and takes the imports of all:
 * a second Preact would not know the first one's components.
 */
const shared = [
  {
    name: 'kit',
    entry: 'src/ui/kit.ts',
    modules: [
      'preact',
      'preact/hooks',
      'preact/jsx-runtime',
      'ui/context.js',
      'ui/free.js',
      'ui/icons.js',
      'ui/later.js',
      'ui/resized.js',
      'ui/use-later.js',
      'ui/use-store.js',
    ],
    takes: ['thread', 'later', 'doors'],
  },
  {
    name: 'thread',
    entry: 'src/ui/thread.ts',
    modules: [
      'content/clean.js',
      'content/enclosed.js',
      'content/gist.js',
      'content/link.js',
      'content/plain-words.js',
      'content/size.js',
      'content/when.js',
      'ui/announcer.js',
      'ui/avatar.js',
      'ui/content.js',
      'ui/focus.js',
    ],
    takes: ['later'],
  },
];
const fileOf = ({ name, entry }: { name: string; entry: string }) =>
  basename(manifestOf(name)[entry]?.file ?? '');
/** @returns what an import asks for: a path in `src`, or the name of a library */
const meant = (id: string, importer = '') =>
  id.startsWith('.') ? normalizePath(relative('src', resolve(dirname(importer), id))) : id;

function sharing(): Plugin[] {
  return shared.map((one) => ({
    name: `parley-${one.name}`,
    enforce: 'pre',
    applyToEnvironment: ({ name, config }) => config.command === 'build' && one.takes.includes(name),
    resolveId: (id, importer) =>
      one.modules.includes(meant(id, importer)) ? { id: `parley-${one.name}`, external: true } : undefined,
  }));
}

/**
 * What comes after the thread does not import its file, which may have failed to come once, but takes what it shares
 * with it from the kit, where the window puts it. Line for line, so that source maps hold.
 */
function handedOn(): Plugin {
  const from = (code: string, file: string) =>
    code.split('\n').find((line) => line.startsWith('import {') && line.endsWith(` from "./${file}";`));
  return {
    name: 'parley-handed-on',
    applyToEnvironment: ({ name }) => name === 'later',
    renderChunk(code) {
      const [kit = '', thread = ''] = shared.map(fileOf);
      if (!code.includes(thread)) return null;
      const [ofKit, ofThread] = [from(code, kit), from(code, thread)];
      if (!ofKit || !ofThread)
        throw new Error('What a file takes from the thread cannot be handed on to it.');
      const [names = ''] = /\{.*\}/.exec(ofThread) ?? [];
      return {
        code: code
          .replace(ofKit, () => ofKit.replace('{', '{ ofThread as $thread,'))
          .replace(ofThread, () => `const ${names.replaceAll(' as ', ': ')} = $thread;`),
        map: null,
      };
    },
  };
}

/** Where each file finds what it shares. */
const paths = (id: string): string => {
  const one = shared.find(({ name }) => id === `parley-${name}`);
  return one ? `./${fileOf(one)}` : id;
};

/**
 * Firefox and WebKit remember a file that failed to come, so that what imports it fails until the page is loaded again:
 * after a failure the launcher fetches the window from a second place, with all that comes from beside it.
 */
function copyShared(): void {
  const besides = ['virtual:parley-doors', 'virtual:parley-later'].flatMap((of) =>
    Object.values(fetched[of] ?? {}).map(([manifest, entry]) => manifestOf(manifest)[entry]?.file ?? ''),
  );
  for (const file of new Set([...besides, ...shared.map((one) => `assets/${fileOf(one)}`)]))
    cpSync(`${cdn}/${file}`, `${cdn}/${AGAIN}${basename(file)}`);
}

function files(): Plugin {
  const built = (manifestFile: string, entry: string) => {
    const manifest = manifestOf(manifestFile);
    const imports = (manifest[entry]?.imports ?? []).filter((key) => !manifest[key]?.isEntry);
    return [entry, ...new Set(imports)].map((key) => address(manifest[key]?.file ?? ''));
  };
  const address = (file: string) => {
    const hash = createHash('sha256')
      .update(readFileSync(`${cdn}/${file}`))
      .digest('base64')
      .slice(0, -'='.length);
    return `${file.slice('assets/'.length, -'.js'.length)} ${hash}`;
  };
  /** Where a language's names of emoji are. */
  const names = (catalogue: string, environment: string) => {
    const module = namesOf(catalogue);
    if (bundled.includes(environment)) return `() => import('${module}')`;
    const all = serving ? [] : Object.values(manifestOf('names'));
    const file = all.find(({ name }) => name === `names-${catalogue}`)?.file;
    return JSON.stringify(file ? address(file) : `/@id/__x00__${module}`);
  };
  const source = (_: string, entry: string) => [`/${entry}`];
  let serving = false;
  const brought = (entries: [name: string, [manifest: string, entry: string]][]) =>
    entries.map(([name, [, entry]]) => `${JSON.stringify(name)}: () => import('/${entry}')`);
  return {
    name: 'parley-files',
    enforce: 'pre',
    configResolved(config) {
      serving = config.command === 'serve';
    },
    resolveId(id, importer) {
      if (id in fetched) return `\0${id}`;
      const loader = bundled.includes(this.environment.name) && meant(id, importer) === 'loader.js';
      return loader ? resolve('src/bundled.ts') : undefined;
    },
    load(id) {
      const name = id.replace('\0', '');
      const asked = fetched[name];
      if (!asked) return undefined;
      if (bundled.includes(this.environment.name)) {
        if (name === 'virtual:parley-beside') return 'export default {}';
        const single = this.environment.name === 'single' && name === 'virtual:parley-locales';
        const entries = Object.entries(asked).filter(([tag]) => !single || spoken.includes(tag));
        return `export default {${brought(entries)}}`;
      }
      const of = serving ? source : built;
      const named = Object.entries(asked).map(([name, [manifest, entry]]) => [
        name,
        of(manifest, entry).join(),
      ]);
      return `export default ${JSON.stringify(Object.fromEntries(named))}`;
    },
    transform(code, id) {
      const [, catalogue] = /\/text\/locales\/([\w-]+)\.ts$/.exec(id) ?? [];
      const { name } = this.environment;
      if (!catalogue || !(serving || name === 'locales' || bundled.includes(name))) return undefined;
      return { code: `${code}\nexport const emoji = ${names(catalogue, name)};`, map: null };
    },
  };
}

/** The classic call names neither children nor their list: fewer bytes for each element than the automatic one. */
function classicCalls(): Plugin {
  return {
    name: 'parley-classic-calls',
    enforce: 'pre',
    transform: (code, id) =>
      /\.tsx$/.test(id)
        ? { code: `${code}\nimport { Fragment as _Fragment, h as _h } from 'preact';`, map: null }
        : undefined,
  };
}

export default defineConfig({
  plugins: [
    classicCalls(),
    leanPreact(['kit', ...bundled]),
    ...sharing(),
    handedOn(),
    files(),
    guestLibraries(['doors', 'kit', ...bundled]),
    smallest(maps, destinations, bundled, /^parley\.(?!single)|\/(?:page|stage)-/),
    licences.plugin,
    emojiTable(),
    emojiNames(),
  ],
  define: { PARLEY_VERSION: JSON.stringify(about.version) },
  oxc: { jsx: { runtime: 'classic', development: false, pragma: '_h', pragmaFrag: '_Fragment' } },
  // The built pages are the console and the playground; the service serves their files below /agent/.
  experimental: {
    renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `/agent/${file}` : { relative: true }),
  },
  builder: {
    sharedPlugins: true,
    // Who fetches a file carries its hash and is built after it; door 1 comes last.
    async buildApp(builder) {
      const types = makeTypes(exported);
      types.catch(() => {});
      for (const name of [...Object.keys(destinations), 'console', 'service']) {
        const environment = builder.environments[name];
        if (environment) await builder.build(environment);
      }
      copyShared();
      writeChatPage(cdn, process.env);
      rmSync(manifests, { recursive: true, force: true });
      renameSync(`${cdn}/.vite`, manifests);
      writeFileSync(`${cdn}/LICENSES.txt`, licences.text('cdn'));
      writePackage(npm, exported, about, await types, licences.text('npm'), english);
      const integrity = integrityOf(cdn, about.version);
      writeFileSync(`${cdn}/integrity.json`, `${JSON.stringify(integrity, null, 2)}\n`);
      builder.config.logger.info(
        `parley.single.js ${about.version} has the integrity ${integrity.files['parley.single.js']}`,
      );
      // Vite keeps a page at its path in the sources; the service wants it at the top.
      renameSync(`${demo}/console/demo/console/index.html`, `${demo}/console/index.html`);
      cpSync('demo/console/headers.json', `${demo}/console/headers.json`);
      writeFileSync(`${demo}/console/LICENSES.txt`, licences.text('console'));
      rmSync(`${demo}/site`, { recursive: true, force: true });
      cpSync('demo/site', `${demo}/site`, { recursive: true });
      renameSync(`${demo}/console/demo/playground/index.html`, `${demo}/site/playground.html`);
      rmSync(`${demo}/console/demo`, { recursive: true });
    },
  },
  environments: {
    kit: part('kit', ['src/ui/kit.ts'], true),
    thread: part('thread', entriesOf('thread')),
    names: part(
      'names',
      Object.fromEntries(Object.keys(locales).map((name) => [`names-${name}`, namesOf(name)])),
    ),
    locales: part('locales', entriesOf('locales')),
    // Files that come after the window import nothing of it: a door that was loaded a second time would be there twice.
    later: part('later', entriesOf('later')),
    // What these share with others they have twice: nobody else shall fetch one file more for their sake.
    doctor: part('doctor', entriesOf('doctor')),
    notice: part('notice', entriesOf('notice')),
    doors: {
      consumer: 'client',
      define,
      build: {
        outDir: cdn,
        emptyOutDir: false,
        sourcemap: 'hidden',
        manifest: '.vite/doors.json',
        modulePreload: false,
        copyPublicDir: false,
        rolldownOptions: {
          input: entriesOf('doors'),
          checks,
          preserveEntrySignatures: 'allow-extension',
          output: {
            format: 'es',
            paths,
            entryFileNames: named,
            chunkFileNames: named,
            // The front and what it shares with the engine are one file with the stage.
            codeSplitting: {
              groups: [
                {
                  name: 'front',
                  test: /src\/(?:(?:embed\/(?:stage|face)|state\/(?:front|draft|facts)|storage\/local|json|loader|page-env|styles|theme\/\w+|text\/(?:choose|wanted|en-launcher|en-shell)|ui\/(?:shell|frame|dress)|lean\/stores)\.ts|ui\/ui\.css\?inline)$|virtual:parley-(?:stage|beside)$/,
                },
              ],
            },
          },
        },
      },
    },
    launcher: script('src/embed/tag.ts', 'parley.js', 'iife', { 'import.meta.env.PARLEY_TAG': 'true' }),
    // The same by a call: what src/index.ts gives, for pages whose scripts are modules.
    module: script('src/index.ts', 'parley.module.js', 'es'),
    element: script('src/embed/element-tag.ts', 'parley.element.js', 'iife'),
    // The chat as a page of its own: the script of chat.html.
    page: script('src/page/page.ts', named, 'iife'),
    single: bundledPart({
      outDir: cdn,
      emptyOutDir: false,
      target: 'es2021',
      rolldownOptions: {
        input: 'src/embed/tag.ts',
        // No file is found by the address of another one.
        transform: { define: { 'import.meta.url': 'undefined' } },
        output: { format: 'iife', codeSplitting: false, entryFileNames: 'parley.single.js' },
      },
    }),
    npm: bundledPart({
      outDir: npm,
      emptyOutDir: true,
      target: 'es2022',
      minify: false,
      rolldownOptions: {
        // A bundler would write where the package lies on the machine of whoever builds.
        transform: { define: { 'import.meta.url': 'undefined' } },
        input: Object.fromEntries(exported.map(({ source }) => [basename(source, '.ts'), `src/${source}`])),
        external: exported.flatMap(({ peer }) => (peer ? [peer[0]] : [])),
        preserveEntrySignatures: 'strict',
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: ({ name, facadeModuleId }) => {
            if (facadeModuleId?.includes(namesOf(''))) return `emoji/${basename(facadeModuleId)}.js`;
            return name in locales ? 'locales/[name].js' : 'chunks/[name].js';
          },
          // Where pages are put together on a server, this part is for the browser.
          banner: ({ name }) => (name === 'react' ? "'use client';" : ''),
        },
      },
    }),
    console: {
      consumer: 'client',
      build: {
        outDir: `${demo}/console`,
        emptyOutDir: true,
        copyPublicDir: false,
        // Whoever does not know it fetches a file a little later.
        modulePreload: { polyfill: false },
        rolldownOptions: { input: ['demo/console/index.html', 'demo/playground/index.html'] },
      },
    },
    service: {
      consumer: 'server',
      build: {
        outDir: `${demo}/service`,
        emptyOutDir: true,
        ssr: true,
        copyPublicDir: false,
        rolldownOptions: {
          input: 'demo/service/main.ts',
          output: { format: 'es', entryFileNames: 'main.js' },
        },
      },
    },
  },
  test: {
    // One more than can work at once: each waits now and then for a browser, a socket or a disk.
    maxWorkers: Math.min(availableParallelism() + 1, 6),
    // Most of what a test makes is soon forgotten: more room for the young, fewer rounds to clear it.
    execArgv: ['--max-semi-space-size=32'],
    sequence: { sequencer: LongestFirst },
    projects: [
      project(
        'unit',
        [
          'test/model/**',
          'test/ui/**',
          'test/owner/**',
          'test/theme/**',
          'test/wire/**',
          'test/herd/**',
          'test/page/**',
          'test/built/**',
          'test/sources/**',
        ],
        120_000,
      ),
      project('service', ['test/service/**'], 180_000, {}, [...requests, ...further.service]),
      project('requests', requests, 180_000),
      project('chat', ['test/chat/**'], 120_000),
      project('browser', ['test/browser/**'], 180_000, {}, further.browser),
      // Left out by test/run.mjs where nginx is not installed, which says so.
      project('nginx', ['test/nginx/**'], 180_000),
      // One suite, three engines; one that is not installed is left out by test/run.mjs, which says so.
      ...(['chromium', 'firefox', 'webkit'] as const).map((engine) =>
        project(`engines-${engine}`, ['test/engines/**'], 180_000, { engine }, further.engines),
      ),
      // Left to `npm run test:all` and `test:long`.
      project('further-service', further.service, 180_000),
      // Once more what `service` has, with data where several processes have it.
      project('further-postgres', ['test/service/**'], 180_000, {}, [...requests, ...further.service]),
      project('further-browser', further.browser, 180_000),
      ...(['chromium', 'firefox', 'webkit'] as const).map((engine) =>
        project(`further-${engine}`, further.engines, 180_000, { engine }),
      ),
      project('long', ['test/long/**'], 14_400_000),
      project('bench', ['test/bench/thread.ts'], 1_800_000),
    ],
  },
});

/** @param first empties the folder that all of them are written to */
function part(name: string, input: string[] | Record<string, string>, first = false): EnvironmentOptions {
  return {
    consumer: 'client',
    define,
    build: {
      outDir: cdn,
      emptyOutDir: first,
      sourcemap: 'hidden',
      manifest: `.vite/${name}.json`,
      modulePreload: false,
      copyPublicDir: false,
      rolldownOptions: {
        input,
        checks,
        preserveEntrySignatures: 'strict',
        output: { format: 'es', paths, entryFileNames: named },
      },
    },
  };
}

/** A script of a name that stays, which fetches the rest from beside itself. */
function script(
  input: string,
  file: string,
  format: 'iife' | 'es',
  known: Record<string, string> = {},
): EnvironmentOptions {
  return {
    consumer: 'client',
    define: { ...define, ...known },
    build: {
      outDir: cdn,
      emptyOutDir: false,
      sourcemap: 'hidden',
      copyPublicDir: false,
      modulePreload: false,
      target: 'es2021',
      rolldownOptions: {
        input,
        preserveEntrySignatures: 'strict',
        output: { format, entryFileNames: file },
      },
    },
  };
}

/**
 * Imports stay what they are. For a browser Vite would put its own way of preloading around each; so it is told that
 * this is for a server, and all that follows from that is taken back.
 */
function bundledPart(build: BuildEnvironmentOptions): EnvironmentOptions {
  return {
    consumer: 'server',
    define,
    resolve: {
      conditions: [...defaultClientConditions],
      mainFields: [...defaultClientMainFields],
      noExternal: true,
    },
    build: {
      sourcemap: 'hidden',
      ssr: false,
      minify: 'oxc',
      cssMinify: true,
      copyPublicDir: false,
      ...build,
      rolldownOptions: {
        platform: 'browser',
        checks,
        ...build.rolldownOptions,
      },
    },
  };
}

function project(
  name: string,
  folders: string[],
  limitMs: number,
  provide: { engine?: EngineName } = {},
  exclude: string[] = [],
) {
  return {
    extends: true as const,
    test: {
      name,
      provide,
      // The service itself is tested on what it has by default; on PostgreSQL where a test says so, and in the long run.
      env: onPostgres.includes(name) ? {} : { TEST_DATABASE_URL: '' },
      // The units put their own window in place; the others keep nothing between files that could be in the way.
      isolate: name === 'unit',
      exclude,
      include: folders.map((folder) => (folder.endsWith('.ts') ? folder : `${folder}/*.test.{ts,tsx}`)),
      // Watches over what hangs: on a machine that does all of this at once, what takes a second may take twenty.
      testTimeout: limitMs,
      expect: { poll: { timeout: 30_000 } },
      // A service is started in them.
      hookTimeout: Math.max(limitMs, 180_000),
    },
  };
}

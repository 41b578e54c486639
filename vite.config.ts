import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { minify } from 'terser';
import type { EnvironmentOptions, Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { guestLibraries } from './src/embed/guest-plugin.js';
import { emojiTable } from './src/emoji/table-plugin.js';
import { leanPreact } from './src/ui/preact-plugin.js';
import type { EngineName } from './test/support/engines.js';

const cdn = 'dist/cdn';
const demo = 'dist/demo';

interface ManifestEntry {
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

/**
 * What fetches files is told their names and their hashes: door 1 those of the other doors, the window those that come
 * later still, and one of these those of the languages. In development, their sources.
 */
const fetched: Record<string, Record<string, [manifest: string, entry: string]>> = {
  'virtual:parley-doors': {
    front: ['doors', 'src/embed/stage.ts'],
    window: ['doors', 'src/ui/app.tsx'],
    engine: ['doors', 'src/embed/chat.ts'],
  },
  'virtual:parley-later': {
    thread: ['thread', 'src/ui/thread.tsx'],
    parts: ['later', 'src/parts/parts.ts'],
    asks: ['later', 'src/asks/asks.ts'],
    emoji: ['later', 'src/emoji/emoji.ts'],
    locales: ['later', 'src/text/locales.ts'],
    more: ['later', 'src/more/more.ts'],
  },
  'virtual:parley-notice': { notice: ['later', 'src/notice/notice.ts'] },
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
    modules: /^preact(?:\/hooks|\/jsx-runtime)?$|\/(?:context|icons|later|use-store)\.js$/,
    takes: ['thread', 'later', 'doors'],
  },
  {
    name: 'thread',
    entry: 'src/ui/thread.tsx',
    modules: /\/(?:clean|content|link|when|avatar|plain-words)\.js$/,
    takes: ['later'],
  },
];
const fileOf = ({ name, entry }: { name: string; entry: string }) =>
  basename(manifestOf(name)[entry]?.file ?? '');

function sharing(): Plugin[] {
  return shared.map((one) => ({
    name: `parley-${one.name}`,
    enforce: 'pre',
    applyToEnvironment: ({ name, config }) => config.command === 'build' && one.takes.includes(name),
    // A notice comes to pages whose window was never opened: it has what it needs in itself.
    resolveId: (id, importer) =>
      one.modules.test(id) && !importer?.includes('/src/notice/')
        ? { id: `parley-${one.name}`, external: true }
        : undefined,
    renderChunk: (code) =>
      code.replaceAll(new RegExp(`(["'\`])parley-${one.name}\\1`, 'g'), `"./${fileOf(one)}"`),
  }));
}

function files(): Plugin {
  const built = (manifestFile: string, entry: string) => {
    const manifest = manifestOf(manifestFile);
    const imports = (manifest[entry]?.imports ?? []).filter((key) => !manifest[key]?.isEntry);
    const own = [entry, ...new Set(imports)].map((key) => manifest[key]?.file ?? '');
    // What comes after the window finds the kit there already.
    const [kit] = shared;
    const wants = manifestFile === 'doors' && kit && own.some((file) => read(file).includes(fileOf(kit)));
    return [...own, ...(wants ? [`assets/${fileOf(kit)}`] : [])].map((file) => {
      const hash = createHash('sha256')
        .update(readFileSync(`${cdn}/${file}`))
        .digest('base64');
      return `${file.slice('assets/'.length, -'.js'.length)} ${hash}`;
    });
  };
  const read = (file: string) => readFileSync(`${cdn}/${file}`, 'utf8');
  const source = (_: string, entry: string) => [`/${entry}`];
  let serving = false;
  return {
    name: 'parley-files',
    configResolved(config) {
      serving = config.command === 'serve';
    },
    resolveId: (id) => (id in fetched ? `\0${id}` : undefined),
    load(id) {
      const asked = fetched[id.replace('\0', '')];
      if (!asked) return undefined;
      const of = serving ? source : built;
      const named = Object.entries(asked).map(([name, [manifest, entry]]) => [
        name,
        of(manifest, entry).join(),
      ]);
      return `export default ${JSON.stringify(Object.fromEntries(named))}`;
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

/** The build's own minifier is quick; a second one finds what it leaves, more than one in a hundred. */
function smallest(): Plugin {
  const options = { ecma: 2020, compress: { passes: 3 } } as const;
  const { version } = createRequire(import.meta.url)('terser/package.json');
  return {
    name: 'parley-smallest',
    applyToEnvironment: ({ name }) => name !== 'console' && name !== 'service',
    // A file is named by what it was before.
    augmentChunkHash: () => `${version} ${JSON.stringify(options)}`,
    generateBundle: {
      order: 'post',
      async handler({ format }, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk') continue;
          const { code } = await minify(file.code, { module: format === 'es', ...options });
          if (code) file.code = code;
        }
      },
    },
  };
}

export default defineConfig({
  plugins: [
    classicCalls(),
    leanPreact(),
    ...sharing(),
    files(),
    guestLibraries(['doors', 'kit']),
    smallest(),
    emojiTable(),
  ],
  oxc: { jsx: { runtime: 'classic', development: false, pragma: '_h', pragmaFrag: '_Fragment' } },
  // The only built page is the console, which the service serves below /agent/.
  experimental: {
    renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `/agent/${file}` : { relative: true }),
  },
  builder: {
    sharedPlugins: true,
    // Who fetches a file carries its hash and is built after it; door 1 comes last.
    async buildApp(builder) {
      for (const name of ['kit', 'thread', 'locales', 'later', 'doors', 'launcher', 'console', 'service']) {
        const environment = builder.environments[name];
        if (environment) await builder.build(environment);
      }
      // Vite keeps a page at its path in the sources; the service wants it at the top.
      renameSync(`${demo}/console/demo/console/index.html`, `${demo}/console/index.html`);
      rmSync(`${demo}/console/demo`, { recursive: true });
      rmSync(`${demo}/site`, { recursive: true, force: true });
      cpSync('demo/site', `${demo}/site`, { recursive: true });
    },
  },
  environments: {
    kit: part('kit', ['src/ui/kit.ts'], true),
    thread: part('thread', entriesOf('thread')),
    locales: part('locales', entriesOf('locales')),
    // Files that come after the window import nothing of it: a door that was loaded a second time would be there twice.
    later: part('later', entriesOf('later')),
    doors: {
      consumer: 'client',
      build: {
        outDir: cdn,
        emptyOutDir: false,
        manifest: '.vite/doors.json',
        modulePreload: false,
        copyPublicDir: false,
        rolldownOptions: {
          input: entriesOf('doors'),
          preserveEntrySignatures: 'allow-extension',
          output: {
            format: 'es',
            entryFileNames: 'assets/[name]-[hash].js',
            chunkFileNames: 'assets/[name]-[hash].js',
            // The front and what it shares with the engine are one file with the stage.
            codeSplitting: {
              groups: [
                {
                  name: 'front',
                  test: /src\/(?:embed\/(?:stage|loader)|state\/front|state\/draft|storage\/local|json|env)|nanostores\/atom/,
                },
              ],
            },
          },
        },
      },
    },
    launcher: {
      consumer: 'client',
      build: {
        outDir: cdn,
        emptyOutDir: false,
        copyPublicDir: false,
        modulePreload: false,
        target: 'es2020',
        rolldownOptions: {
          input: 'src/embed/tag.ts',
          output: { format: 'iife', entryFileNames: 'parley.js' },
        },
      },
    },
    console: {
      consumer: 'client',
      build: {
        outDir: `${demo}/console`,
        emptyOutDir: true,
        copyPublicDir: false,
        rolldownOptions: { input: 'demo/console/index.html' },
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
    maxWorkers: 2,
    projects: [
      project(
        'unit',
        ['test/model/**', 'test/ui/**', 'test/theme/**', 'test/wire/**', 'test/herd/**', 'test/built/**'],
        10_000,
      ),
      project('service', ['test/service/**'], 60_000),
      project('chat', ['test/chat/**'], 30_000),
      project('browser', ['test/browser/**'], 90_000),
      // One suite, three engines; one that is not installed is left out by test/run.mjs, which says so.
      ...(['chromium', 'firefox', 'webkit'] as const).map((engine) =>
        project(`engines-${engine}`, ['test/engines/**'], 60_000, { engine }),
      ),
      project('long', ['test/long/**'], 14_400_000),
      project('bench', ['test/bench/thread.ts'], 1_800_000),
    ],
  },
});

/** @param first empties the folder that all of them are written to */
function part(name: string, input: string[], first = false): EnvironmentOptions {
  return {
    consumer: 'client',
    build: {
      outDir: cdn,
      emptyOutDir: first,
      manifest: `.vite/${name}.json`,
      modulePreload: false,
      copyPublicDir: false,
      rolldownOptions: {
        input,
        preserveEntrySignatures: 'strict',
        output: { format: 'es', entryFileNames: 'assets/[name]-[hash].js' },
      },
    },
  };
}

function project(name: string, folders: string[], limitMs: number, provide: { engine?: EngineName } = {}) {
  return {
    extends: true as const,
    test: {
      name,
      provide,
      include: folders.map((folder) => (folder.endsWith('.ts') ? folder : `${folder}/*.test.{ts,tsx}`)),
      testTimeout: limitMs,
      expect: { poll: { timeout: 10_000 } },
      hookTimeout: Math.max(limitMs, 60_000),
    },
  };
}

/** Makes the script of one candidate's page, as an owner's Vite would. Run by `candidates.ts`. */
import { join } from 'node:path';
import { build } from 'vite';

interface Given {
  root: string;
  input: Record<string, string>;
  outDir: string;
  /** To paths below the root. */
  alias?: Record<string, string>;
  dedupe?: string[];
}

export async function run(): Promise<void> {
  const { root, input, outDir, alias = {}, dedupe = [] }: Given = JSON.parse(process.env.BENCH_BUILD ?? '{}');
  const aliases = Object.entries(alias).map(([name, path]) => [name, join(root, path)]);
  await build({
    configFile: false,
    root,
    base: './',
    logLevel: 'error',
    resolve: { alias: Object.fromEntries(aliases), dedupe },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir,
      emptyOutDir: true,
      modulePreload: false,
      rolldownOptions: {
        input,
        preserveEntrySignatures: 'allow-extension',
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'assets/[name]-[hash].js',
          assetFileNames: 'page.[ext]',
        },
      },
    },
  });
}

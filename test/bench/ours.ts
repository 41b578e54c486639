/** Ourselves, as the bench sees us: the built files on a page, and where our parts are. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Way } from './peers/peer.js';

export const ourFiles = join(import.meta.dirname, '../../dist/cdn');

export const ourWays = {
  launcher: ['parley-chat', '[part=launcher]'],
  composer: ['parley-chat', 'form.composer textarea'],
  thread: ['parley-chat'],
} satisfies Record<string, Way>;

export const ourHead = (serviceUrl: string, inbox: string) =>
  `<script async src="parley.js" data-base-url="${serviceUrl}" data-inbox-identifier="${inbox}"></script>`;

/** Brotli bytes of everything that a visitor who reads English may ever fetch. */
export function wholeBytes(): number {
  const languages = new Set(readdirSync(join(import.meta.dirname, '../../src/text/locales')));
  const assets = readdirSync(join(ourFiles, 'assets')).filter((file) => {
    const name = file.replace(/-[\w-]{6}\.\w+$|\.\w+$/g, '');
    // chat.html's own and the doctor are no visitor's of a page.
    return (
      // Beside them lie copies, of which nobody fetches both, and the style of chat.html.
      file.endsWith('.js') &&
      !/^(?:locales|doctor|page|bridge)$/.test(name) &&
      !languages.has(`${name.replace('names-', '')}.ts`)
    );
  });
  return ['parley.js', ...assets.map((file) => `assets/${file}`)].reduce(
    (sum, file) => sum + brotliCompressSync(readFileSync(join(ourFiles, file))).length,
    0,
  );
}

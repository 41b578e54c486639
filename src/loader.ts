/**
 * Fetches files that are named by content, with integrity: a modulepreload link carries the hash, and the import
 * that follows takes the checked module. Works under every script policy tried, Trusted Types included. It does not
 * know what is in them.
 */

/**
 * For each module its file's name in `assets` and its SHA-256 without the last `=`, apart by a space, then those of the
 * files that it imports itself, apart by a comma.
 */
export type Files<Name extends PropertyKey> = Record<Name, string>;

/** Copies, for browsers that remember a file which failed: what others import, and whatever imports it. */
export const AGAIN = 'assets/again/';

/** @param file the address of one in `assets`. @returns what the files are relative to */
export const above = (file: string): string => new URL('..', file).href;

/** Where the files lie that are fetched. */
export const FETCHED = 'assets/';

const TRIAL_MS = 8_000;

/** @param hash as in `Files` */
function lay(href: string, hash: string | undefined, nonce: string, rel: string): HTMLLinkElement {
  const link = document.createElement('link');
  // In the order that compresses best.
  link.nonce = nonce;
  link.href = href;
  // What it brought stays known to the browser.
  link.onload = link.onerror = link.remove;
  link.integrity = `sha256-${hash}=`;
  // As modules have it anyway. WebKit wants to know it before the link is laid.
  link.crossOrigin = '';
  link.as = 'script';
  link.rel = rel;
  document.head.append(link);
  return link;
}

/**
 * For a file that imports nothing, or what is here already: another query is another file.
 * @param named as in `Files`
 * @param base what the file is relative to
 * @param folder where it lies
 */
export function createOpener<Module>(
  named: string,
  base: string,
  nonce: string,
  folder = FETCHED,
): () => Promise<Module> {
  const [file, hash] = named.split(' ');
  let ending = '.js';
  return () => {
    const { href } = lay(new URL(folder + file + ending, base).href, hash, nonce, 'modulepreload');
    return import(/* @vite-ignore */ href).catch((error: unknown) => {
      ending += '?';
      throw error;
    });
  };
}

/**
 * For files that import others.
 * @param base what the files are relative to
 * @param copied as in `Files`: what all of them import, and is here already but for the copies
 */
export function createLoader<Modules>(
  files: Files<keyof Modules>,
  base: string,
  nonce: string,
  copied: string,
) {
  let asked: Record<string, 1> = {};
  /** Firefox and WebKit remember a module that failed to load; another query makes it another module. */
  let ending = '.js';
  let failures = 0;
  /** What others import has no query. Where this file has one, it has failed once by its name. */
  let first = /\?$/.test(import.meta.url) ? AGAIN : FETCHED;
  // Only `AGAIN` has more letters than those of `FETCHED`, so `first[7]` says which it is.

  /** @param trial hears what becomes of each, asked for as a mere script, which needs no name of its own */
  function preload(name: keyof Modules, beside = '', trial?: Promise<unknown>[]): string {
    const [href = ''] = (files[name] + beside + (first[7] ? copied : '')).split(',').map((named, i) => {
      const [file, hash] = named.split(' ');
      const path = first + file + (i && !trial ? '.js' : ending);
      const href = new URL(path, base).href;
      if (trial)
        trial.push(
          new Promise((come, fail) => {
            const link = lay(href, hash, nonce, 'preload');
            link.addEventListener('load', come);
            link.addEventListener('error', fail);
            // A browser may tell nothing of it.
            setTimeout(come, TRIAL_MS);
          }),
        );
      else if (!asked[href]) {
        asked[href] = 1;
        lay(href, hash, nonce, 'modulepreload');
      }
      return href;
    });
    return href;
  }

  return {
    /** Once something has failed nothing is asked for ahead: the copies are the last that can be. */
    preload: (name: keyof Modules, beside?: string) => first[7] ?? preload(name, beside),
    /** @param beside as in `files`, of what it imports and `files` does not name */
    async open<N extends keyof Modules>(name: N, beside?: string): Promise<Modules[N]> {
      try {
        // What others import is asked for by its own name only once it has come.
        if (first[7]) {
          const trial: Promise<unknown>[] = [];
          preload(name, beside, trial);
          await Promise.all(trial);
        }
        return await import(/* @vite-ignore */ preload(name, beside));
      } catch (error) {
        ending = `.js?${++failures}`;
        first = AGAIN;
        asked = {};
        throw error;
      }
    },
  };
}

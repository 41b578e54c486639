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

/**
 * @param base what the files are relative to
 * @param folder where they are, for those that import nothing, or must come from beside who asks
 */
export function createLoader<Modules>(
  files: Files<keyof Modules>,
  base: string,
  nonce: string,
  folder?: string,
) {
  const asked: Record<string, 1> = {};
  /** Firefox and WebKit remember a module that failed to load; another query makes it another module. */
  let ending = '.js';
  let first = 'assets/';

  function preload(name: keyof Modules, beside = ''): string {
    const [href = ''] = (files[name] + beside).split(',').map((named, i) => {
      const [file, hash] = named.split(' ');
      const path = (folder ?? first) + file + (i ? '.js' : ending);
      const href = new URL(path, base).href;
      if (!asked[href]) {
        asked[href] = 1;
        const link = document.createElement('link');
        // In the order that compresses best.
        link.nonce = nonce;
        link.href = href;
        // What it brought stays known to the browser.
        link.onload = link.onerror = link.remove;
        link.integrity = `sha256-${hash}=`;
        link.rel = 'modulepreload';
        document.head.append(link);
      }
      return href;
    });
    return href;
  }

  return {
    /** Once something has failed nothing is asked for ahead: the copies are the last that can be. */
    preload: (name: keyof Modules, beside?: string) => ending[3] ?? preload(name, beside),
    /** @param beside as in `files`, of what it imports and `files` does not name */
    open: <N extends keyof Modules>(name: N, beside?: string): Promise<Modules[N]> =>
      import(/* @vite-ignore */ preload(name, beside)).catch((error: unknown) => {
        ending += '?';
        // What it imports has no query, and lies beside it.
        first = AGAIN;
        throw error;
      }),
  };
}

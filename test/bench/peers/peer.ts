/** What the bench must know of a candidate: how it comes, how it stands in a page, and where its parts are. */

/** Selectors from the document inwards; each further one looks inside the shadow root or frame of the one before. */
export type Way = readonly [string, ...string[]];

/** What a stub of the vendor's back end answers; `undefined` is 404. */
export type Stub = (asked: {
  method: string;
  path: string;
  body: string;
  base: string;
}) => string | undefined;

export interface Peer {
  /** Also the name of its folder, and of its page's script beside this file: `<name>.page.js`. */
  name: string;
  title: string;
  /** A floor is the physical limit and no product; a kit leaves the launcher and the state to the owner. */
  kind: 'floor' | 'chat' | 'form' | 'kit';
  /** Exact versions; the first is the candidate. */
  packages: Readonly<Record<string, string>>;
  /**
   * Files that the vendor builds and publishes, served as they are: name here → path in the package.
   * Without them, the page's script is built by Vite from the packages.
   */
  published?: Readonly<Record<string, string>>;
  /** Aliases lead to paths in the candidate's folder; `late` makes `<name>.late.js` a file of its own, `late.js`. */
  build?: { late?: true; alias?: Readonly<Record<string, string>>; dedupe?: readonly string[] };
  /** What stands in the page's head; without it, an async module script for `page.js`. */
  head?: string;
  launcher: Way;
  /** Absent where the vendor's back end draws it: then nothing is said of opening. */
  composer?: Way;
  /** Where its bubbles appear after Enter, if they can without the vendor. */
  thread?: Way;
  /** The page's script hands `benchFeed` to the window: messages can be put in without the vendor. */
  feeds?: true;
  stub?: Stub;
  /** What the reader of the figures should know. */
  notes: readonly string[];
}

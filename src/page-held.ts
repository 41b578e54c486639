/** What a page holds of a chat for want of another place, as every layer may name it: types alone. */
import type { WritableAtom } from 'nanostores';

/** A file as bytes, because WebKit refuses to store Blobs in private windows. */
export interface KeptFile {
  name: string;
  type: string;
  bytes: ArrayBuffer;
}

/** A fact has changed in this storage; without text it is gone. */
export type Hear = (key: unknown, storage: unknown, text?: unknown) => void;

export interface Shelf {
  files: readonly File[];
}

/** What a page holds for want of another place. */
export interface Held {
  facts: Map<string, string>;
  /** Of messages that wait, by their `echo_id`. */
  files: Map<string, KeptFile[]>;
  /** Chosen for the next message. */
  chosen: readonly File[];
  /** The same, in the conversations that are not before the visitor; while there is a chat, it has them. */
  others?: Map<number | undefined, Shelf> | undefined;
  /** Another one for each visitor: what comes late is of the one who was there when it was chosen. */
  whose?: object;
  /** The same, while there is a chat: files of a message that could not leave go there. */
  $files?: WritableAtom<readonly File[]>;
  /** The database has not answered in time. */
  silent?: boolean;
}

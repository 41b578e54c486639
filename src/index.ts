/** The package: a chat on the page by a call, and the types of all that it takes and gives. */
import { mount as mountAt } from './embed/mount.js';
import type { ParleyOptions } from './options.js';
import type { Parley } from './parley.js';

export type { OwnSentences, ParleyOptions, Question, Sentence, SentenceName } from './options.js';
export type {
  Attributes,
  Events,
  Failure,
  Level,
  Listener,
  Outcome,
  Parley,
  Perf,
  Scalar,
  Status,
  Theme,
  Who,
} from './parley.js';

/** Puts a chat on the page. May be called again for another one, and anew after `destroy()`. */
export const mount = (options: ParleyOptions): Parley =>
  mountAt(
    // What a program hands on and nobody has given is not written.
    Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
    // A bundle of another format than a module's does not know where it is.
    import.meta.url ?? document.baseURI,
  );

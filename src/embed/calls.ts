/** The owner's calls by name: which of them the owner's own file carries out. It does not know how. */
import type { Outcome, Perf } from '../parley.js';

/** Calls that the owner's file carries out; `typed` is the visitor's, of a chat that was here before. */
export type Call =
  | 'send'
  | 'draft'
  | 'reachOut'
  | 'typed'
  | 'identify'
  | 'setAttributes'
  | 'setLocale'
  | 'setTheme'
  | 'allow'
  | 'reset'
  | 'forget'
  | 'perf';

/** Those that wait for the visitor, with what they were given. They outlive their chat where another one takes its place. */
export interface Waiting extends Array<[Call, unknown]> {
  /** A window in the page, which comes by itself, was closed by the visitor or by a call, and does not then. */
  shut?: boolean | undefined;
}

/** The calls that come from the page as they are, to be checked here. */
export type Asked = Record<Call, (given: unknown) => Promise<Outcome & Perf>>;

/** The owner's own file, once it is here. */
export interface Owner {
  ask: Asked;
  /** @param wrong the names of options that the window could not read */
  explain: (wrong: readonly string[]) => void;
}

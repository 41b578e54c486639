/** The owner's calls by name: which of them the owner's own file carries out. It does not know how. */

/** Calls that the owner's file carries out; `typed` is the visitor's, of a chat that was here before. */
export type Call =
  | 'send'
  | 'draft'
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

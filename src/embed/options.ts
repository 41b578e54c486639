/**
 * What an owner has written, on the script tag or in a program. Only what nothing works without is checked here; the
 * rest is checked by whoever needs it. A wrong value is answered with a sentence that says what to write.
 */

/** By name in camel case. */
export interface Given extends Readonly<Record<string, unknown>> {
  baseUrl?: string | undefined;
  inboxIdentifier?: string | undefined;
  nonce?: string | undefined;
  /** That on which it stands, where everything is text. */
  tag?: Element;
}

/** All that is written. */
export interface Options extends Given {
  baseUrl: string;
  inboxIdentifier: string;
  /** Names this chat among those of the page's origin. */
  scope: string;
  /** What to write instead. */
  wrong: string;
}

export function readOptions(given: Given): Options {
  // In the launcher's own file it always is, and the other names need no bytes there.
  const tag = import.meta.env.PARLEY_TAG || given.tag;
  // What is pasted may have spaces around it.
  const [baseUrl = ''] = /https?:\/\/[^?#\s]*[^?#/\s]/.exec(given.baseUrl ?? '') || [];
  const [inboxIdentifier = ''] = /\S+/.exec(given.inboxIdentifier ?? '') || [];
  const wrong = baseUrl
    ? inboxIdentifier
      ? ''
      : tag
        ? 'data-inbox-identifier is missing.'
        : 'inboxIdentifier is missing.'
    : tag
      ? 'data-base-url with https:// is missing.'
      : 'baseUrl with https:// is missing.';
  // The scope as `scopeKey` writes it: the launcher has no bytes for a call.
  return { ...given, baseUrl, inboxIdentifier, scope: `parley:${baseUrl}#${inboxIdentifier}`, wrong };
}

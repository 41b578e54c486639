/**
 * What an owner has written, on the script tag or in a program. Only what nothing works without is checked here; the
 * rest is checked by whoever needs it. A wrong value is answered with a sentence that says what to write.
 */

/** By name in camel case. `tag` says that it stands on a tag, where everything is text. */
export type Given = Readonly<Record<string, unknown>>;

/** All that is written. */
export interface Options extends Given {
  baseUrl: string;
  inboxIdentifier: string;
  nonce: string | undefined;
  /** What to write instead. */
  wrong: string;
}

/** How a name is written in an attribute or a style sheet. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export function readOptions(given: Given): Options {
  const { tag, inboxIdentifier, nonce } = given;
  const [baseUrl = ''] = /^https?:\/\/[^?#]*[^?#/]/.exec(`${given.baseUrl}`) ?? [];
  const wrong = !baseUrl
    ? `${tag ? 'data-base-url' : 'baseUrl'} must be the address of your service, like "https://support.example.com"`
    : !inboxIdentifier
      ? `${tag ? 'data-inbox-identifier' : 'inboxIdentifier'} must be that of your API inbox`
      : '';
  return {
    ...given,
    baseUrl,
    inboxIdentifier: `${inboxIdentifier}`,
    nonce: nonce ? `${nonce}` : undefined,
    wrong,
  };
}

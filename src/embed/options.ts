/** What an owner may write on the script tag, checked; a wrong value is answered with a sentence that says what to write. */

export interface TagOptions {
  baseUrl: string;
  inboxIdentifier: string;
  /** All that stands on the tag; the window reads the rest of it. */
  written: DOMStringMap;
}

/** @returns the options, or what to write instead */
export function readOptions(data: DOMStringMap): TagOptions | string {
  const { baseUrl, inboxIdentifier } = data;
  let url: URL | undefined;
  try {
    url = new URL(baseUrl ?? '');
  } catch {}
  if (!url || !/^https?:/.test(url.protocol)) {
    return 'data-base-url must be the address of your service, like "https://support.example.com".';
  }
  if (!inboxIdentifier) return 'data-inbox-identifier must be the identifier of your API inbox.';
  return { baseUrl: url.origin + url.pathname.replace(/\/+$/, ''), inboxIdentifier, written: data };
}

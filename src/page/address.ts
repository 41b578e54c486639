/**
 * The options in the page's own address, by their names on the tag without `data-`. What says who the visitor is does
 * not belong there, where servers, histories and whoever is shown a link read it. It does not know what options mean.
 */
import { choices, kinds } from '../option-kinds.js';

export interface Address {
  /** By their names in camel case; all of them text. */
  options: Record<string, string>;
  /** How the app talks to the page, where its web view does not show it; `app` where that shows any app. */
  bridge: string | undefined;
  /** The app keeps what the web view would forget. */
  keep: boolean;
  /** The window has a button that closes it, where there is an app to close it. */
  close: boolean;
  /** What must not stand in an address, as it stands there. */
  refused: string[];
}

/** What is about a launcher and its page, and what nobody could answer here. */
const NOT_HERE =
  /^(?:nonce|connect|inside|pages|launcher\w*|position|outreach\w*|offset[XY]|phoneOffset[XY]|zIndex)$/;
const SECRET =
  /^(?:identifier|\w*hash|hmac|sourceId|name|email|phone|phoneNumber|avatar|\w*(?:token|secret|password))$/i;

const camel = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const isOption = (name: string) =>
  (Object.hasOwn(kinds, name) || Object.hasOwn(choices, name)) && !NOT_HERE.test(name);

export function readAddress(search: string): Address {
  const address: Address = { options: {}, bridge: undefined, keep: false, close: true, refused: [] };
  for (const [written, value] of new URLSearchParams(search)) {
    const name = camel(written);
    // Many write the service’s own names.
    if (SECRET.test(camel(written.replaceAll('_', '-')))) address.refused.push(written);
    else if (isOption(name)) address.options[name] = value;
    else if (name === 'bridge') address.bridge = value;
    else if (name === 'keep') address.keep = value === 'app';
    else if (name === 'close') address.close = value !== 'false';
    // Others add names of their own to links.
  }
  return address;
}

/** The same address without these names. */
export function without(search: string, names: readonly string[]): string {
  const params = new URLSearchParams(search);
  for (const name of names) params.delete(name);
  return `${params}` && `?${params}`;
}

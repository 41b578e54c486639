/**
 * What a page's content security policy has to say for the chat, for given hosts. A test serves pages with it, and
 * without each part of it. It does not know what else the policy of that page says.
 */
export interface Hosts {
  /** The service's address. */
  service: string;
  /** The address of `parley.js`. */
  files: string;
  /** Of uploads, apart by spaces, where they are others than the service's. */
  uploads: string;
  /** The address of the launcher's picture, where there is one. */
  launcherImage: string;
  by: 'nonce' | 'host';
  /** Visitors can attach files and record their voice. */
  attachments: boolean;
}

export interface Directive {
  name: string;
  sources: string[];
  why: string;
}

/** Stands for the page, of which nothing is known here. */
const PAGE = 'https://page.invalid';

/** @returns as it is written in a policy; nothing where the address is none, or leads elsewhere than to a host */
function sourceOf(address: string): string | undefined {
  try {
    const { origin, protocol } = new URL(address, PAGE);
    if (origin === PAGE) return "'self'";
    return /^https?:$/.test(protocol) ? origin : undefined;
  } catch {
    return undefined;
  }
}

/** What is meant as a host, and would be a folder of that name beside the page. */
const HOST_ALONE = /^\s*[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?::\d+)?\//i;
/** On a tag, what names no host is relative to the page. */
const fileOf = (address: string) =>
  address.trim() && !HOST_ALONE.test(address) ? sourceOf(address) : undefined;
/** Whether a script can lie there. */
export const isFile = (address: string): boolean => fileOf(address) !== undefined;
const serviceOf = (address: string) => (/^https?:\/\//.test(address.trim()) ? sourceOf(address) : undefined);
/** In a policy a host may stand alone. */
const storeOf = (address: string) => sourceOf(/^\w+:\/\/|^\//.test(address) ? address : `https://${address}`);
const pictureOf = (address: string) => /^(?:data|blob):/.exec(address.trim())?.[0] ?? fileOf(address);

const known = (source: string | undefined): source is string => source !== undefined;

/** @returns nothing where an address is none */
export function directivesFor({
  service,
  files,
  uploads,
  launcherImage,
  by,
  attachments,
}: Hosts): Directive[] | undefined {
  const origin = serviceOf(service);
  const script = fileOf(files);
  const stores = uploads
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(storeOf);
  if (!origin || !script || !stores.every(known)) return undefined;
  const hosts = [origin, ...stores];
  const blobs = attachments ? ['blob:'] : [];
  const media = [...new Set(hosts), ...blobs];
  const logo = pictureOf(launcherImage);
  const pictures = [...new Set([...hosts, ...(logo ? [logo] : []), ...blobs])];
  const also = attachments ? ' before they are sent, and' : '';
  return [
    by === 'nonce'
      ? {
          name: 'script-src',
          sources: ["'nonce-…'", "'strict-dynamic'"],
          why: 'the tag, and what the tag itself imports; … is made anew by your server for each page and stands on the tag, too',
        }
      : { name: 'script-src', sources: [script], why: 'parley.js and the files beside it' },
    { name: 'connect-src', sources: [origin, origin.replace(/^http/, 'ws')], why: 'requests and the socket' },
    {
      name: 'img-src',
      sources: pictures,
      why: `pictures${also} from your team, and faces${logo ? '; and what stands on the launcher' : ''}`,
    },
    { name: 'media-src', sources: media, why: `voice messages and videos${also} from your team` },
    {
      name: 'require-trusted-types-for',
      sources: ["'script'"],
      why: 'not needed, and no hindrance: the chat makes no code from text',
    },
  ];
}

export const policyText = (directives: readonly Directive[]): string =>
  directives.map(({ name, sources }) => `${name} ${sources.join(' ')}`).join(';\n');

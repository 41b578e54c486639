/**
 * What the page's content security policy forbids the chat: heard from the browser's own events, also of what was
 * blocked before we came, and tried out with requests that the chat makes. It names the directive to change, so that what
 * the page allows already stays allowed. Of the policy it knows what the browser says of it with each event: a header
 * cannot be read from a page.
 */
import { type Finding, ok, problem, warning } from './finding.js';
import { lets } from './source.js';
import { after, within } from './wait.js';

export interface Violation {
  directive: string;
  /** An address, or a scheme alone. */
  blocked: string;
  /** The policy only reports it. */
  reported: boolean;
  /** All of it, as it is written. */
  policy: string;
}

export interface PolicyWatch {
  all: () => readonly Violation[];
  /** Whether this address was blocked, by one of these directives. */
  blocks: (directive: string, address: string) => boolean;
  stop: () => void;
}

const text = (from: object, name: string): string => {
  const value: unknown = Reflect.get(from, name);
  return typeof value === 'string' ? value : '';
};

/** An event and a report call the same things by different names. */
function violationOf(told: object): Violation {
  return {
    directive: text(told, 'effectiveDirective'),
    blocked: text(told, 'blockedURI') || text(told, 'blockedURL'),
    reported: text(told, 'disposition') === 'report',
    policy: text(told, 'originalPolicy'),
  };
}

/** Browsers say the address, its origin or its scheme. */
const isOf = (blocked: string, address: string): boolean => {
  const { href, origin, protocol } = new URL(address);
  return [href, origin, protocol.slice(0, -1), protocol].includes(blocked);
};

export function watchPolicy(): PolicyWatch {
  const heard: Violation[] = [];
  const hear = (event: Event) => void heard.push(violationOf(event));
  document.addEventListener('securitypolicyviolation', hear);
  let reports: ReportingObserver | undefined;
  if ('ReportingObserver' in window) {
    reports = new ReportingObserver(
      (list) => {
        for (const { type, body } of list)
          if (type === 'csp-violation' && body) heard.push(violationOf(body));
      },
      { types: ['csp-violation'], buffered: true },
    );
    reports.observe();
  }
  return {
    all: () => heard,
    blocks: (directive, address) =>
      heard.some((one) => !one.reported && one.directive.startsWith(directive) && isOf(one.blocked, address)),
    stop() {
      document.removeEventListener('securitypolicyviolation', hear);
      reports?.disconnect();
    },
  };
}

const LOAD_LIMIT_MS = 5_000;
/** The event that tells why comes as a task of its own. */
const WHY_MS = 100;

/** Whether it may be shown does not depend on whether it is a picture. */
async function look(element: HTMLImageElement | HTMLMediaElement, address: string): Promise<void> {
  const settled = new Promise((resolve) => {
    for (const event of ['load', 'loadedmetadata', 'error']) element.addEventListener(event, resolve);
  });
  if (element instanceof HTMLMediaElement) element.preload = 'metadata';
  element.src = address;
  await within(LOAD_LIMIT_MS, settled, undefined);
  await after(WHY_MS);
  element.removeAttribute('src');
}

/** The smallest picture there is. */
const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg"/>';

export interface Needs {
  /** Of the service: something that answers and changes nothing. */
  address: string;
  /** Of the socket. */
  socket: string;
  /** Where our files are; empty where a bundler has put them with the page's own. */
  files: string;
  /** Whether the visitor can attach files and voice messages. */
  attachments: boolean;
  /** The address of the launcher's picture; empty where there is none. */
  picture: string;
}

/** Asks the browser for everything that the chat asks it for, but for requests and sockets, which have been tried. */
export async function tryPolicy({ address, attachments, picture }: Needs): Promise<void> {
  const made = attachments ? URL.createObjectURL(new Blob([PICTURE], { type: 'image/svg+xml' })) : undefined;
  await Promise.all([
    look(new Image(), address),
    look(new Audio(), address),
    ...(picture ? [look(new Image(), picture)] : []),
    ...(made ? [look(new Image(), made), look(new Audio(), made)] : []),
  ]);
  if (made) URL.revokeObjectURL(made);
}

const what: Record<string, string> = {
  'connect-src': 'requests and the socket',
  'img-src': 'pictures',
  'media-src': 'voice messages and videos',
  'script-src': 'files of the chat',
};

const originOf = (address: string) => {
  try {
    return new URL(address).origin;
  } catch {
    return undefined;
  }
};

/** What has to be allowed, as it is written in a policy; nothing when it is none of ours. */
function sourceOf(blocked: string, kind: string, needs: Needs): string | undefined {
  const isFile = needs.files && blocked.startsWith(needs.files);
  // The service gives no scripts: of its origin they are the page's own.
  if (kind === 'script-src') return isFile ? new URL(needs.files).origin : undefined;
  const service = new URL(needs.address).origin;
  const socket = new URL(needs.socket).origin;
  if (isOf(blocked, needs.socket) || originOf(blocked) === socket) return socket;
  if (originOf(blocked) === service) return service;
  if (isFile) return new URL(needs.files).origin;
  // Of a page's own scripts and workers we know nothing; what it shows so is blocked for us, too.
  const shown = kind === 'img-src' || kind === 'media-src';
  if (shown && needs.attachments && /^blob\b/.test(blocked)) return 'blob:';
  if (kind === 'img-src' && needs.picture && isOf(blocked, needs.picture)) {
    const { origin, protocol } = new URL(needs.picture);
    return origin === location.origin ? "'self'" : /^http/.test(protocol) ? origin : protocol;
  }
  return undefined;
}

/** The one that decides comes first. Files of ours are elements, for which there is a directive of their own. */
const deciding = (kind: string) => [
  ...(kind === 'script-src' ? ['script-src-elem'] : []),
  kind,
  'default-src',
];

function readPolicy(policy: string): Map<string, string[]> {
  const directives = new Map<string, string[]>();
  for (const part of policy.split(/[;,]/)) {
    const [name = '', ...sources] = part.trim().split(/\s+/);
    // Of two, browsers obey the first.
    if (!directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources);
  }
  return directives;
}

/** What a general directive allows, for a special one that is to be written: of scripts more can be said than of others. */
const inherited = (kind: string, sources: readonly string[]) =>
  sources
    .filter((source) => (kind === 'script-src' ? !/^'none'$/i.test(source) : /^[^']|^'self'$/i.test(source)))
    // Another one on each page.
    .map((source) => source.replace(/^'nonce-.*/i, "'nonce-…'"));

/** What of a policy decides about this kind; no name where it says nothing of it. */
function decisionOf(kind: string, policy: string): { name?: string | undefined; sources: string[] } {
  const directives = readPolicy(policy);
  const name = deciding(kind).find((one) => directives.has(one));
  return { name, sources: directives.get(name ?? '') ?? [] };
}

/** @param more sources that the general directive lacks */
const written = (kind: string, policy: string, more: readonly string[]) => {
  const all = [...new Set([...inherited(kind, decisionOf(kind, policy).sources), ...more])];
  return `has no ${kind}, so its default-src decides; write ${kind} ${all.join(' ')}`;
};

/** What one policy blocks of one kind. */
interface Blocked {
  kind: string;
  policy: string;
  reported: boolean;
  sources: Set<string>;
}
/** Of several things in one policy. */
const keyOf = (what: string, reported: boolean, policy: string) => `${what} ${reported} ${policy}`;

const find = ({ reported }: Pick<Blocked, 'reported'>, says: string) =>
  (reported ? warning : problem)(
    `Your content security policy ${reported ? 'would block (it only reports so far)' : 'blocks'} ${says}`,
  );

const shows = ['img-src', 'media-src'];

/** Whether the policy lets this through, so that it was blocked where a redirect of it ends: browsers do not say where. */
const isSentOn = (kind: string, blocked: string, policy: string) =>
  shows.includes(kind) &&
  /^https?:/.test(blocked) &&
  decisionOf(kind, policy).sources.some((source) => lets(source, blocked, location.href));

/** @param seen all that was blocked on this page */
export function judgePolicy(seen: readonly Violation[], needs: Needs): Finding[] {
  const wanted = new Map<string, Blocked>();
  const sentOn = new Map<string, { origin: string; policy: string; reported: boolean }>();
  for (const { directive, blocked, policy, reported } of seen) {
    const kind = directive.replace(/-elem$/, '');
    const source = kind in what && sourceOf(blocked, kind, needs);
    if (!source) continue;
    if (isSentOn(kind, blocked, policy)) {
      const { origin } = new URL(blocked);
      sentOn.set(keyOf(origin, reported, policy), { origin, policy, reported });
      continue;
    }
    const key = keyOf(kind, reported, policy);
    const entry = wanted.get(key) ?? { kind, policy, reported, sources: new Set<string>() };
    entry.sources.add(source);
    wanted.set(key, entry);
  }
  const found = [...wanted.values()].map((one) => {
    const { kind, sources, policy } = one;
    const list = [...sources].sort();
    const { name = kind } = decisionOf(kind, policy);
    const write =
      name === 'default-src' ? `it ${written(kind, policy, list)}` : `add ${list.join(' ')} to its ${name}`;
    return find(one, `${what[kind]}: ${write}.`);
  });
  const onward = [...sentOn.values()].map((one) => {
    const { origin, policy, reported } = one;
    const own = shows.filter((kind) => decisionOf(kind, policy).name === kind);
    const general = shows.filter((kind) => decisionOf(kind, policy).name === 'default-src');
    const steps = [
      ...(own.length ? [`Add that host to its ${own.join(' and ')}.`] : []),
      ...general.map((kind) => {
        const lacking = wanted.get(keyOf(kind, reported, policy))?.sources ?? [];
        return `It ${written(kind, policy, [...lacking].sort())} and that host.`;
      }),
    ];
    return find(
      one,
      `files: ${origin}, which it allows, sends them on to another host, that of its file storage (the browser’s network panel names it). ${steps.join(' ')}`,
    );
  });
  return found.length + onward.length
    ? [...found, ...onward]
    : [ok('The content security policy of this page lets the chat do all it needs.')];
}

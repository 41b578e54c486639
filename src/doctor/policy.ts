/**
 * What the page's content security policy forbids the chat: heard from the browser's own events, also of what was
 * blocked before we came, and tried out with requests that the chat makes. It names the directive to change. It does
 * not read the policy: a header cannot be read from a page.
 */
import { type Finding, ok, problem, warning } from './finding.js';
import { after, within } from './wait.js';

export interface Violation {
  directive: string;
  /** An address, or a scheme alone. */
  blocked: string;
  /** The script that asked. */
  source: string;
  /** The policy only reports it. */
  reported: boolean;
  /** Whether the policy has this directive; otherwise a more general one decided. */
  written: boolean;
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
  const directive = text(told, 'effectiveDirective');
  return {
    directive,
    blocked: text(told, 'blockedURI') || text(told, 'blockedURL'),
    source: text(told, 'sourceFile'),
    reported: text(told, 'disposition') === 'report',
    written: new RegExp(`(^|[;,])\\s*${directive}(\\s|;|,|$)`, 'i').test(text(told, 'originalPolicy')),
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
}

/** Asks the browser for everything that the chat asks it for, but for requests and sockets, which have been tried. */
export async function tryPolicy({ address, attachments }: Needs): Promise<void> {
  const made = attachments ? URL.createObjectURL(new Blob([PICTURE], { type: 'image/svg+xml' })) : undefined;
  await Promise.all([
    look(new Image(), address),
    look(new Audio(), address),
    ...(made ? [look(new Image(), made), look(new Audio(), made)] : []),
  ]);
  if (made) URL.revokeObjectURL(made);
}

const what: Record<string, string> = {
  'connect-src': 'requests and the socket',
  'img-src': 'pictures',
  'media-src': 'voice messages and videos',
  'script-src': 'files of the chat',
  'script-src-elem': 'files of the chat',
};

/** What has to be allowed, as it is written in a policy; nothing when it is none of ours. */
function sourceOf({ blocked, source }: Violation, needs: Needs): string | undefined {
  const service = new URL(needs.address).origin;
  const socket = new URL(needs.socket).origin;
  if (isOf(blocked, needs.socket) || blocked.startsWith(socket)) return socket;
  if (blocked.startsWith(service)) return service;
  if (needs.files && blocked.startsWith(needs.files)) return new URL(needs.files).origin;
  if (/^blob\b/.test(blocked) && (!source || source.startsWith(needs.files))) return 'blob:';
  return undefined;
}

/** @param seen all that was blocked on this page */
export function judgePolicy(seen: readonly Violation[], needs: Needs): Finding[] {
  const wanted = new Map<string, { sources: Set<string>; written: boolean; reported: boolean }>();
  for (const violation of seen) {
    const source = sourceOf(violation, needs);
    if (!source || !(violation.directive in what)) continue;
    const key = `${violation.directive} ${violation.reported}`;
    const entry = wanted.get(key) ?? { ...violation, sources: new Set<string>() };
    entry.sources.add(source);
    wanted.set(key, entry);
  }
  const found = [...wanted].map(([key, { sources, written, reported }]) => {
    const [directive = ''] = key.split(' ');
    const list = [...sources].sort().join(' ');
    const blocks = `Your content security policy ${reported ? 'would block (it only reports so far)' : 'blocks'} ${what[directive]}: `;
    const write = written
      ? `add ${list} to its ${directive}.`
      : `it has no ${directive}, so another directive decides; write ${directive} 'self' ${list}.`;
    return (reported ? warning : problem)(blocks + write);
  });
  return found.length
    ? found
    : [ok('The content security policy of this page lets the chat do all it needs.')];
}

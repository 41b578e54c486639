/**
 * What a helper wants to know of a page, a browser and a service, without anything that belongs to a person: of the
 * page's address only the host, of options only the names, of what is kept only whether there is any.
 */
import type { Given } from '../embed/options.js';
import { choices, kinds } from '../option-kinds.js';
import { localKey, scopeKey } from '../storage/local.js';
import type { Answer } from './line.js';
import type { SocketSeen } from './socket.js';

export type Fact = [name: string, value: string];

declare const PARLEY_VERSION: string;

export function isKnown(scope: string): string {
  try {
    return localStorage.getItem(localKey(scope, '')) === null ? 'no' : 'yes';
  } catch {
    return 'storage is refused';
  }
}

/** Where a frame may keep nothing, even asking is refused. */
function hasWorker(): string {
  try {
    return navigator.serviceWorker?.controller ? 'yes' : 'no';
  } catch {
    return 'refused';
  }
}

const prefers = (query: string) => matchMedia(`(prefers-${query})`).matches;

/** @param files where ours are. @returns their names, which are made of what is in them */
function loaded(files: string): string {
  const names = performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => files && name.startsWith(files))
    .map((name) => name.slice(files.length).replace(/\?.*$|\.js$/g, ''));
  return [...new Set(names)].sort().join(' ') || 'in one file';
}

export interface About {
  options: Given & { baseUrl: string; inboxIdentifier: string };
  files: string;
  answer: Answer | undefined;
  socket: SocketSeen;
  aheadMs: number | undefined;
}

export function factsOf({ options, files, answer, socket, aheadMs }: About): Fact[] {
  const { baseUrl, inboxIdentifier } = options;
  const { documentElement: root } = document;
  const written = Object.keys({ ...choices, ...kinds }).filter((name) => options[name] !== undefined);
  const header = (name: string) => answer?.header(name);
  const body = Object(answer?.body);
  return [
    ['widget', `${PARLEY_VERSION}, ${loaded(files)}`],
    ['page', `${location.origin} (its path and query are left out)`],
    ['service', baseUrl],
    ['inbox', inboxIdentifier],
    ['options', written.join(', ')],
    ['written on', options.tag ? 'the tag' : 'a program'],
    ['visitor known here', isKnown(scopeKey(baseUrl, inboxIdentifier))],
    ...(answer
      ? ([
          [
            'service answers',
            `${answer.status}${header('service-version') ? `, version ${header('service-version')}` : ''}`,
          ],
          ['echo ids', header('echo-id') === 'kept' ? 'kept' : 'not known to be kept'],
          ['proof of identity', body.identity_validation_enabled === true ? 'asked for' : 'not asked for'],
        ] satisfies Fact[])
      : []),
    [
      'socket',
      `${socket.protocol || 'did not open'}${socket.subscription ? `, unknown key ${socket.subscription}` : ''}`,
    ],
    [
      'clock',
      aheadMs === undefined
        ? 'not told'
        : `${Math.abs(Math.round(aheadMs / 1000))} s ${aheadMs < 0 ? 'behind' : 'ahead of'} the service`,
    ],
    ['browser', navigator.userAgent],
    [
      'languages',
      `${(navigator.languages ?? []).join(', ')}; page ${root.lang || 'says none'}, ${getComputedStyle(root).direction}`,
    ],
    ['view', `${innerWidth} × ${innerHeight} at ${devicePixelRatio}`],
    [
      'wishes',
      [
        prefers('color-scheme: dark') ? 'dark' : 'light',
        ...(prefers('reduced-motion: reduce') ? ['less motion'] : []),
        ...(prefers('contrast: more') ? ['more contrast'] : []),
      ].join(', '),
    ],
    ['frame', window.top === window ? 'no' : 'yes'],
    ['secure', String(isSecureContext)],
    ['service worker', hasWorker()],
  ];
}

/**
 * The way to the service: whether it is there, lets this page read its answers, knows the inbox, and what its answers
 * tell. All it asks for is the inbox, and a contact that nobody can be; neither changes anything. It does not know why
 * a policy blocks.
 */
import { type Finding, ok, problem, unknown, warning } from './finding.js';
import { after, within } from './wait.js';

const LIMIT_MS = 15_000;
const WHY_MS = 100;

/** The part of an answer that can be told. */
export interface Answer {
  status: number;
  /** A name of it that can be read from here. */
  header: (name: string) => string | null;
  body: unknown;
  /** By this device's clock, between the question and the answer. */
  atMs: number;
}

export interface Line {
  /** `unreadable` it answers, and the page may not read it. */
  reach: 'answered' | 'unreadable' | 'redirected' | 'blocked' | 'nowhere';
  answer?: Answer;
  /** To a question that the browser asks leave for first. */
  asked?: boolean;
}

export const inboxAddress = (baseUrl: string, inbox: string): string =>
  `${baseUrl}/public/api/v1/inboxes/${encodeURIComponent(inbox)}`;

async function ask(address: string, more: RequestInit): Promise<Response | undefined> {
  const aborter = new AbortController();
  const late = setTimeout(() => aborter.abort(), LIMIT_MS);
  try {
    // As the chat asks.
    return await fetch(address, {
      mode: 'cors',
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      signal: aborter.signal,
      ...more,
    });
  } catch {
    return undefined;
  } finally {
    clearTimeout(late);
  }
}

async function read(response: Response, atMs: number): Promise<Answer> {
  let body: unknown;
  try {
    body = await response.json();
  } catch {}
  return { status: response.status, header: (name) => response.headers.get(name), body, atMs };
}

/** @param blocks whether the policy has blocked this address */
export async function tryLine(address: string, blocks: () => boolean): Promise<Line> {
  const before = Date.now();
  const response = await ask(address, {});
  const answer = response && (await within(LIMIT_MS, read(response, (before + Date.now()) / 2), undefined));
  if (!answer) {
    await after(WHY_MS);
    if (blocks()) return { reach: 'blocked' };
    if ((await ask(address, { redirect: 'manual' }))?.type === 'opaqueredirect')
      return { reach: 'redirected' };
    const there = await ask(address, { mode: 'no-cors', redirect: 'follow' });
    return { reach: there ? 'unreadable' : 'nowhere' };
  }
  // On one origin the browser asks nobody for leave.
  if (new URL(address).origin === location.origin) return { reach: 'answered', answer, asked: true };
  // Nobody has this key: it is answered with no, after the browser has asked the service for leave.
  const asked = await ask(`${address}/contacts/parley-doctor`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  });
  return { reach: 'answered', answer, asked: asked !== undefined };
}

const isLocal = (host: string) => /^(localhost|127\.|\[::1\]|10\.|192\.168\.)/.test(host);

export function judgeReach({ reach }: Line, baseUrl: string): Finding[] {
  const { protocol, host, hostname } = new URL(baseUrl);
  const found: Finding[] = [];
  if (reach === 'blocked')
    found.push(problem('The page’s own content security policy blocks the service: see below what to add.'));
  else if (reach === 'redirected')
    found.push(
      problem(
        `${host} sends requests on to another address: write its final address as data-base-url, with https and without a path that redirects.`,
      ),
    );
  else if (reach !== 'nowhere') found.push(ok(`The service at ${host} answers.`));
  else if (navigator.onLine === false)
    found.push(problem('This browser is offline: connect it to the network and check again.'));
  else if (protocol === 'http:' && location.protocol === 'https:' && !isLocal(hostname))
    found.push(
      problem(`This page is https and the service is not, which browsers block: write https://${host}.`),
    );
  else
    found.push(
      problem(
        `${host} does not answer: check the address in data-base-url, whether the service runs and its certificate is valid, and whether a blocker in this browser stops it.`,
      ),
    );
  if (isLocal(hostname) && !isLocal(location.hostname))
    found.push(
      warning(`Only your own network reaches ${hostname}: visitors need the public address of the service.`),
    );
  return found;
}

export function judgeCors({ reach, answer, asked }: Line, baseUrl: string): Finding[] {
  const { origin } = location;
  if (reach === 'unreadable')
    return [
      problem(
        `The service answers, but does not let this page read it (CORS): let it send Access-Control-Allow-Origin: ${origin} (or *) with every answer below /public/.`,
      ),
    ];
  if (!answer) return [unknown('Cannot be checked before the service answers.')];
  if (new URL(baseUrl).origin === origin)
    return [ok('The page and the service have the same origin: nothing is needed.')];
  if (!asked)
    return [
      problem(
        'The service lets this page read, but not write (CORS): let it answer OPTIONS below /public/ with Access-Control-Allow-Methods: GET, POST, PATCH and Access-Control-Allow-Headers: Content-Type.',
      ),
    ];
  if (answer.status === 429 && answer.header('retry-after') === null)
    return [
      warning(
        'The chat cannot read how long it should wait: let the service send Access-Control-Expose-Headers: Retry-After.',
      ),
    ];
  return [ok('The service lets this page read and write.')];
}

const identifierOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'identifier' in body ? body.identifier : undefined;

export function judgeInbox({ answer }: Line, inbox: string): Finding[] {
  if (!answer) return [unknown('Cannot be checked before the service answers.')];
  const { status, body } = answer;
  if (status === 200 && identifierOf(body) === inbox)
    return [
      ok('The service knows this inbox.'),
      ...(Object(body).identity_validation_enabled === true
        ? [
            ok(
              'It takes nobody whom your page has not proved: without identify() and a hash no visitor can write.',
            ),
          ]
        : []),
    ];
  if (status === 200)
    return [
      problem(
        'What answers is not the conversation service: data-base-url must be its address alone, like https://support.example.com.',
      ),
    ];
  if (status === 404)
    return [
      problem(
        'The service has no API inbox with this identifier: copy the identifier from the settings of an inbox of the API kind into data-inbox-identifier.',
      ),
    ];
  if (status === 429)
    return [
      warning('The service has had too many requests from this address: wait a minute and check again.'),
    ];
  if (status >= 500) return [problem(`The service has an error of its own (${status}): look into its logs.`)];
  return [
    problem(
      `The service answers with ${status} where it should tell of the inbox: nothing in front of it may ask for a login below /public/.`,
    ),
  ];
}

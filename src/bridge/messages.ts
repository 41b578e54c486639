/**
 * What passes between the chat's page and the app around it: each message by its name with its fields, and the check
 * that whatever comes in goes through. The README has the same tables. It does not know how messages travel.
 */
import type { Outcome, Parley, Scalar, Status } from '../parley.js';

/** Stands in every message as `parley`. It grows only when a message comes to mean something else. */
export const VERSION = 1;

/** What the page cannot begin without, when it says that it is ready. */
export type Need = 'options' | 'kept';

/** From the page to the app. None holds words of a conversation but `save`, which the visitor presses for. */
export interface Outgoing {
  ready: { needs: readonly Need[] };
  open: Record<never, never>;
  close: Record<never, never>;
  message: { message: number; from: 'team' | 'visitor'; conversation: number | null; unread: number };
  unread: { count: number };
  conversation: { conversation: number | null; status: string | null };
  status: { line: Status['line']; storage: Status['storage']; trouble: Status['trouble'] | null };
  openLink: { url: string };
  action: { payload: string; conversation: number | null };
  identify: { identifier: string | null };
  keep: { key: string; value: string | null };
  save: { name: string; mediaType: string; text: string };
  done: { of: string; id: string | number };
  error: { kind: string; message: string; of?: string | undefined; id?: string | number | undefined };
}

export const outgoing = {
  ready: ['needs'],
  open: [],
  close: [],
  message: ['message', 'from', 'conversation', 'unread'],
  unread: ['count'],
  conversation: ['conversation', 'status'],
  status: ['line', 'storage', 'trouble'],
  openLink: ['url'],
  action: ['payload', 'conversation'],
  identify: ['identifier'],
  keep: ['key', 'value'],
  save: ['name', 'mediaType', 'text'],
  done: ['of', 'id'],
  error: ['kind', 'message', 'of', 'id'],
} as const satisfies { [N in keyof Outgoing]: readonly (keyof Outgoing[N])[] };

/** What the page does for the app. */
export interface Desk {
  /** Resolves once there is one. */
  chat(): Promise<Parley>;
  options(given: Readonly<Record<string, unknown>>): Outcome;
  kept(facts: Readonly<Record<string, string>>): Outcome;
  back(): Outcome;
}

interface Kind<T> {
  fits(value: unknown): value is T;
  /** What may be written. */
  write: string;
  optional?: boolean;
}
type Fields = Readonly<Record<string, Kind<unknown>>>;
type Said<F extends Fields> = { [N in keyof F]: F[N] extends Kind<infer T> ? T : never };
/** What stands around the fields of each message. */
type Around = Readonly<Record<'parley' | 'type' | 'id', unknown>>;

export interface Ask {
  fields: Fields;
  /** Without its version. */
  example: Readonly<Record<string, unknown>>;
  /** @returns what became of it, or the name of the field that is wrong */
  run(message: Readonly<Record<string, unknown>>, desk: Desk): Promise<Outcome> | string;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): value is string => typeof value === 'string';
const isScalar = (value: unknown): value is Scalar =>
  isText(value) || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));

const text: Kind<string> = { fits: isText, write: 'a text' };
const words: Kind<string> = {
  fits: (value): value is string => isText(value) && value.trim() !== '',
  write: 'some words',
};
const hash: Kind<string> = {
  fits: (value): value is string => isText(value) && /^[\da-f]{64}$/i.test(value),
  write: '64 hexadecimal digits, made by your server',
};
const level: Kind<'memory' | 'session' | 'persistent'> = {
  fits: (value) => value === 'memory' || value === 'session' || value === 'persistent',
  write: '"memory", "session" or "persistent"',
};
const record: Kind<Record<string, unknown>> = { fits: isRecord, write: 'an object' };
const texts: Kind<Record<string, string>> = {
  fits: (value): value is Record<string, string> => isRecord(value) && Object.values(value).every(isText),
  write: 'texts by name',
};
/** Null is how some of these languages say that there is nothing. */
const maybe = <T>(kind: Kind<T>): Kind<T | null | undefined> => ({
  fits: (value): value is T | null | undefined => value === undefined || value === null || kind.fits(value),
  write: kind.write,
  optional: true,
});
const scalar = maybe<Scalar>({ fits: isScalar, write: '' });
const scalars: Kind<Record<string, Scalar | null | undefined>> = {
  fits: (value): value is Record<string, Scalar | null | undefined> =>
    isRecord(value) && Object.values(value).every(scalar.fits),
  write: 'texts, numbers, true or false by name',
};

function ask<F extends Fields>(
  fields: F,
  example: Said<F> extends infer S ? Partial<S> : never,
  work: (said: Said<F> & Around, desk: Desk) => Promise<Outcome> | Outcome,
): Ask {
  const wrong = (message: Readonly<Record<string, unknown>>) =>
    Object.entries(fields).find(([name, kind]) => !kind.fits(message[name]))?.[0];
  const fits = (message: object): message is Said<F> & Around => wrong({ ...message }) === undefined;
  return {
    fields,
    example,
    run: (message, desk) => (fits(message) ? Promise.resolve(work(message, desk)) : (wrong(message) ?? '')),
  };
}

const given = <T>(value: T | null | undefined): T | undefined => value ?? undefined;

/** From the app to the page. */
export const incoming = {
  options: ask({ options: record }, { options: { locale: 'de' } }, ({ options }, desk) =>
    desk.options(options),
  ),
  kept: ask({ facts: texts }, { facts: {} }, ({ facts }, desk) => desk.kept(facts)),
  identify: ask(
    {
      identifier: words,
      hash: maybe(hash),
      name: maybe(text),
      email: maybe(text),
      phone: maybe(text),
      avatar: maybe(text),
      attributes: maybe(scalars),
    },
    { identifier: 'user-7' },
    // Whole: a name that is none of these is told there, with the right one.
    async ({ parley, type, id, ...who }, desk) => (await desk.chat()).identify(who),
  ),
  setAttributes: ask(
    { contact: maybe(scalars), conversation: maybe(scalars) },
    { contact: { plan: 'pro' } },
    async ({ contact, conversation }, desk) =>
      (await desk.chat()).setAttributes({ contact: given(contact), conversation: given(conversation) }),
  ),
  open: ask({}, {}, async (_, desk) => (await desk.chat()).open()),
  close: ask({}, {}, async (_, desk) => (await desk.chat()).close()),
  back: ask({}, {}, (_, desk) => desk.back()),
  draft: ask({ text }, { text: 'My order is late' }, async (said, desk) =>
    (await desk.chat()).draft(said.text),
  ),
  send: ask({ text: words }, { text: 'My order is late' }, async (said, desk) =>
    (await desk.chat()).send(said.text),
  ),
  setLocale: ask({ locale: words }, { locale: 'de' }, async ({ locale }, desk) =>
    (await desk.chat()).setLocale(locale),
  ),
  setTheme: ask({ theme: texts }, { theme: { scheme: 'dark' } }, async ({ theme }, desk) => {
    const { scheme, ...rest } = theme;
    if (scheme === undefined) return (await desk.chat()).setTheme(rest);
    // An empty one takes it back.
    if (scheme === '' || scheme === 'auto' || scheme === 'light' || scheme === 'dark')
      return (await desk.chat()).setTheme({ ...rest, scheme });
    return { ok: false, error: { kind: 'wrong', message: 'scheme must be "auto", "light" or "dark".' } };
  }),
  allow: ask({ level }, { level: 'persistent' }, async (said, desk) => (await desk.chat()).allow(said.level)),
  reset: ask({}, {}, async (_, desk) => (await desk.chat()).reset()),
  forget: ask({}, {}, async (_, desk) => (await desk.chat()).forget()),
} satisfies Record<string, Ask>;

export type Reading =
  | { kind: 'ask'; type: string; id: string | number | undefined; work: Promise<Outcome> }
  | { kind: 'wrong'; type?: string | undefined; id?: string | number | undefined; write: string }
  /** Not for us, or of a time after ours. */
  | { kind: 'ignored' };

const idOf = (value: unknown) =>
  isText(value) || (typeof value === 'number' && Number.isFinite(value)) ? value : undefined;

const isKnown = (type: string): type is keyof typeof incoming => Object.hasOwn(incoming, type);

function parsed(said: unknown): unknown {
  try {
    return isText(said) ? JSON.parse(said) : said;
  } catch {
    return undefined;
  }
}

/**
 * @param said a message as it came: an object, or its JSON
 * @param shared whether others talk on the same line, so that what is not meant for us is none of our business
 */
export function read(said: unknown, shared: boolean, desk: Desk): Reading {
  const message = parsed(said);
  const written = (name: string, { example }: Ask) =>
    JSON.stringify({ parley: VERSION, type: name, ...example });
  if (!isRecord(message) || message.parley === undefined) {
    if (shared) return { kind: 'ignored' };
    return {
      kind: 'wrong',
      write: `A message is an object or its JSON, like ${written('open', incoming.open)}.`,
    };
  }
  const { parley, type } = message;
  const id = idOf(message.id);
  if (parley !== VERSION)
    return { kind: 'wrong', id, write: `This page speaks version ${VERSION}: write "parley": ${VERSION}.` };
  if (!isText(type))
    return { kind: 'wrong', id, write: `A message has a type, like ${written('open', incoming.open)}.` };
  if (!isKnown(type)) return { kind: 'ignored' };
  const one: Ask = incoming[type];
  const work = one.run(message, desk);
  if (typeof work !== 'string') return { kind: 'ask', type, id, work };
  return {
    kind: 'wrong',
    type,
    id,
    write: `"${work}" of ${type} must be ${one.fields[work]?.write}, like ${written(type, one)}.`,
  };
}

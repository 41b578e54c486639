/**
 * Makes requests that must be refused, out of the published description alone: a token, an id, a parameter or a
 * field that does not fit, each with the status and the field the refusal must name.
 */
import fc from 'fast-check';
import type { JsonSchema, Operation } from '../../demo/service/http/description/openapi.js';
import { readBack } from './described.js';

export interface Spoiled {
  method: string;
  path: string;
  query: string;
  body?: unknown;
  headers: Record<string, string>;
  /** `foreign` is somebody of another account. */
  token: 'ours' | 'foreign' | 'none' | 'wrong';
  status: number;
  field: string;
}

/** What exists, for the parts of a path that are not spoiled. */
export type Known = Record<string, string>;

export const payloads = [
  "' or '1'='1",
  "'; drop table messages; --",
  '1; select pg_sleep(5)',
  "\\'; truncate contacts; --",
  '$1',
  '%27%20or%201=1',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  '{{constructor.constructor("return 1")()}}',
  '../../../../etc/passwd',
  '__proto__',
  'constructor',
];

const texts = fc.oneof(
  fc.constantFrom(...payloads),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.integer({ min: 256, max: 6000 }).map((length) => 'x'.repeat(length)),
  fc.constantFrom('', ' ', 'true', '0', '-1', '1.5', '1e9', 'null', 'NaN', '9223372036854775808'),
);

const values = fc.oneof(
  { weight: 4, arbitrary: texts },
  fc.constantFrom(null, true, false),
  fc.oneof(fc.integer(), fc.double(), fc.constantFrom(-1, 1.5, 1e15, 2 ** 53, -0)),
  fc.array(fc.oneof(texts, fc.integer()), { maxLength: 3 }),
  fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), texts, { maxKeys: 2 }),
);

const isMap = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

/** Values that do not fit a schema, told by the schema itself; nothing for one that takes all of them. */
function unfit(schema: JsonSchema): fc.Arbitrary<unknown> | undefined {
  const reader = readBack(schema);
  const isUnfit = (value: unknown) => !reader.safeParse(value).success;
  const some = fc.sample(values, { numRuns: 400, seed: 7 }).map(sent).filter(isUnfit);
  return some.length ? fc.constantFrom(...some) : undefined;
}

/** In a query everything is text, and a name that ends in `[]` a list of one. */
function unfitText(schema: JsonSchema): fc.Arbitrary<string> | undefined {
  const reader = readBack(schema);
  const isUnfit = (text: string) => {
    const isNumber = schema.type === 'integer' && /^-?\d+(\.\d+)?(e\d+)?$/.test(text);
    if (schema.type === 'array') return !reader.safeParse([text]).success;
    return !reader.safeParse(isNumber ? Number(text) : text).success;
  };
  const some = fc.sample(texts, { numRuns: 400, seed: 7 }).filter(isUnfit);
  return some.length ? fc.constantFrom(...some) : undefined;
}

const unknownIds = fc
  .oneof(
    texts.filter((text) => text.length < 2000),
    fc.integer({ min: 1_000_000, max: 2 ** 31 }).map(String),
    fc.constantFrom('99999999999999999999', '-7', '0x1', '1 ', '\0'),
  )
  .filter((text) => !['', '.', '..', 'meta', 'search'].includes(text) && !/^\d{1,5}$/.test(text));

const malformed = fc.oneof(
  fc.constantFrom('{', '}', '{"a":}', '[1,', '"', '{"a":1}}', "{'a':1}", 'undefined', '<a/>', '\u0000'),
  fc.json().map((text) => `${text}]`),
);

const wrongTokens = fc.constantFrom(
  ...payloads.filter((text) => /^[\x20-\x7e]+$/.test(text)),
  'x'.repeat(500),
);

function fill(path: string, known: Known): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(known[name] ?? `missing-${name}`),
  );
}

const propertiesOf = (schema: JsonSchema | undefined) =>
  Object.entries(isMap(schema?.properties) ? schema.properties : {}).flatMap(([name, property]) =>
    isMap(property) ? [{ name, schema: property }] : [],
  );

const requiredOf = (schema: JsonSchema | undefined) =>
  Array.isArray(schema?.required) ? schema.required.map(String) : [];

/** Of an account that is not ours, or none: the specification has its own status for its report. */
export const statusOutside = (path: string) => (path.startsWith('/api/v2/') ? 403 : 404);

/** All the ways to get one operation wrong. */
export function spoiled(
  path: string,
  method: string,
  operation: Operation,
  known: Known,
  foreign: Known,
  bodyBytes: number,
): fc.Arbitrary<Spoiled> {
  const isAccount = operation.security.length > 0;
  const base = {
    method: method.toUpperCase(),
    path: fill(path, known),
    query: '',
    headers: {},
    token: 'ours' as const,
  };
  const ways: fc.Arbitrary<Spoiled>[] = [];
  const names = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  for (const name of names) {
    const unknown = unknownIds.map((id) => ({
      ...base,
      path: fill(path, { ...known, [name]: id }),
      status: name === 'account_id' ? statusOutside(path) : 404,
      field: name,
    }));
    ways.push(unknown);
  }
  if (isAccount) {
    const field = 'api_access_token';
    ways.push(fc.constant({ ...base, token: 'none', status: 401, field }));
    const wrong = wrongTokens.map((text) => ({
      ...base,
      token: 'wrong' as const,
      headers: { api_access_token: text },
      status: 401,
      field,
    }));
    ways.push(wrong);
    const status = statusOutside(path);
    if (names.length) ways.push(fc.constant({ ...base, token: 'foreign', status, field: 'account_id' }));
  }
  const last = names.at(-1);
  const theirs = last === undefined ? undefined : foreign[last];
  if (last && theirs !== undefined && names.length > 1) {
    // The other account's own ids do not lead to ours, nor ours to theirs.
    ways.push(
      fc.constant({
        ...base,
        path: fill(path, { ...known, [last]: theirs }),
        status: 404,
        field: last,
      }),
    );
  }
  for (const { name, schema, required } of operation.parameters.filter((one) => one.in === 'query')) {
    const texts422 = unfitText(schema);
    const at = (text: string) => ({
      ...base,
      query: `?${encodeURIComponent(name)}=${encodeURIComponent(text)}`,
      status: 422,
      field: name,
    });
    if (texts422) ways.push(texts422.map(at));
    ways.push(fc.constant(at('a\0b')));
    if (required) ways.push(fc.constant({ ...base, status: 422, field: name }));
  }
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (!schema) return fc.oneof(...ways);
  const bodyAt = (body: unknown, status: number, field: string) => ({ ...base, body, status, field });
  for (const { name, schema: property } of propertiesOf(schema)) {
    const wrong = unfit(property);
    if (wrong) ways.push(wrong.map((value) => bodyAt({ [name]: value }, 422, name)));
    ways.push(fc.constant(bodyAt({ [name]: 'a\0b' }, 422, name)));
  }
  for (const name of requiredOf(schema)) ways.push(fc.constant(bodyAt({}, 422, name)));
  ways.push(malformed.map((text) => bodyAt(text, 400, 'body')));
  ways.push(fc.constantFrom('[]', '1', '"x"', 'true', 'null').map((text) => bodyAt(text, 422, 'body')));
  ways.push(fc.constant(bodyAt(JSON.stringify({ x: 'x'.repeat(bodyBytes) }), 413, 'body')));
  ways.push(fc.constant(bodyAt(`{"x":${'['.repeat(200)}${']'.repeat(200)}}`, 422, 'x')));
  ways.push(
    fc.constantFrom('text/plain', 'application/xml', 'application/x-www-form-urlencoded').map((type) => ({
      ...bodyAt('a=1', 415, 'content-type'),
      headers: { 'content-type': type },
    })),
  );
  return fc.oneof(...ways);
}

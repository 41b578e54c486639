/**
 * The published description: OpenAPI 3.1, made of the very values that are mounted, so it cannot fall behind them.
 * Knows no request; whoever serves or checks it, reads it as data.
 */
import { z } from 'zod';
import { errorBody } from '../answers/parts.js';
import type { Endpoint, Method, Result, Told } from '../endpoint.js';

/** Of the description, and of what it describes. */
export const apiVersion = '1.1.0';

export type JsonSchema = Record<string, unknown>;

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

type Content = Record<string, { schema: JsonSchema }>;

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: [string];
  security: Record<string, never[]>[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

export interface Description {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Partial<Record<Method, Operation>>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, JsonSchema> };
}

const isMap = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Definitions move to the components, and whoever points at them follows. */
function moved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moved);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      if (key === '$defs' || key === '$schema' || item === undefined) return [];
      if (key === '$ref' && typeof item === 'string')
        return [[key, item.replace('#/$defs/', '#/components/schemas/')]];
      return [[key, moved(item)]];
    }),
  );
}

function schemaOf(
  schema: z.ZodType,
  io: 'input' | 'output',
  components: Record<string, JsonSchema>,
): JsonSchema {
  const { $defs, ...whole } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      // Left out by the library where the text that is sent becomes something else.
      if (def.type === 'default') jsonSchema.default = def.defaultValue;
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      delete jsonSchema.propertyNames;
      delete jsonSchema.id;
    },
  });
  for (const [name, definition] of Object.entries($defs ?? {})) {
    const plain = moved(definition);
    if (isMap(plain)) components[name] = plain;
  }
  const plain = moved(whole);
  return isMap(plain) ? plain : {};
}

const pathParameters: Record<string, string> = {
  account_id: 'The account',
  inbox_identifier: 'The name of an inbox of the API kind',
  contact_identifier: 'The source_id of the contact in this inbox, as it was given when the contact was made',
  conversation_id: 'The number of the conversation in its account',
  message_id: 'The message',
  id: 'The id',
  key: 'The key of the file',
  file_name: 'Any name',
};

const isNumber = (name: string) => /(^|_)id$/.test(name);

function pathParameter(name: string): Parameter {
  const schema = isNumber(name) ? { type: 'integer', minimum: 0 } : { type: 'string', minLength: 1 };
  const description = pathParameters[name];
  return { name, in: 'path', required: true, ...(description ? { description } : {}), schema };
}

export const namesOf = (path: string) => [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');

function queryParameters(schema: z.ZodType | undefined, components: Record<string, JsonSchema>): Parameter[] {
  if (!schema) return [];
  const { properties, required } = schemaOf(schema, 'input', components);
  return Object.entries(isMap(properties) ? properties : {}).map(([name, property]) => ({
    name,
    in: 'query',
    required: Array.isArray(required) && required.includes(name),
    schema: isMap(property) ? property : {},
  }));
}

export type Family = 'public' | 'account' | 'service';

const familyOf = (path: string): Family =>
  path.startsWith('/public/') ? 'public' : path.startsWith('/api/') ? 'account' : 'service';

const tagOf: Record<Family, { name: string; description: string }> = {
  public: {
    name: 'Public client API',
    description:
      'On behalf of a contact of an inbox of the API kind. The key in the path is the whole proof.',
  },
  account: {
    name: 'Account API',
    description:
      'For users, with the token of one of them in the header api_access_token, or api-access-token where a proxy leaves out names with an underscore.',
  },
  service: { name: 'Service', description: 'About the service itself.' },
};

const reasons: Record<number, string> = {
  400: 'The body cannot be read',
  401: 'Without a valid token or proof',
  403: 'The role of this user does not allow it',
  404: 'There is nothing of this name',
  408: 'The body did not come in time',
  413: 'The request is too large',
  415: 'The body is of another type',
  416: 'The range is outside of the file',
  422: 'A field or parameter is not valid; the body names it',
  503: 'Not now; Retry-After tells when to come back',
  429: 'Too many requests; Retry-After tells when to come back',
};

/** What follows from the parts of an operation, whatever it does. */
function refusalsOf({ path, schemas, told }: Pick<Endpoint, 'path' | 'schemas' | 'told'>): number[] {
  const family = familyOf(path);
  const all = new Set<number>(told?.refuses ?? []);
  if (path.includes(':')) all.add(404);
  if (family === 'account') all.add(401);
  if (family === 'account' || family === 'public') all.add(429);
  if (schemas.query || schemas.body) all.add(422);
  if (schemas.body) for (const status of [400, 408, 413, 415]) all.add(status);
  return [...all].sort((a, b) => a - b);
}

const asError = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

function success(result: Result, components: Record<string, JsonSchema>): Operation['responses'] {
  if ('empty' in result) return { [result.status ?? 200]: { description: 'Success, with nothing to tell' } };
  if ('bytes' in result)
    return { 200: { description: 'Success', content: { [result.bytes]: { schema: {} } } } };
  const schema = schemaOf(result.json, 'output', components);
  return { 200: { description: 'Success', content: { 'application/json': { schema } } } };
}

/** A form carries texts, and files under `attachments[]`. */
function formOf(body: JsonSchema, takes: true | string): JsonSchema {
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  const files = takes === true ? { 'attachments[]': { type: 'array', items: file } } : { [takes]: file };
  return { ...body, properties: { ...(isMap(body.properties) ? body.properties : {}), ...files } };
}

function operationOf(
  endpoint: Endpoint,
  told: Told,
  method: Method,
  components: Record<string, JsonSchema>,
): Operation {
  const { path, schemas, methods } = endpoint;
  const family = familyOf(path);
  const isFirst = methods[0] === method;
  const body = schemas.body && schemaOf(schemas.body, 'input', components);
  const suffix = isFirst ? '' : `By${method[0]?.toUpperCase()}${method.slice(1)}`;
  return {
    operationId: told.name + suffix,
    summary: told.summary,
    ...(told.about === undefined ? {} : { description: told.about }),
    tags: [tagOf[family].name],
    security: family === 'account' ? [{ api_access_token: [] }] : [],
    parameters: [
      ...namesOf(path).map((name) => pathParameter(name)),
      ...queryParameters(schemas.query, components),
    ],
    ...(body
      ? {
          requestBody: {
            required: Array.isArray(body.required) && body.required.length > 0,
            content: {
              'application/json': { schema: body },
              ...(told.takesFiles
                ? { 'multipart/form-data': { schema: formOf(body, told.takesFiles) } }
                : {}),
            },
          },
        }
      : {}),
    responses: {
      ...success(told.result, components),
      ...Object.fromEntries(
        refusalsOf(endpoint).map((status) => [status, asError(reasons[status] ?? 'Refused')]),
      ),
      default: asError('Anything else that went wrong'),
    },
  };
}

export const templateOf = (path: string) => path.replace(/:(\w+)/g, '{$1}');

export function describeApi(endpoints: readonly Endpoint[], url: string): Description {
  const schemas: Record<string, JsonSchema> = {};
  schemaOf(errorBody, 'output', schemas);
  const paths: Description['paths'] = {};
  for (const endpoint of endpoints) {
    const { told } = endpoint;
    if (!told) continue;
    const path = templateOf(endpoint.path);
    const operations = endpoint.methods.map((method) => [
      method,
      operationOf(endpoint, told, method, schemas),
    ]);
    paths[path] = { ...paths[path], ...Object.fromEntries(operations) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Customer conversation service',
      version: apiVersion,
      description: [
        'Conversations between customers (contacts) and support agents: accounts own inboxes, contacts, conversations and messages.',
        'A refusal carries a description and one entry for each field at fault. An echo_id that its sender repeats is answered with what was stored first.',
      ].join('\n\n'),
    },
    servers: [{ url }],
    tags: Object.values(tagOf),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        api_access_token: { type: 'apiKey', in: 'header', name: 'api_access_token' },
      },
    },
  };
}

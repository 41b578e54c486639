/**
 * A route as a value: method, path template, the schemas of what it takes and gives, beside the function that
 * answers. `app.ts` mounts them; the same values tell 405 from 404, name routes in logs, and describe the API.
 */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { z } from 'zod';
import type { Core } from '../core.js';
import type { RefusalStatus } from '../errors.js';
import type { RateLimit } from '../rate-limit.js';

export interface Variables {
  requestId: string;
  /** The template, such as `/public/api/v1/inboxes/:inbox_identifier`. */
  route: string;
  /** The token is somebody's. */
  isKnown?: boolean;
  /** Asks once more whether they who ask may, where that was asked; throws as it did then. */
  askAgain?: () => Promise<void>;
}

export type Env = { Bindings: HttpBindings; Variables: Variables };
export type HttpContext = Context<Env>;

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** One request as its endpoint sees it. Reading comes late: an unknown address is 404 whatever the body. */
export interface Call<Body, Query> {
  core: Core;
  perContact: RateLimit;
  http: HttpContext;
  param(name: string): string;
  query(): Query;
  body(): Promise<Body>;
}

/** What comes back when all is well: JSON of a shape, nothing at all, or bytes of some type. */
export type Result = { json: z.ZodType } | { status?: 200 | 204; empty: true } | { bytes: string };

/** What the published description tells beyond the schemas. */
export interface Told {
  /** Unique among all operations, such as `listContacts`. */
  name: string;
  summary: string;
  /** Rules a reader cannot see in the schemas. */
  about?: string;
  result: Result;
  /** Refusals beyond those that follow from path, query and body. */
  refuses?: readonly RefusalStatus[];
  /** The body may be a form with files, too: `attachments[]`, or one file of this name. */
  takesFiles?: boolean | string;
}

export interface EndpointSpec<Body, Query> {
  methods: readonly Method[];
  path: string;
  told?: Told;
  body?: z.ZodType<Body>;
  query?: z.ZodType<Query>;
  answer(call: Call<Body, Query>): Promise<Response>;
}

export interface Endpoint {
  methods: readonly Method[];
  path: string;
  told: Told | undefined;
  schemas: { body: z.ZodType | undefined; query: z.ZodType | undefined };
  answer(http: HttpContext, core: Core, perContact: RateLimit): Promise<Response>;
}

/** Makes an endpoint of what is written about it: its query and its body are read when it asks for them, and checked. */
import type { Call, Endpoint, EndpointSpec, HttpContext } from './endpoint.js';
import { check, readJson } from './read.js';

/** One value is text; a name that ends in `[]` is a list. */
function queryOf(http: HttpContext): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(http.req.queries()).map(([name, values]) => [
      name,
      name.endsWith('[]') ? values : (values.at(-1) ?? ''),
    ]),
  );
}

export function endpoint<Body = undefined, Query = undefined>(spec: EndpointSpec<Body, Query>): Endpoint {
  return {
    methods: spec.methods,
    path: spec.path,
    told: spec.told,
    schemas: { body: spec.body, query: spec.query },
    answer(http, core, perContact) {
      const call: Call<Body, Query> = {
        core,
        perContact,
        http,
        param: (name) => http.req.param(name) ?? '',
        query() {
          if (!spec.query) throw new Error(`${spec.path} declares no query`);
          return check(spec.query, queryOf(http), 'query');
        },
        async body() {
          if (!spec.body) throw new Error(`${spec.path} declares no body`);
          return check(spec.body, await readJson(http, core), 'body');
        },
      };
      return spec.answer(call);
    },
  };
}

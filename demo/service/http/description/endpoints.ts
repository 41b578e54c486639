/** `/openapi.json` for programs and `/docs` for people. */
import { z } from 'zod';
import { endpoint } from '../define-endpoint.js';
import type { Endpoint } from '../endpoint.js';
import { type Description, describeApi } from './openapi.js';
import { describePage, pagePolicy } from './page.js';

/** @param all late, for the description describes itself, too */
export function descriptionEndpoints(all: () => readonly Endpoint[]): Endpoint[] {
  let known: { url: string; api: Description } | undefined;
  const described = (url: string) => {
    if (known?.url !== url) known = { url, api: describeApi(all(), url) };
    return known.api;
  };
  return [
    endpoint({
      methods: ['get'],
      path: '/openapi.json',
      told: {
        name: 'describe',
        summary: 'This description, as OpenAPI 3.1',
        result: { json: z.looseObject({ openapi: z.literal('3.1.0') }) },
      },
      async answer({ core, http }) {
        http.header('Access-Control-Allow-Origin', '*');
        return http.json(described(core.publicUrl()));
      },
    }),
    endpoint({
      methods: ['get'],
      path: '/docs',
      told: {
        name: 'readDescription',
        summary: 'This description, as a page',
        result: { bytes: 'text/html' },
      },
      async answer({ core, http }) {
        http.header('Content-Security-Policy', pagePolicy);
        http.header('X-Content-Type-Options', 'nosniff');
        http.header('Referrer-Policy', 'no-referrer');
        return http.html(describePage(described(core.publicUrl())));
      },
    }),
  ];
}

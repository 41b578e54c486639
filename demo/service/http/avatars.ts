/** Hands out pictures of contacts that were given as files. Whoever has the address may have the picture. */
import { Readable } from 'node:stream';
import { notFound } from '../errors.js';
import { first } from '../store/database.js';
import { endpoint } from './define-endpoint.js';

export const avatarEndpoints = [
  endpoint({
    methods: ['get'],
    path: '/avatars/:key',
    told: {
      name: 'readAvatar',
      summary: 'The picture of a contact',
      about: 'Whoever has the address may have the picture.',
      result: { bytes: 'image/*' },
      refuses: [429],
    },
    async answer({ core, http, param }) {
      const key = param('key').replaceAll('\0', '');
      const avatar = await first<{ content_type: string }>(
        core.db,
        'select content_type from avatars where key = $1',
        [key],
      );
      const found = avatar && (await core.uploads.find(key));
      if (!found) throw notFound('key');
      const headers = {
        'Content-Type': avatar.content_type,
        'Content-Length': String(found.size),
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Access-Control-Allow-Origin': '*',
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'private, max-age=31536000, immutable',
      };
      if (http.req.method === 'HEAD') return http.newResponse(null, { headers });
      const body = Readable.toWeb(await found.open()) as ReadableStream<Uint8Array>;
      return http.newResponse(body, { headers });
    },
  }),
];

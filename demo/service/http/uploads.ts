/**
 * Hands out files of messages. Whoever has the address may have the file, as with the reference. Pictures, sound
 * and film known by their first bytes may be shown in place; everything else is a download, and nothing can run.
 */
import { Readable } from 'node:stream';
import { notFound } from '../errors.js';
import { first } from '../store/database.js';
import type { AttachmentRow } from '../store/rows.js';
import { endpoint } from './define-endpoint.js';
import { rangeHeaders, rangeOf } from './range.js';

const disposition = (how: 'inline' | 'attachment', name: string) =>
  `${how}; filename="${name.replace(/[^\w .()-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`;

export const uploadEndpoints = [
  endpoint({
    methods: ['get'],
    path: '/uploads/:key/:file_name',
    told: {
      name: 'readFile',
      summary: 'A file of a message',
      about: 'Whoever has the address may have the file. Parts can be asked for with Range.',
      result: { bytes: 'application/octet-stream' },
      refuses: [416, 429],
    },
    async answer({ core, http, param }) {
      const file = await first<AttachmentRow>(core.db, 'select * from attachments where key = $1', [
        param('key').replaceAll('\0', ''),
      ]);
      if (!file) throw notFound('key');
      const isHead = http.req.method === 'HEAD';
      // Only GET knows parts.
      const range = isHead ? undefined : rangeOf(http.req.header('range'), file.file_size);
      const found = await core.uploads.find(file.key);
      if (!found) throw notFound('key');
      const shown = file.file_type !== 'file';
      const length = range ? range.end - range.start + 1 : file.file_size;
      const headers = new Headers({
        'Content-Type': file.content_type,
        'Content-Length': String(length),
        'Content-Disposition': disposition(shown ? 'inline' : 'attachment', file.file_name),
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Access-Control-Allow-Origin': '*',
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'private, max-age=31536000, immutable',
        ...rangeHeaders(range, file.file_size),
      });
      if (isHead) return http.newResponse(null, { headers });
      const body = Readable.toWeb(await found.open(range)) as ReadableStream<Uint8Array>;
      return http.newResponse(body, { status: range ? 206 : 200, headers });
    },
  }),
];

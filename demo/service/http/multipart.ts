/**
 * Reads `multipart/form-data` as it arrives: fields into memory, bounded; files straight to disk, bounded. On any
 * refusal what was stored is removed again.
 */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import busboy from 'busboy';
import type { Core } from '../core.js';
import { Refusal, tooLarge } from '../errors.js';
import type { StoredFile } from '../uploads.js';
import type { HttpContext } from './endpoint.js';

export interface Form {
  fields: Record<string, string>;
  files: StoredFile[];
}

export const isMultipart = (http: HttpContext) =>
  /^multipart\/form-data\s*;/i.test(http.req.header('content-type') ?? '');

const malformed = (message: string) =>
  new Refusal(400, 'The body is not valid multipart/form-data', [
    { field: 'body', message, code: 'invalid_multipart' },
  ]);

const mostFields = 50;

/** In an error a list has the name that it has in JSON. */
const plain = (name: string) => name.replace(/\[\]$/, '');

/** @param fileNames the fields that may be files; other files are passed over */
export async function readForm(
  http: HttpContext,
  { uploads, limits }: Core,
  fileNames: readonly string[] = ['attachments[]', 'attachments'],
): Promise<Form> {
  const announced = Number(http.req.header('content-length') ?? 0);
  if (announced > limits.fileBytes * limits.files + limits.bodyBytes) {
    throw tooLarge('body', 'The body is too large');
  }
  const fields = new Map<string, string>();
  let fieldBytes = 0;
  const arriving: Promise<StoredFile>[] = [];
  let refusal: Refusal | undefined;
  let broken: Error | undefined;
  const refuse = (reason: Refusal) => {
    refusal ??= reason;
  };

  await new Promise<void>((resolve) => {
    let parser: busboy.Busboy;
    try {
      parser = busboy({
        headers: { 'content-type': http.req.header('content-type') ?? '' },
        defParamCharset: 'utf8',
        limits: {
          // The parser counts what is exactly as long as the limit as cut.
          fileSize: limits.fileBytes + 1,
          files: limits.files,
          fieldSize: limits.bodyBytes + 1,
          fields: mostFields,
        },
      });
    } catch {
      refuse(malformed('The boundary is missing'));
      resolve();
      return;
    }
    const source = Readable.fromWeb(
      (http.req.raw.body ?? new Blob([]).stream()) as ReadableStream<Uint8Array>,
    );
    parser.on('field', (name, value, { valueTruncated }) => {
      fieldBytes += Buffer.byteLength(value);
      if (valueTruncated || fieldBytes > limits.bodyBytes) {
        refuse(tooLarge(name, `is too large (maximum is ${limits.bodyBytes} bytes)`));
      } else fields.set(name, value);
    });
    parser.on('file', (name, stream, { filename }) => {
      if (!fileNames.includes(name) || refusal) {
        // A body that ends early is told by the parser; of its file it is told as well, and somebody must hear it.
        stream.on('error', () => undefined).resume();
        return;
      }
      stream.on('limit', () => {
        refuse(tooLarge(plain(name), `File is too large (maximum is ${limits.fileBytes} bytes)`));
      });
      const file = uploads.receive(filename ?? 'file', stream);
      file.catch((error: unknown) => {
        if (!isSystemError(error)) return refuse(malformed('A file ended early'));
        // Our disk and not their body: nothing more of it is read.
        broken = error;
        source.destroy();
        parser.destroy();
        resolve();
      });
      arriving.push(file);
    });
    parser.on('filesLimit', () =>
      refuse(tooLarge(plain(fileNames[0] ?? 'body'), `Too many files (maximum is ${limits.files})`)),
    );
    parser.on('fieldsLimit', () => refuse(tooLarge('body', `Too many fields (maximum is ${mostFields})`)));
    parser.on('error', () => {
      refuse(malformed('A part is malformed or ends early'));
      source.destroy();
      resolve();
    });
    source.on('error', () => {
      refuse(malformed('The connection ended early'));
      parser.destroy();
      resolve();
    });
    parser.on('close', () => resolve());
    source.pipe(parser);
  });

  const settled = await Promise.allSettled(arriving);
  const files = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (broken || refusal) {
    await uploads.discard(files.map((file) => file.key));
    throw broken ?? refusal;
  }
  return { fields: Object.fromEntries(fields), files };
}

const isSystemError = (error: unknown): error is Error => error instanceof Error && 'syscall' in error;

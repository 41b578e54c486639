/**
 * Reads `multipart/form-data` as it arrives: fields into memory, bounded as JSON is; files straight to disk, bounded,
 * however long they take. On any refusal what was stored is removed again, and what is still on its way is passed
 * over, for a while.
 */
import { finished, type Readable } from 'node:stream';
import busboy from 'busboy';
import type { Core } from '../core.js';
import { Refusal, tooLarge, unprocessable } from '../errors.js';
import type { Limits } from '../limits.js';
import type { StoredFile } from '../uploads.js';
import type { HttpContext } from './endpoint.js';
import { joinedPieces } from './joined-pieces.js';
import { countBrought } from './json-bytes.js';

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

const bodyTooLarge = () => tooLarge('body', 'The body is too large');

const mostFields = 50;

function parserFor(http: HttpContext, limits: Limits): busboy.Busboy {
  try {
    return busboy({
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
    throw malformed('The boundary is missing');
  }
}

/** Where files may be. */
export interface FileField {
  /** As we tell it. */
  name: string;
  /** As whoever sends may spell it. */
  fits: RegExp;
}

/** Some clients count what is in a list. */
export const attachmentField: FileField = { name: 'attachments[]', fits: /^attachments(\[\d*\])?$/ };

/** In an error a list has the name that it has in JSON. */
const plain = (name: string) => name.replace(/\[\d*\]$/, '');

/** @param fileField where the files are that are asked for; one anywhere else is refused */
export async function readForm(
  http: HttpContext,
  { uploads, limits, coming }: Core,
  fileField: FileField,
): Promise<Form> {
  const largest = limits.fileBytes * limits.files + limits.bodyBytes;
  if (Number(http.req.header('content-length') ?? 0) > largest) throw bodyTooLarge();
  const parser = parserFor(http, limits);
  const { incoming } = http.env;
  // The parser keeps every piece of a field as it comes, and one of a byte takes a hundred.
  const pieces = joinedPieces();
  const brought = countBrought(limits, coming);
  const fields = new Map<string, string>();
  let size = 0;
  let fieldBytes = 0;
  /** Since the last field or file, outside of files: what the parser may keep of a field that is not there yet. */
  let openBytes = 0;
  let openFiles = 0;
  let openedAt = 0;
  const arriving: { file: Promise<StoredFile>; named: boolean }[] = [];
  let refusal: Refusal | undefined;
  let broken: Error | undefined;

  await new Promise<void>((resolve) => {
    let left = false;
    let over: NodeJS.Timeout | undefined;
    const leave = () => {
      left = true;
      clearTimeout(over);
      incoming.off('data', count).unpipe(pieces);
      pieces.destroy();
      parser.destroy();
      brought.leave();
      resolve();
    };
    // Who is cut while sending may lose the answer; so the rest is let in, unless it has no end.
    const refuse = (reason: Refusal) => {
      refusal ??= reason;
      if (!left) over ??= setTimeout(leave, limits.refusedBodyMs);
    };
    const count = (chunk: Uint8Array) => {
      size += chunk.length;
      if (openFiles === 0) openBytes += chunk.length;
      // What is more is passed over, and not kept.
      const mine = Math.min(fieldBytes, limits.bodyBytes) + Math.min(openBytes, limits.bodyBytes);
      const full = brought.keep(mine);
      const reason =
        size > largest ? bodyTooLarge() : (full ?? (openFiles === 0 ? brought.late() : undefined));
      if (!reason) return;
      refuse(reason);
      leave();
    };
    const openFile = (stream: Readable) => {
      openBytes = 0;
      if (openFiles === 0) openedAt = performance.now();
      openFiles += 1;
      stream.once('close', () => {
        openFiles -= 1;
        if (openFiles === 0) brought.wait(performance.now() - openedAt);
      });
    };
    parser.on('field', (name, value, { valueTruncated }) => {
      openBytes = 0;
      fieldBytes += Buffer.byteLength(value);
      if (valueTruncated || fieldBytes > limits.bodyBytes) {
        refuse(tooLarge(name, `is too large (maximum is ${limits.bodyBytes} bytes)`));
      } else fields.set(name, value);
    });
    parser.on('file', (given: string | undefined, stream, { filename }) => {
      openFile(stream);
      const name = given ?? 'body';
      const isExpected = fileField.fits.test(name);
      const refuseUnexpected = () =>
        refuse(unprocessable(name, `takes no file: send it as ${fileField.name}`, 'invalid_type'));
      if (!isExpected && filename) refuseUnexpected();
      if (!isExpected || refusal) {
        // Without a name it may be a field that nobody has filled.
        if (!isExpected) stream.once('data', refuseUnexpected);
        // A body that ends early is told by the parser; of its file it is told as well, and somebody must hear it.
        stream.on('error', () => undefined).resume();
        return;
      }
      stream.on('limit', () => {
        refuse(tooLarge(plain(name), `File is too large (maximum is ${limits.fileBytes} bytes)`));
      });
      const file = uploads.receive(filename || 'file', stream);
      file.catch((error: unknown) => {
        if (!isSystemError(error)) return refuse(malformed('A file ended early'));
        // Our disk and not their body: nothing more of it is read.
        broken = error;
        leave();
      });
      arriving.push({ file, named: Boolean(filename) });
    });
    parser.on('filesLimit', () =>
      refuse(tooLarge(plain(fileField.name), `Too many files (maximum is ${limits.files})`)),
    );
    parser.on('fieldsLimit', () => refuse(tooLarge('body', `Too many fields (maximum is ${mostFields})`)));
    parser.on('error', () => {
      refuse(malformed('A part is malformed or ends early'));
      // It does not end by itself, whatever comes after that.
      parser.destroy();
      if (!left) incoming.unpipe(pieces).resume();
    });
    parser.on('close', () => {
      if (!refusal || incoming.readableEnded) leave();
    });
    finished(incoming, { writable: false }, (error) => {
      if (error) refuse(malformed('The connection ended early'));
      if (error || parser.closed) leave();
    });
    incoming.on('data', count).pipe(pieces).pipe(parser);
  });

  const files: StoredFile[] = [];
  const unwanted: string[] = [];
  await Promise.allSettled(arriving.map(({ file }) => file));
  for (const { file, named } of arriving) {
    const stored = await file.catch(() => undefined);
    if (!stored) continue;
    // For a field that nobody has filled browsers send a part without a name and without content.
    if (broken || refusal || !(named || stored.size)) unwanted.push(stored.key);
    else files.push(stored);
  }
  await uploads.discard(unwanted);
  if (broken || refusal) throw broken ?? refusal;
  return { fields: Object.fromEntries(fields), files };
}

const isSystemError = (error: unknown): error is Error => error instanceof Error && 'syscall' in error;

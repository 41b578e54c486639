/** A message to come, as JSON or as a form with files. Whoever stores it tells whether it is new; else the files go. */
import type { z } from 'zod';
import type { Core } from '../core.js';
import { Refusal, unprocessable } from '../errors.js';
import { isUnstored } from '../store/database.js';
import type { StoredFile } from '../uploads.js';
import type { HttpContext } from './endpoint.js';
import { attachmentField, isMultipart, readForm } from './multipart.js';
import { check, readJson, stillMay } from './read.js';

/** Empty in every way that a client may write it. */
const isNothing = (value: unknown) =>
  !value || (typeof value === 'object' && Object.values(value).every((one) => !one));

/** Whoever sends the address of a file, or its content as text, would else never learn that it did not arrive. */
function withoutWords<Given>(given: Given, message = 'must be a file'): Given {
  if (typeof given !== 'object' || given === null) return given;
  for (const [name, value] of Object.entries(given))
    if (attachmentField.fits.test(name) && !isNothing(value))
      throw unprocessable('attachments', message, 'invalid_type');
  return given;
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unprocessable(name, 'is not valid JSON', 'invalid_value');
  }
}

/**
 * Hands the fields and files to `store`, whose `isNew` tells whether the files are in use from now on.
 * @param jsonFields form fields that hold JSON as text
 */
export async function withMessageBody<Body, Result extends { isNew: boolean }>(
  http: HttpContext,
  core: Core,
  schema: z.ZodType<Body>,
  jsonFields: readonly string[],
  store: (body: Body, files: readonly StoredFile[]) => Promise<Result>,
): Promise<Result> {
  if (!isMultipart(http)) {
    const given = withoutWords(await readJson(http, core), 'must be a file, sent as multipart/form-data');
    return store(check(schema, given, 'body'), []);
  }
  const began = performance.now();
  const { fields, files } = await readForm(http, core, attachmentField);
  const keys = files.map((file) => file.key);
  try {
    await stillMay(http, began);
    const values = Object.fromEntries(
      Object.entries(withoutWords(fields)).map(([key, text]) => [
        key,
        jsonFields.includes(key) ? parsed(key, text) : text,
      ]),
    );
    const body = check(schema, values, 'body');
    // Before the commit: a stored message must never name a file that is not there.
    await core.uploads.keep(files);
    const result = await store(body, files);
    if (!result.isNew) await core.uploads.discard(keys);
    return result;
  } catch (error) {
    // After any other error the commit may have happened: a file too many is better than one too few. After a commit
    // `store` asks for nothing more.
    if (error instanceof Refusal || isUnstored(error)) await core.uploads.discard(keys);
    throw error;
  }
}

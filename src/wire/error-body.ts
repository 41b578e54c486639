/**
 * The specified error body and the four shapes that the reference deployment really sends, read as one list.
 * @see `Error` in the service's /openapi.json
 */
import * as z from 'zod/mini';
import type { FieldError } from '../errors.js';

const text = z.catch(z.string(), '');

const errorBodySchema = z.object({
  description: text,
  errors: z.catch(z.array(z.object({ field: text, message: text, code: text })), []),
  message: text,
  attributes: z.catch(z.array(z.string()), []),
  error: text,
});

/** @param body parsed JSON of any shape. @returns at least one entry when the body says anything at all. */
export function readErrorBody(body: unknown): FieldError[] {
  const read = errorBodySchema.safeParse(body);
  if (!read.success) return [];
  const { errors, attributes, description, message, error } = read.data;
  if (errors.length) return errors;
  const said = message || error || description;
  if (!said) return [];
  return (attributes.length ? attributes : ['base']).map((field) => ({ field, message: said, code: '' }));
}

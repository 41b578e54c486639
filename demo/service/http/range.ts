/** The part of a file that a request asks for, as players of sound and film do. Knows nothing of files. */
import { Refusal } from '../errors.js';
import type { Range } from '../uploads.js';

/**
 * One range; anything else, such as one that ends before it begins, is answered whole.
 * @throws `Refusal` 416 where nothing of it is in the file
 */
export function rangeOf(header: string | undefined, size: number): Range | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from !== '' && to !== '' && Number(from) > Number(to)) return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (start <= end) return { start, end };
  const message = 'The range is outside of the file';
  throw new Refusal(416, message, [{ field: 'range', message, code: 'invalid_value' }], {
    'Content-Range': `bytes */${size}`,
  });
}

/** @returns the headers that say which part of it an answer is */
export const rangeHeaders = (range: Range | undefined, size: number): Record<string, string> => ({
  'Accept-Ranges': 'bytes',
  ...(range && { 'Content-Range': `bytes ${range.start}-${range.end}/${size}` }),
});

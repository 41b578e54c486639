/**
 * JSON as we mean it. Pages of a certain age give `toJSON` to arrays, strings and even all objects, and the
 * engine's own JSON obeys it; a value without prototypes has nothing to obey.
 */
export const toJson = (value: unknown): string => JSON.stringify(bare(value));

function bare(value: unknown): unknown {
  if (Array.isArray(value)) return Object.setPrototypeOf(value.map(bare), null);
  if (!value || typeof value !== 'object') return value;
  const copy = Object.create(null);
  for (const [key, inner] of Object.entries(value)) copy[key] = bare(inner);
  return copy;
}

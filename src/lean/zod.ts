/**
 * As much of `zod/mini` as our schemas use, which is what visitors get in its place: whoever asks here whether a value
 * fits wants yes and the value, or no, at once and in no words. That it reads everything as zod does is proved in
 * test/built/schemas.test.ts; types come from zod itself. It does not know the schemas.
 */

type Read = (value: unknown) => unknown;

/** What does not fit. */
const NO = {};

const schema = (read: Read) => ({
  read,
  safeParse(value: unknown) {
    const data = read(value);
    return data === NO ? { success: false } : { success: true, data };
  },
});
type Schema = ReturnType<typeof schema>;

export const custom = (fits: (value: unknown) => unknown) => schema((value) => (fits(value) ? value : NO));
const typed = (type: string) => () => custom((value) => typeof value === type);

export const string = typed('string');
export const boolean = typed('boolean');
export const number = () => custom(Number.isFinite);
export const unknown = () => custom(() => true);
export const literal = (values: unknown) => {
  const all = [values].flat();
  return custom((value) => all.includes(value));
};

export const optional = ({ read }: Schema) => schema((value) => (value === undefined ? value : read(value)));
export const nullish = ({ read }: Schema) => schema((value) => (value == null ? value : read(value)));
const caught = ({ read }: Schema, instead: unknown) =>
  schema((value) => {
    const data = read(value);
    return data === NO ? instead : data;
  });

export { caught as catch };

export const array = ({ read }: Schema) =>
  schema((value) => {
    if (!Array.isArray(value)) return NO;
    // Not by `Array.from`: in old pages that is Prototype's, which makes nothing of what it takes.
    const data: unknown[] = [];
    for (const one of value) {
      const item = read(one);
      if (item === NO) return NO;
      data.push(item);
    }
    return data;
  });

/** What has no prototype takes nothing from what a page adds to that of all objects. */
export const object = (shape: Record<string, Schema>) =>
  schema((value) => {
    if (typeof value !== 'object' || !value || Array.isArray(value)) return NO;
    const given = new Map(Object.entries(value));
    const data = Object.create(null);
    for (const [name, { read }] of Object.entries(shape)) {
      const field = read(given.get(name));
      if (field === NO) return NO;
      if (given.has(name) || field !== undefined) data[name] = field;
    }
    return data;
  });

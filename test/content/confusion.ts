/** A value with each of its fields, at any depth, replaced by values of other kinds. */

const vnode = {
  type: 'img',
  props: {
    src: 'x',
    onerror: 'alert(1)',
    onError: 'alert(1)',
    dangerouslySetInnerHTML: { __html: '<img src=//probe.invalid/x onerror=alert(1)>' },
  },
  key: null,
  ref: null,
  __v: 1,
  __k: null,
  constructor: null,
};

/** A few of them, where each costs a page. */
export const few: unknown[] = [vnode, [vnode], 1e308, null];

const odd: unknown[] = [
  { a: 1 },
  vnode,
  [vnode],
  ['a', ['b', null]],
  [],
  0,
  -1,
  1e308,
  null,
  true,
  '',
  '<img src=//probe.invalid/x onerror=alert(1)>',
  JSON.parse('{"__proto__": {"dangerouslySetInnerHTML": {"__html": "<img src=x onerror=alert(1)>"}}}'),
  { constructor: { prototype: { src: 'x' } }, toString: 'x', valueOf: 'x', length: 3 },
];

/** A value of which every field is one of these once. */
export function* confusions(whole: unknown, values: readonly unknown[] = odd): Generator<unknown> {
  yield* values;
  if (typeof whole !== 'object' || whole === null) return;
  for (const [key, inner] of Object.entries(whole)) {
    for (const value of confusions(inner, values)) {
      if (Array.isArray(whole)) yield whole.map((other, i) => (String(i) === key ? value : other));
      else yield { ...whole, [key]: value };
    }
  }
}

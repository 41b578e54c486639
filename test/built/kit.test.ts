// @vitest-environment happy-dom
/** Visitors get a fraction of Preact: whatever is drawn with it must be what all of Preact draws. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import * as preact from 'preact';
import * as hooks from 'preact/hooks';
import { beforeAll, expect, test } from 'vitest';

type Kit = typeof import('../../src/ui/kit.js');
type Library = Pick<
  Kit,
  'createContext' | 'Fragment' | 'render' | 'useContext' | 'useLayoutEffect' | 'useRef' | 'useState'
> & {
  h: (type: unknown, props: object) => preact.VNode;
};

const assets = join(import.meta.dirname, '../../dist/cdn/assets');
let lean: Library;

beforeAll(async () => {
  const files = readdirSync(assets).filter((file) => file.startsWith('kit-'));
  if (files.length !== 1) throw new Error('There is not one kit: run "npm run build" first.');
  lean = (await import(/* @vite-ignore */ pathToFileURL(join(assets, files[0] ?? '')).href)) as Library;
});

/** A tree to draw: words, nothing, an element, a list without an element, or a component with a memory. */
type Tree =
  | string
  | number
  | boolean
  | null
  | {
      kind: 'p' | 'ul' | 'svg' | 'input' | 'list' | 'part';
      key: number | undefined;
      look: number;
      inside: Tree[];
    };

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Tree>('words', '', 7, null, true, false),
    fc.record({
      kind: fc.constantFrom('p', 'ul', 'svg', 'input', 'list', 'part'),
      key: fc.option(fc.nat({ max: 5 }), { nil: undefined }),
      look: fc.nat({ max: 7 }),
      inside: fc.array(tie('tree'), { maxLength: 5 }),
    }),
  ),
}));

/** @param log what happened, in order */
function drawer({ createContext, h, Fragment, ...library }: Library, log: string[]) {
  const Depth = createContext(0);
  const setters: ((count: number) => void)[] = [];
  function Part({ look, children }: { look: number; children: preact.ComponentChildren }) {
    const [count, setCount] = library.useState(0);
    const depth = library.useContext(Depth);
    const element = library.useRef<HTMLElement>(null);
    setters.push(setCount);
    library.useLayoutEffect(() => {
      log.push(`laid out ${look} ${element.current?.tagName}`);
      return () => void log.push(`put away ${look}`);
    }, [look]);
    const inner = h(Depth, { value: depth + look, children });
    return h('section', { ref: element, 'data-count': count, title: `${depth}`, children: inner });
  }
  const build = (drawn: Tree): preact.ComponentChild => {
    if (typeof drawn !== 'object' || drawn === null) return drawn;
    const { kind, key, look, inside } = drawn;
    const seen = new Set<unknown>();
    const children = inside.map((one) => {
      // Two of one key are nobody's promise.
      const known = typeof one === 'object' && one !== null ? one.key : undefined;
      if (known !== undefined && seen.has(known)) return null;
      seen.add(known);
      return build(one);
    });
    if (kind === 'part') return h(Part, { key, look, children });
    if (kind === 'list') return h(Fragment, { key, children });
    if (kind === 'input')
      return h('input', { key, value: `${look}`, checked: look > 3, disabled: look % 2 === 1 });
    const props = {
      class: look % 2 ? 'odd' : undefined,
      'aria-hidden': look > 3,
      hidden: look === 2,
      style: look > 4 ? { '--look': look, color: 'red' } : look === 4 ? { color: 'blue' } : undefined,
      onClick: look > 2 ? () => void log.push(`clicked ${look}`) : undefined,
    };
    return h(kind, { ...props, key, children });
  };
  const host = document.createElement('div');
  return {
    host,
    setters,
    draw(drawn: Tree) {
      setters.length = 0;
      library.render(build(drawn), host);
    },
    end: () => library.render(null, host),
  };
}

const settled = () => new Promise<void>((resolve) => setTimeout(resolve));

test('whatever is drawn, changed, pressed and taken away is what all of Preact makes of it', async () => {
  const whole = { ...preact, ...hooks } as Library;
  const states = fc.array(fc.tuple(tree, fc.nat({ max: 9 })), { minLength: 2, maxLength: 5 });
  let elements = 0;
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(fc.option(tree), states, async (before, all) => {
      const logs: [string[], string[]] = [[], []];
      const drawers = [drawer(whole, logs[0]), drawer(lean, logs[1])] as const;
      const alike = () => {
        expect(drawers[1].host.innerHTML).toBe(drawers[0].host.innerHTML);
        expect(logs[1]).toEqual(logs[0]);
      };
      // What stands there already, and is nobody's, is taken over as far as it fits.
      const standing = drawer(whole, []);
      standing.draw(before);
      // Nothing has a style there: a policy forbids it.
      for (const element of standing.host.querySelectorAll('[style]')) element.removeAttribute('style');
      for (const { host } of drawers) host.innerHTML = standing.host.innerHTML;
      const stood = new Set(drawers[1].host.querySelectorAll('*'));
      for (const [drawn, count] of all) {
        for (const { draw } of drawers) draw(drawn);
        alike();
        for (const element of drawers[1].host.querySelectorAll('*')) kept += stood.has(element) ? 1 : 0;
        for (const { setters } of drawers) for (const [i, set] of setters.entries()) set(i % 2 ? count : 0);
        await settled();
        for (const { host } of drawers)
          for (const element of host.querySelectorAll('*'))
            element.dispatchEvent(new MouseEvent('click', { bubbles: true }));
        elements += drawers[0].host.querySelectorAll('*').length;
        alike();
      }
      for (const { end } of drawers) end();
      alike();
    }),
    { numRuns: 200, seed: 7 },
  );
  expect(elements).toBeGreaterThan(500);
  expect(kept).toBeGreaterThan(50);
});

/**
 * What we have cost the page, from the browser's own records: our files and requests by their addresses, tasks by the
 * scripts that ran in them, layout shifts by what moved. Nothing is observed but while somebody asks.
 */

import type { Stage } from '../embed/stage.js';
import type { Perf } from '../parley.js';

/** The browser hands what it has recorded over within a task; where it never does, this is long enough. */
const LIMIT_MS = 500;

function recorded(type: string): Promise<PerformanceEntry[] | undefined> {
  const { supportedEntryTypes = [] } = window.PerformanceObserver ?? {};
  if (!supportedEntryTypes.includes(type)) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const end = (entries: PerformanceEntry[]) => {
      clearTimeout(late);
      observer.disconnect();
      resolve(entries);
    };
    const observer = new PerformanceObserver((list) => end(list.getEntries()));
    const late = setTimeout(() => end([]), LIMIT_MS);
    observer.observe({ type, buffered: true });
  });
}

const isOur = (name: unknown, ours: readonly string[]) =>
  typeof name === 'string' && ours.some((address) => name.startsWith(address));

const list = (entry: object, name: 'scripts' | 'sources'): object[] => {
  const found: unknown = Reflect.get(entry, name);
  return Array.isArray(found) ? found.filter((one) => typeof one === 'object' && one !== null) : [];
};

/** The file that this is in; the one file of everything does not know it. */
const here: string | undefined = import.meta.url;

/**
 * @param alone the one file of everything, on its own tag
 * @returns how the addresses of our files begin: in an owner's bundle nobody can tell theirs and ours apart
 */
function filesOf(base: string, alone: boolean): readonly string[] {
  const { href } = new URL('assets/', base);
  const own = here?.startsWith(href) ?? alone;
  return own ? [base, href] : [];
}

export async function measure({ base, options, launcher: { host } }: Stage): Promise<Perf> {
  const files = filesOf(base, options.tag instanceof HTMLScriptElement);
  const { baseUrl } = options;
  const service = [`${baseUrl}/public/api/v1/inboxes/`, `${baseUrl.replace(/^http/, 'ws')}/cable`];
  const [frames, shifts] = await Promise.all([recorded('long-animation-frame'), recorded('layout-shift')]);
  const fetched = performance
    .getEntriesByType('resource')
    .filter((entry) => entry instanceof PerformanceResourceTiming);
  const own = fetched.filter(({ name }) => isOur(name, files));
  const sizes = own.map(({ encodedBodySize }) => encodedBodySize);
  return {
    ok: true,
    // Without the host's leave the browser says nothing, and a sum of some would say less than it seems to.
    bytes:
      sizes.length && sizes.every((size) => size > 0)
        ? sizes.reduce((sum, size) => sum + size, 0)
        : undefined,
    requests: own.length + fetched.filter(({ name }) => isOur(name, service)).length,
    longTasks: (files.length ? frames : undefined)
      ?.map((frame) =>
        list(frame, 'scripts')
          .filter((script) => isOur(Reflect.get(script, 'sourceURL'), files))
          .reduce((sum, script) => sum + Number(Reflect.get(script, 'duration')), 0),
      )
      .filter((ms) => ms > 50)
      .map(Math.round),
    layoutShift: shifts?.reduce((sum, shift) => {
      const moved = list(shift, 'sources').some((source) => {
        const node: unknown = Reflect.get(source, 'node');
        return node instanceof Node && (host.contains(node) || host === node.getRootNode());
      });
      return moved ? sum + Number(Reflect.get(shift, 'value')) : sum;
    }, 0),
  };
}

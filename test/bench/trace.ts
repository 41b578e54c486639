/** Reads out of a trace of Chromium what the main thread of a page spent on scripts. Knows no browser. */
import { z } from 'zod';

const traceSchema = z.object({
  traceEvents: z.array(
    z.looseObject({
      name: z.string(),
      ph: z.string(),
      pid: z.number(),
      tid: z.number(),
      ts: z.number().default(0),
      dur: z.number().default(0),
      args: z.looseObject({}).default({}),
    }),
  ),
});
type TraceEvent = z.infer<typeof traceSchema>['traceEvents'][number];

const scripts = new Set([
  'EvaluateScript',
  'FunctionCall',
  'RunMicrotasks',
  'v8.compile',
  'v8.compileModule',
  'v8.evaluateModule',
]);

/** They do not say whose they are; pages of the bench have no modules and no promises but the candidate's. */
const unnamed = new Set(['RunMicrotasks', 'v8.evaluateModule']);

const where = z.looseObject({
  data: z.looseObject({ url: z.string().optional(), documentLoaderURL: z.string().optional() }).optional(),
  fileName: z.string().optional(),
});

function addressOf({ args }: TraceEvent): string | undefined {
  const { data, fileName } = where.safeParse(args).data ?? {};
  return data?.url || fileName;
}

export interface Spent {
  /** In scripts of these addresses, with what they left for later in the same turn. */
  scriptMs: number;
  /** In all tasks. */
  mainMs: number;
}

/** Of intervals that may lie in one another, the length of their union. */
function covered(intervals: readonly (readonly [from: number, to: number])[]): number {
  let sum = 0;
  let end = -Infinity;
  for (const [from, to] of [...intervals].sort(([a], [b]) => a - b)) {
    if (to <= end) continue;
    sum += to - Math.max(from, end);
    end = to;
  }
  return sum;
}

/**
 * @param trace as the browser wrote it
 * @param page the address of the page
 * @param isTheirs whether a script of this address is the candidate's
 */
export function spentIn(trace: Buffer, page: string, isTheirs: (address: string) => boolean): Spent {
  const { traceEvents } = traceSchema.parse(JSON.parse(trace.toString()));
  const complete = traceEvents.filter(({ ph }) => ph === 'X');
  const load = complete.find(
    (event) => event.name === 'ParseHTML' && JSON.stringify(event.args).includes(page),
  );
  if (!load) return { scriptMs: Number.NaN, mainMs: Number.NaN };
  const mine = complete.filter(({ pid, tid, ts }) => pid === load.pid && tid === load.tid && ts >= load.ts);
  const span = ({ ts, dur }: TraceEvent) => [ts, ts + dur] as const;
  const theirs = mine.filter((event) => {
    if (!scripts.has(event.name)) return false;
    const address = addressOf(event);
    return unnamed.has(event.name) || (address !== undefined && isTheirs(address));
  });
  const tasks = mine.filter(({ name }) => name === 'RunTask');
  return { scriptMs: covered(theirs.map(span)) / 1000, mainMs: covered(tasks.map(span)) / 1000 };
}

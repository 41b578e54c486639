/** How long the scripts and layouts of a page keep its main thread, whatever else the machine does meanwhile. */
import type { Browser, Page } from 'playwright-core';
import * as z from 'zod';

const traceSchema = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      pid: z.number(),
      tid: z.number(),
      /** Microseconds of the processor, not of the clock. */
      tdur: z.number().optional(),
      args: z.object({ name: z.string().optional() }).loose().optional(),
    }),
  ),
});

/** @returns milliseconds of the processor that the longest task took while `work` went on */
export async function longestTask(
  browser: Browser,
  page: Page,
  work: () => Promise<unknown>,
): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await work();
  const trace: unknown = JSON.parse((await browser.stopTracing()).toString());
  const { traceEvents } = traceSchema.parse(trace);
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}:${tid}`),
  );
  const tasks = traceEvents
    .filter(({ pid, tid }) => mains.has(`${pid}:${tid}`))
    .map(({ tdur = 0 }) => tdur / 1000);
  return tasks.reduce((longest, ms) => Math.max(longest, ms), 0);
}

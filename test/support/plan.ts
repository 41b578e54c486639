/** How many rows a database reads for an answer. */
import { z } from 'zod';
import type { TestService } from './service.js';

const planSchema = z.object({
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  'Rows Removed by Filter': z.number().default(0),
  get Plans() {
    return z.array(planSchema).default([]);
  },
});
const rowsIn = (plan: z.infer<typeof planSchema>): number =>
  (plan['Actual Rows'] + plan['Rows Removed by Filter']) * plan['Actual Loops'] +
  plan.Plans.reduce((sum, inner) => sum + rowsIn(inner), 0);

export async function rowsRead(
  { db }: TestService,
  sql: string,
  params: readonly unknown[],
): Promise<number> {
  const [told] = await db.query<{ 'QUERY PLAN': unknown }>(`explain (analyze, format json) ${sql}`, params);
  const [{ Plan: plan }] = z.tuple([z.object({ Plan: planSchema })]).parse(told?.['QUERY PLAN']);
  return rowsIn(plan);
}

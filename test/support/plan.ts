/** How many rows a database reads for an answer. */
import { z } from 'zod';
import type { Queries } from '../../demo/service/store/database.js';
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

async function told(db: Queries, statement: string, params: readonly unknown[]): Promise<number> {
  const [row] = await db.query<{ 'QUERY PLAN': unknown }>(
    `explain (analyze, format json) ${statement}`,
    params,
  );
  const [{ Plan: plan }] = z.tuple([z.object({ Plan: planSchema })]).parse(row?.['QUERY PLAN']);
  return rowsIn(plan);
}

export const rowsRead = ({ db }: TestService, sql: string, params: readonly unknown[]): Promise<number> =>
  told(db, sql, params);

/** With the plan that serves whatever is asked: PostgreSQL keeps it for a statement that is asked often. */
export const rowsReadWhenKept = (
  { db }: TestService,
  sql: string,
  params: readonly number[],
): Promise<number> =>
  db.transaction(async (tx) => {
    await tx.query('set local plan_cache_mode = force_generic_plan');
    await tx.query(`prepare kept as ${sql}`);
    const rows = await told(tx, `execute kept (${params.join()})`, []);
    await tx.query('deallocate kept');
    return rows;
  });

/** A label is a word: whatever bears it or asks for it says the new one, once an account calls it otherwise. */
import type { Queries } from '../store/database.js';
import type { Action, Condition, RuleRow } from './rules/rule.js';

interface Rename {
  from: string;
  to: string;
}

/** Rules compare words whatever the size of their letters. */
const renamedIn = ({ attribute_key: key, values, ...rest }: Condition, { from, to }: Rename): Condition => ({
  attribute_key: key,
  ...rest,
  values:
    key === 'labels' ? values.map((value) => (String(value).toLowerCase() === from ? to : value)) : values,
});

const renamedBy = (action: Action, { from, to }: Rename): Action =>
  action.action_name === 'add_label'
    ? { ...action, action_params: action.action_params.map((word) => (word === from ? to : word)) }
    : action;

async function renameInRules(tx: Queries, accountId: number, rename: Rename): Promise<void> {
  const rules = await tx.query<RuleRow>(
    'select * from automation_rules where account_id = $1 order by id for update',
    [accountId],
  );
  for (const { id, conditions, actions } of rules) {
    const after = [
      JSON.stringify(conditions.map((condition) => renamedIn(condition, rename))),
      JSON.stringify(actions.map((action) => renamedBy(action, rename))),
    ];
    if (after[0] === JSON.stringify(conditions) && after[1] === JSON.stringify(actions)) continue;
    const sql = 'update automation_rules set conditions = $2::jsonb, actions = $3::jsonb where id = $1';
    await tx.query(sql, [id, ...after]);
  }
}

/** Told to nobody and no rule: every conversation is about what it was about. */
export async function renameLabel(tx: Queries, accountId: number, rename: Rename): Promise<void> {
  await renameInRules(tx, accountId, rename);
  const { from, to } = rename;
  const held = await tx.query<{ id: number }>(
    'select id from conversations where account_id = $1 and labels ? $2 order by id for update',
    [accountId, from],
  );
  await tx.query(
    `update conversations set updated_at = now(), labels = case when labels ? $3 then labels - $2::text else
       (select jsonb_agg(case when word = $2 then $3 else word end order by n)
        from jsonb_array_elements_text(labels) with ordinality as worn (word, n)) end
     where id = any($1::bigint[])`,
    [held.map(({ id }) => id), from, to],
  );
}

/** Rules of an account, for administrators alone. */
import { z } from 'zod';
import { type Condition, type RuleRow, standardKeys } from '../../domain/rules/rule.js';
import { seconds } from '../../domain/shapes-shared.js';
import { Refusal } from '../../errors.js';
import { first, one, type Queries } from '../../store/database.js';
import { automationRule } from '../answers/automation.js';
import { endpoint } from '../define-endpoint.js';
import { pageText } from '../fields.js';
import { ruleFields } from './rule-fields.js';
import { accountPath, administratorOf, rowOf, still } from './scope.js';

const rulesPath = `${accountPath}/automation_rules`;
const rulePath = `${rulesPath}/:automation_rule_id`;

const shape = (rule: RuleRow) => ({
  id: rule.id,
  account_id: rule.account_id,
  name: rule.name,
  description: rule.description,
  event_name: rule.event_name,
  conditions: rule.conditions,
  actions: rule.actions,
  created_on: seconds(rule.created_at),
  active: rule.active,
});

/**
 * @param kept what the rule asks for already: a definition may be gone since
 * @throws Refusal 422 for a key that is neither known nor a custom attribute of the account
 */
async function knownKeys(
  db: Queries,
  accountId: number,
  conditions: readonly Condition[] | undefined,
  kept: readonly Condition[] = [],
): Promise<void> {
  const standard = new Set<string>([...standardKeys, ...kept.map((condition) => condition.attribute_key)]);
  const rows = await db.query<{ attribute_key: string }>(
    'select attribute_key from custom_attribute_definitions where account_id = $1',
    [accountId],
  );
  for (const { attribute_key: key } of rows) standard.add(key);
  const errors = (conditions ?? []).flatMap(({ attribute_key: key }, index) =>
    standard.has(key)
      ? []
      : [
          {
            field: `conditions.${index}.attribute_key`,
            message: 'is no attribute that a rule can ask for',
            code: 'invalid_value',
          },
        ],
  );
  if (errors.length) throw new Refusal(422, 'The request is not valid', errors);
}

const partial = z.object({
  name: ruleFields.name.optional(),
  description: ruleFields.description.unwrap().optional(),
  event_name: ruleFields.event_name.optional(),
  conditions: ruleFields.conditions.optional(),
  actions: ruleFields.actions.optional(),
  active: ruleFields.active.unwrap().optional(),
});

export const automationRuleEndpoints = [
  endpoint({
    methods: ['get'],
    path: rulesPath,
    told: {
      name: 'listAutomationRules',
      summary: 'What happens by itself',
      result: { json: z.strictObject({ payload: z.array(automationRule) }) },
      refuses: [403],
    },
    // All of them come on every page, as with the reference.
    query: z.object({ page: pageText }),
    async answer(call) {
      const agent = await administratorOf(call);
      call.query();
      const rows = await call.core.db.query<RuleRow>(
        'select * from automation_rules where account_id = $1 order by id',
        [agent.account_id],
      );
      return call.http.json({ payload: rows.map(shape) });
    },
  }),
  endpoint({
    methods: ['post'],
    path: rulesPath,
    told: {
      name: 'createAutomationRule',
      summary: 'Makes a rule',
      result: { json: z.strictObject({ payload: automationRule }) },
      refuses: [403],
    },
    body: z.object(ruleFields),
    async answer(call) {
      const agent = await administratorOf(call);
      const given = await call.body();
      await knownKeys(call.core.db, agent.account_id, given.conditions);
      const rule = await one<RuleRow>(
        call.core.db,
        `insert into automation_rules (account_id, name, description, event_name, conditions, actions, active)
         values ($1, $2, $3, $4, $5::jsonb, $6::jsonb, $7) returning *`,
        [
          agent.account_id,
          given.name,
          given.description,
          given.event_name,
          JSON.stringify(given.conditions),
          JSON.stringify(given.actions),
          given.active,
        ],
      );
      return call.http.json({ payload: shape(rule) });
    },
  }),
  endpoint({
    methods: ['get'],
    path: rulePath,
    told: {
      name: 'showAutomationRule',
      summary: 'One rule',
      result: { json: z.strictObject({ payload: automationRule }) },
      refuses: [403],
    },
    async answer(call) {
      const agent = await administratorOf(call);
      const rule = await rowOf<RuleRow>(call, agent, 'automation_rules', 'automation_rule_id');
      return call.http.json({ payload: shape(rule) });
    },
  }),
  endpoint({
    methods: ['patch', 'put'],
    path: rulePath,
    told: {
      name: 'changeAutomationRule',
      summary: 'Changes a rule',
      result: { json: z.strictObject({ payload: automationRule }) },
      refuses: [403],
    },
    body: partial,
    async answer(call) {
      const agent = await administratorOf(call);
      const before = await rowOf<RuleRow>(call, agent, 'automation_rules', 'automation_rule_id');
      const given = await call.body();
      await knownKeys(call.core.db, agent.account_id, given.conditions, before.conditions);
      const rule = first<RuleRow>(
        call.core.db,
        `update automation_rules set name = coalesce($2, name), description = coalesce($3, description),
           event_name = coalesce($4, event_name), conditions = coalesce($5::jsonb, conditions),
           actions = coalesce($6::jsonb, actions), active = coalesce($7, active)
         where id = $1 returning *`,
        [
          before.id,
          given.name ?? null,
          given.description ?? null,
          given.event_name ?? null,
          given.conditions ? JSON.stringify(given.conditions) : null,
          given.actions ? JSON.stringify(given.actions) : null,
          given.active ?? null,
        ],
      );
      return call.http.json({ payload: shape(await still('automation_rule_id', rule)) });
    },
  }),
  endpoint({
    methods: ['delete'],
    path: rulePath,
    told: {
      name: 'deleteAutomationRule',
      summary: 'Deletes a rule',
      result: { empty: true },
      refuses: [403],
    },
    async answer(call) {
      const agent = await administratorOf(call);
      const { id } = await rowOf<RuleRow>(call, agent, 'automation_rules', 'automation_rule_id');
      await call.core.db.query('delete from automation_rules where id = $1', [id]);
      return call.http.body(null, 200);
    },
  }),
];

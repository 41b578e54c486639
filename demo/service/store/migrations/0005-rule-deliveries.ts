/** Deliveries that a rule asked for know their rule, so that its log can show them, and go with it. */
import type { Migration } from '../migration.js';

export const ruleDeliveries0005: Migration = {
  name: '0005-rule-deliveries',
  statements: [
    `alter table webhook_deliveries add column automation_rule_id bigint
      references automation_rules on delete cascade`,
    'create index webhook_deliveries_rule_log on webhook_deliveries (automation_rule_id, id)',
  ],
};

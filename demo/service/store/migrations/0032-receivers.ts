/** A long queue for one receiver costs the others nothing: what is next for each, and what is being sent, by index. */
import type { Migration } from '../migration.js';

export const receivers0032: Migration = {
  name: '0032-receivers',
  statements: [
    `create index webhook_deliveries_receiver on webhook_deliveries
      (coalesce(webhook_id, -automation_rule_id), next_attempt_at, id) where state = 'waiting'`,
    `create index webhook_deliveries_leased on webhook_deliveries (leased_until)
      where state = 'waiting' and leased_until is not null`,
  ],
};

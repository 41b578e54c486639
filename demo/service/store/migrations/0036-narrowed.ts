/** What waits for a webhook is forgotten when it is narrowed to another inbox; so a delivery knows where it came from. */
import type { Migration } from '../migration.js';

export const narrowed0036: Migration = {
  name: '0036-narrowed',
  statements: ['alter table webhook_deliveries add column inbox_id bigint'],
};

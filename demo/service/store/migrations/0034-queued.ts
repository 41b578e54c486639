/** Since when a delivery waits: one that is sent again has not waited since it was made. */
import type { Migration } from '../migration.js';

export const queued0034: Migration = {
  name: '0034-queued',
  statements: [
    'alter table webhook_deliveries add column queued_at timestamptz not null default now()',
    `update webhook_deliveries set queued_at = created_at where state = 'waiting'`,
  ],
};

/**
 * What many messages a second ask for. Events as text that is checked but not taken apart, neither pressed; their
 * writer, who need not read them again. No second and third proof that a message has an account and an inbox: its
 * conversation has both, and every proof locks a row that all writers share.
 */
import type { Migration } from '../migration.js';

export const load0020: Migration = {
  name: '0020-load',
  statements: [
    'alter table bus_events alter column events type json using events::json, add column writer text',
    'alter table bus_events alter column events set storage external',
    'alter table messages drop constraint messages_account_id_fkey, drop constraint messages_inbox_id_fkey',
    'alter table rule_events drop constraint rule_events_account_id_fkey',
    'alter table webhook_deliveries drop constraint webhook_deliveries_account_id_fkey',
  ],
};

/** Nobody waits in what is resolved: conversations that were resolved before that was so. */
import type { Migration } from '../migration.js';

export const waiting0031: Migration = {
  name: '0031-waiting',
  statements: [
    `update conversations set waiting_since = null where status = 'resolved' and waiting_since is not null`,
  ],
};

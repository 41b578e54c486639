/** What is asked with each message, with each look of a visitor and with each scrape: not by reading all there ever was. */
import type { Migration } from '../migration.js';

export const hot0037: Migration = {
  name: '0037-hot',
  statements: [
    'create index messages_outgoing on messages (conversation_id, created_at) where message_type = 1',
    `create index messages_unread on messages (conversation_id)
       where message_type in (1, 3) and not private and status in ('sent', 'delivered')`,
    `create index webhook_deliveries_dead on webhook_deliveries (id) where state = 'dead'`,
  ],
};

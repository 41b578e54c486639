/** How many of a contact's words nobody has seen is asked with each message: not by reading all that was ever said. */
import type { Migration } from '../migration.js';

export const unread0035: Migration = {
  name: '0035-unread',
  statements: [
    'create index messages_incoming on messages (conversation_id, created_at) where message_type = 0',
  ],
};

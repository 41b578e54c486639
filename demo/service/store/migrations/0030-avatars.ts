/** Pictures of contacts that were given as files: where they lie, and whose they are. */
import type { Migration } from '../migration.js';

export const avatars0030: Migration = {
  name: '0030-avatars',
  statements: [
    `create table avatars (
      key text primary key,
      contact_id bigint not null unique references contacts (id) on delete cascade,
      content_type text not null
    )`,
  ],
};

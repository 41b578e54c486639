/**
 * Keys of a contact whom somebody has proven to be: those that nobody has proven are locked until somebody does. A key
 * that agents have given out is theirs, and stays open; of those that are here already nobody knows who has made them.
 */
import type { Migration } from '../migration.js';

export const locked0039: Migration = {
  name: '0039-locked',
  statements: [
    `alter table contact_inboxes
       add column by_agent boolean not null default false,
       add column locked boolean not null default false`,
    `update contact_inboxes p set locked = true
     where not hmac_verified
       and exists (select 1 from contact_inboxes o where o.contact_id = p.contact_id and o.hmac_verified)`,
  ],
};

/**
 * What the owner of a key has only said of who they are, instead of locks: a lock kept out visitors whose shop began to
 * sign, and whom an agent had given another name. Whoever is among the keys of somebody proven by no more than a claim
 * becomes a contact of their own, as `claims.ts` does it from now on. The columns of the locks stay: a process of the
 * version before may still be writing them.
 */
import type { Migration } from '../migration.js';

export const claims0040: Migration = {
  name: '0040-claims',
  statements: [
    `alter table contact_inboxes
       add column claims text, add column by_address text`,
    `update contact_inboxes p set claims = c.identifier from contacts c
     where c.id = p.contact_id and not p.hmac_verified and not p.by_agent`,
    'alter table contacts add column proven boolean not null default false',
    `update contacts c set proven = true
     where exists (select 1 from contact_inboxes p where p.contact_id = c.id and p.hmac_verified)`,
    'alter table contacts add column apart_of bigint',
    `insert into contacts
       (account_id, name, blocked, additional_attributes, last_activity_at, apart_of)
     select c.account_id, c.name, c.blocked, jsonb_build_object('claimed_identifier', p.claims),
       c.last_activity_at, p.id
     from contact_inboxes p join contacts c on c.id = p.contact_id
     where p.claims is not null and c.proven order by p.id`,
    `update messages m set sender_id = c.id from conversations v, contacts c
     where m.conversation_id = v.id and v.contact_inbox_id = c.apart_of
       and m.sender_type = 'Contact' and m.sender_id = v.contact_id`,
    `update conversations v set contact_id = c.id from contacts c where c.apart_of = v.contact_inbox_id`,
    `update contact_inboxes p set contact_id = c.id from contacts c where c.apart_of = p.id`,
    'alter table contacts drop column apart_of',
  ],
};

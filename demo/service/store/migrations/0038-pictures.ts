/** Pictures of ours by their path: addresses began with whatever the service was called on the day of the upload. */
import type { Migration } from '../migration.js';

export const pictures0038: Migration = {
  name: '0038-pictures',
  statements: [
    `update contacts set avatar_url = '/avatars/' || a.key from avatars a
     where a.contact_id = contacts.id
       and right(contacts.avatar_url, length('/avatars/' || a.key)) = '/avatars/' || a.key`,
  ],
};

/** What a deleted message was: whoever was asked for a rating has been asked, though the question is gone. */
import type { Migration } from '../migration.js';

export const deleted0033: Migration = {
  name: '0033-deleted',
  statements: ['alter table messages add column deleted_content_type text'],
};

/** Which conversation belongs into the list, and in what order. Pure; the service decides, this only follows it. */
import type { Filters } from '../api.js';
import type { Conversation } from '../wire/schemas.js';
import type { Known } from './known-conversation.js';

export function matches(conversation: Conversation, filters: Filters, me: number): boolean {
  // A search reaches every status.
  if (!filters.search && filters.status !== 'all' && conversation.status !== filters.status) return false;
  if (filters.inboxId && conversation.inbox_id !== filters.inboxId) return false;
  if (filters.teamId && conversation.meta.team?.id !== filters.teamId) return false;
  if (filters.label && !conversation.labels.includes(filters.label)) return false;
  const assignee = conversation.meta.assignee?.id;
  switch (filters.assignee) {
    case 'all':
      return true;
    case 'me':
      return assignee === me;
    case 'assigned':
      return !!assignee;
    case 'unassigned':
      return !assignee;
  }
}

export const byActivity = (a: Known, b: Known): number =>
  b.last_activity_at - a.last_activity_at || b.id - a.id;

/**
 * Which inbox of the service this chat is of, by its number. Nothing but a conversation that was made here says so, so
 * it is remembered from that. A service gives whoever has proven who they are the conversations of all its inboxes, and
 * those of another one are not gone on with here. It does not know which conversation is.
 */
import { ok, type Result } from '../errors.js';
import type { Conversation } from '../wire/conversation.js';
import { INBOX } from './facts.js';
import type { Session } from './session.js';

type Placed = Pick<Conversation, 'inbox_id'>;

export type Inbox = ReturnType<typeof createInbox>;

export function createInbox({ api, local, $ledger }: Pick<Session, 'api' | 'local' | '$ledger'>) {
  /** In doubt it is. */
  const isOurs = ({ inbox_id: id }: Placed) => {
    const own = local.get(INBOX);
    return typeof own !== 'number' || id === undefined || id === own;
  };
  return {
    isOurs,
    /** It was made through this inbox. */
    learn({ inbox_id: id }: Placed) {
      if (id !== undefined) local.set(INBOX, id);
    },
    /** Some deployments cannot list the conversations of whoever has proven who they are, be it on an earlier page. */
    async list(sourceId: string): Promise<Result<Conversation[]>> {
      const listed = await api.listConversations(sourceId);
      if (listed.ok) return ok(listed.value.filter(isOurs));
      const cannot = listed.error.kind === 'http' && listed.error.status === 500;
      return cannot && $ledger.get().identity !== undefined ? ok([]) : listed;
    },
  };
}

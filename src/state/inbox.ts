/**
 * Which inbox of the service this chat is of, by its number. Nothing but a conversation that was made here says so, so
 * it is remembered from that. A service gives whoever has proven who they are the conversations of all its inboxes, and
 * those of another one are not gone on with here. It does not know which conversation is.
 */
import { ok, type Result } from '../errors.js';
import type { Conversation } from '../wire/conversation.js';
import type { ContactState } from './contact.js';
import { knownIn } from './elsewhere.js';
import { INBOX } from './facts.js';
import type { Session } from './session.js';

type Placed = Pick<Conversation, 'inbox_id'>;

export type OurInbox = ReturnType<typeof createInbox>;

export function createInbox(session: Pick<Session, 'api' | 'local' | '$ledger'>, contact: ContactState) {
  const { api, local } = session;
  /** The service can list them of whoever has proven who they are. */
  let can = false;
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
    /**
     * Some deployments cannot list the conversations of whoever has proven who they are, be it on an earlier page. They
     * give each by its number: then these are the ones that this browser knows of.
     */
    async list(sourceId: string): Promise<Result<Conversation[]>> {
      const proven = contact.proven();
      const listed = await api.listConversations(sourceId);
      if (listed.ok) {
        can ||= proven;
        return ok(listed.value.filter(isOurs));
      }
      const ill = listed.error.kind === 'http' && listed.error.status === 500;
      // Words may be on their way before the proof is taken.
      if (!ill || can || !(proven || contact.signed())) return listed;
      const read = await Promise.all(knownIn(session).map((id) => api.readConversation(sourceId, id)));
      const all: Conversation[] = [];
      for (const one of read) {
        if (one.ok) all.push(one.value);
        // Words do not wait for one that cannot be read.
        else if (one.error.kind !== 'http') return one;
      }
      return ok(all.filter(isOurs));
    },
  };
}

/**
 * Who has seen what in the conversation that is before the visitor's eyes: they, which the service hears of once, and
 * the agents, whom it is asked about now and then. It does not know what is said of it, and where.
 */
import { verdict } from '../errors.js';
import { unseen } from '../model/unread.js';
import type { Standing } from '../wire/conversation.js';
import type { Front } from './front.js';
import type { MessagesState } from './messages.js';
import type { Session } from './session.js';

const STANDING_MS = 60_000;
/** So many times as long between two looks into a conversation that has more than a page. */
const LONG = 5;

/**
 * @param asked is told that the service is asked, and then whatever else it says of the conversation
 * @param isRead whether all of another conversation that was before the visitor's eyes still is all that there is
 */
export function createSeen(
  session: Session,
  front: Front,
  messages: MessagesState,
  asked: () => (conversation: Standing) => void,
  isRead: (conversationId: number) => boolean,
) {
  const { api, env, $ledger } = session;
  const looksOn = () => front.chat.$open.get() && env.page.visible();
  const looking = () => looksOn() && !front.chat.$away.get();
  let lookedUpAt = Number.NEGATIVE_INFINITY;
  let later: (() => void) | undefined;
  session.own(() => later?.());
  /** In which conversations something has been seen that the service has not heard of. */
  const untold = new Set<number>();

  /** When an agent last looked into each, as far as was told. */
  const looks = new Map<number, number>();
  const lookInto = (id: number | undefined) => looks.get(id ?? 0) ?? 0;

  /** By an agent. */
  function theirs({ id, agent_last_seen_at: at }: Pick<Standing, 'id' | 'agent_last_seen_at'>) {
    looks.set(id, Math.max(lookInto(id), at));
    if (!session.ended() && id === $ledger.get().conversationId) front.$seenAt.set(lookInto(id));
  }

  /** The answer holds all messages: a long conversation is asked about less often. */
  const everyMs = () => STANDING_MS * (messages.$hasOlder.get() ? LONG : 1);

  /** Words of ours may be read while we look on. */
  function watch() {
    if (!looksOn()) return;
    later ??= env.after(everyMs(), () => {
      later = undefined;
      // Any other line looks by itself, when it is time.
      if (front.$line.get() === 'live') void lookUp();
    });
  }

  /** The service does not say when an agent has read our words; whoever looks on asks, now and then. */
  async function lookUp() {
    const { sourceId, conversationId: id } = $ledger.get();
    const unread = front.$rows.get()?.some(({ mark }) => mark === 'sent' || mark === 'delivered');
    if (!looksOn() || !unread || !sourceId || id === undefined) return;
    watch();
    if (env.monotonic() - lookedUpAt < everyMs()) return;
    lookedUpAt = env.monotonic();
    const told = asked();
    const shown = await api.showConversation(sourceId, id);
    if (!shown.ok) return;
    theirs(shown.value);
    told(shown.value);
  }

  /** What stands before the visitor's eyes is seen; the service hears of it once. */
  function look() {
    if (!looking()) return;
    const { sourceId, conversationId: id } = $ledger.get();
    const list = messages.$messages.get();
    // Words of the visitor's own may be here before an answer that lies above them.
    const newest = unseen(list, front.$seenId.get()).at(-1);
    if (newest && id !== undefined) untold.add(id);
    // Who has begun here finds the first answer marked as new; who comes with a history has not left off anywhere.
    const seen = newest ?? (front.$seenId.get() ? undefined : list[0]);
    if (seen) front.see(seen.id);
    if (!sourceId) return;
    for (const one of [...untold]) {
      if (one !== id && !isRead(one)) continue;
      untold.delete(one);
      void api.updateLastSeen(sourceId, one).then((heard) => {
        // Lost on the way, or not taken for now: at the next look, which the line brings when it is back.
        if (!heard.ok && verdict(heard.error) !== 'final') untold.add(one);
      });
    }
  }

  return {
    theirs,
    /** When an agent last looked into it. */
    lookInto,
    /**
     * What was new in it is before their eyes now, though newer words were seen elsewhere.
     * @param listed as the service has listed it
     */
    chosen(conversationId: number, news: boolean, listed: Standing | undefined) {
      if (listed) theirs(listed);
      if (!news) return;
      untold.add(conversationId);
      look();
    },
    /** It comes after newer words that were seen: where nobody looks it is new, and they are once more; in this tab alone. */
    late(id: number) {
      if (!looking() && id <= front.$seenId.get()) front.$seenId.set(id - 1);
    },
    look,
    lookUp,
    watch,
  };
}

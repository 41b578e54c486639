/** What the window shows of the conversation: what has come, and what waits. It knows neither how, nor when. */
import { atom, effect } from 'nanostores';
import { transcript } from '../model/transcript.js';
import type { Front } from './front.js';
import type { MessagesState } from './messages.js';
import type { createOutbox } from './outbox.js';
import type { Session } from './session.js';

const zoneNow = () => new Date().getTimezoneOffset();

export function showRows(
  session: Session,
  front: Front,
  messages: MessagesState,
  { $keeping }: Pick<ReturnType<typeof createOutbox>, '$keeping'>,
): void {
  const { env, $ledger } = session;
  /** Whose clock says of which day a message is. */
  const $zone = atom(zoneNow());
  let shownIn = $zone.get();
  for (const event of ['visibilitychange', 'online', 'pageshow'] as const)
    session.own(env.page.on(event, () => $zone.set(zoneNow())));
  session.own(
    effect(
      [messages.$messages, messages.$hasOlder, $ledger, front.$seenAt, $keeping, $zone],
      (list, hasOlder, { conversationId, outbox: kept, claims }, seenAt, keeping, zone) => {
        const known = session.loaded() && (conversationId === undefined || hasOlder !== undefined);
        const all = [...kept, ...keeping];
        if (!known && !all.length) return;
        // Whoever has flown finds each of another day, perhaps.
        const before = zone === shownIn ? front.$rows.get() : [];
        shownIn = zone;
        const ledger = { outbox: all, claims, conversationId };
        front.$rows.set(transcript(list, ledger, messages.names, seenAt, before, messages.completeTo()));
      },
    ),
  );
}

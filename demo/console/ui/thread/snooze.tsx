/** Puts a conversation aside: for a while, until the visitor writes, as pending, or muted for good. */
import { useState } from 'preact/hooks';
import { type Known, nameOf } from '../../model/known-conversation.js';
import type { Desk } from '../../state/desk.js';
import { Icon } from '../icons.js';
import { Confirm } from '../kit/dialog.js';
import { Menu } from '../kit/menu.js';
import { fullTime } from '../times.js';

/** From the press: the menu may have been open for long. */
const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;

/** The next time it is nine in the morning, so many days from now. */
function morning(days: number): number {
  const at = new Date();
  at.setDate(at.getDate() + days);
  at.setHours(9, 0, 0, 0);
  return Math.floor(at.getTime() / 1000);
}

const tomorrow = () => morning(1);
const monday = () => morning((8 - new Date().getDay()) % 7 || 7);

export function SnoozeMenu({ desk, open }: { desk: Desk; open: Known }) {
  const [asking, setAsking] = useState(false);
  const until = (at: number, now = () => at) => ({
    about: fullTime(at * 1000),
    run: () => void desk.setStatus('snoozed', now()),
  });
  return (
    <>
      <Menu
        label="Put aside"
        buttonClass="secondary icon-button"
        face={<Icon name="clock" />}
        items={() => [
          { name: 'Snooze for an hour', ...until(inAnHour(), inAnHour) },
          { name: 'Snooze until tomorrow', ...until(tomorrow()) },
          { name: 'Snooze until next week', ...until(monday()) },
          { name: 'Snooze until they write', run: () => void desk.setStatus('snoozed') },
          ...(open.status === 'pending'
            ? []
            : [{ name: 'Mark as pending', run: () => void desk.setStatus('pending') }]),
          open.meta.sender?.blocked
            ? {
                name: 'Unblock the visitor',
                run: () =>
                  void desk.alter('The visitor was not unblocked', 'Visitor unblocked.', (id) =>
                    desk.api.mute(id, false),
                  ),
              }
            : {
                name: 'Mute and block …',
                harmful: true,
                run: () => setAsking(true),
              },
        ]}
      />
      {asking && (
        <Confirm
          title={`Block ${nameOf(open)}?`}
          words="The conversation is resolved. What they write from now on is kept, but opens nothing, calls nobody and gets no automatic answer."
          button="Mute and block"
          onClose={() => setAsking(false)}
          onYes={() => {
            setAsking(false);
            void desk.alter('The conversation was not muted', 'Conversation muted.', (id) =>
              desk.api.mute(id, true),
            );
          }}
        />
      )}
    </>
  );
}

/** The second column: title, actions, the log and the reply box of the open conversation. */
import { useLayoutEffect } from 'preact/hooks';
import { type Known, nameOf } from '../../model/known-conversation.js';
import type { Desk } from '../../state/desk.js';
import { Avatar, Icon } from '../icons.js';
import { useHeir } from '../kit/use-heir.js';
import { focus } from '../shortcuts.js';
import { fullTime } from '../times.js';
import { useStore } from '../use-store.js';
import { Log } from './log.js';
import { ReplyBox } from './reply-box.js';
import { SnoozeMenu } from './snooze.js';

const typedIn = 'input, textarea, select, [contenteditable]';

interface Props {
  desk: Desk;
  open: Known;
  /** It was waited for, and the agent may be at something else by now. */
  late: boolean;
}

export function ThreadPane({ desk, open, late }: Props) {
  const typists = useStore(desk.$typists);
  const present = useStore(desk.$present).has(open.meta.sender?.id ?? 0);
  const name = nameOf(open);
  const resolved = open.status === 'resolved';
  const aside = open.status === 'snoozed' || open.status === 'pending';

  // At once: a frame later it would come from under the agent's next key.
  useLayoutEffect(() => {
    if (late && document.activeElement?.matches(typedIn)) return;
    // On a narrow screen the list has just vanished, and a keyboard over half the page would hide the words.
    focus(matchMedia('(max-width: 759px)').matches ? 'thread-title' : 'reply');
  }, []);

  return (
    <>
      <header class="thread-head">
        <button type="button" class="quiet back" onClick={() => desk.place.go({})}>
          <Icon name="back" />
          <span>
            Back<span class="hidden"> to conversations</span>
          </span>
        </button>
        <Avatar name={name} seed={open.meta.sender?.id ?? 0} online={present} />
        <div class="title">
          <h2 id="thread-title" tabIndex={-1}>
            <bdi>{name}</bdi>
          </h2>
          <p class="state-line">
            <span class={`badge ${open.status}`}>{open.status}</span>
            {open.snoozed_until && open.status === 'snoozed'
              ? ` until ${fullTime(open.snoozed_until * 1000)}`
              : open.status === 'snoozed' && ' until they write'}
            {present && ' · online'}
            {open.meta.assignee && (
              <>
                {' · '}
                <bdi>{open.meta.assignee.available_name || open.meta.assignee.name}</bdi>
              </>
            )}
          </p>
        </div>
        <button
          type="button"
          class="quiet to-details"
          onClick={() => desk.place.go({ conversationId: open.id, details: true })}
        >
          <Icon name="person" />
          <span>Details</span>
        </button>
        {aside && <OpenNow onClick={() => void desk.setStatus('open')} />}
        <SnoozeMenu desk={desk} open={open} />
        <button
          type="button"
          class={resolved ? 'secondary' : 'secondary resolve'}
          onClick={({ detail }) => {
            // The second press of two means what the first one did, and the button means the opposite by then.
            if (detail < 2) void desk.setStatus(resolved ? 'open' : 'resolved');
          }}
        >
          <Icon name={resolved ? 'reopen' : 'check'} />
          <span>{resolved ? 'Reopen' : 'Resolve'}</span>
        </button>
      </header>
      <Log desk={desk} visitor={name} />
      <p class="typing" role="status">
        {typists.map(({ key, name: who }) => (
          <span key={key}>
            <bdi>{who}</bdi> is typing
            <span class="dots" aria-hidden="true">
              <i />
              <i />
              <i />
            </span>
          </span>
        ))}
      </p>
      <ReplyBox desk={desk} conversationId={open.id} visitor={name} />
    </>
  );
}

function OpenNow({ onClick }: { onClick(): void }) {
  const ref = useHeir<HTMLButtonElement>((going) => going.nextElementSibling?.querySelector('button'));
  return (
    <button ref={ref} type="button" class="secondary" onClick={onClick}>
      <Icon name="reopen" />
      <span>Open now</span>
    </button>
  );
}

/** The three columns of the inbox; on narrow screens one of them at a time. Knows where things are, not what. */
import type { Desk } from '../state/desk.js';
import { ConversationList } from './conversation-list.js';
import { Details } from './details.js';
import { ThreadPane } from './thread/thread-pane.js';
import { useStore } from './use-store.js';

export function InboxPage({ desk }: { desk: Desk }) {
  const place = useStore(desk.place.$place);
  const open = useStore(desk.$open);

  return (
    <main class="columns" data-open={open ? 'yes' : 'no'}>
      <h1 class="hidden">Parley console</h1>
      <ConversationList desk={desk} />
      <section class="thread" aria-labelledby="thread-title">
        {open ? (
          <ThreadPane key={open.id} desk={desk} open={open} />
        ) : (
          <Nothing waiting={place.conversationId !== undefined} />
        )}
      </section>
      {open && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
        <section class="details" aria-labelledby="details-title" tabIndex={0}>
          <Details key={open.id} desk={desk} open={open} />
        </section>
      )}
    </main>
  );
}

function Nothing({ waiting }: { waiting: boolean }) {
  return (
    <div class="nothing">
      <h2 id="thread-title">{waiting ? 'Opening the conversation …' : 'No conversation open'}</h2>
      {!waiting && <p>Choose one from the list. New messages appear there on their own.</p>}
    </div>
  );
}

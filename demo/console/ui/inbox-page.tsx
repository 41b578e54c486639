/** The three columns of the inbox; on narrow screens one of them at a time. Knows where things are, not what. */
import { useEffect, useRef } from 'preact/hooks';
import type { Desk } from '../state/desk.js';
import { ConversationList } from './conversation-list.js';
import { Details } from './details.js';
import { Nothing } from './thread/nothing.js';
import { ThreadPane } from './thread/thread-pane.js';
import { useStore } from './use-store.js';

export function InboxPage({ desk }: { desk: Desk }) {
  const place = useStore(desk.place.$place);
  const open = useStore(desk.$open);
  const isAwaited = !open && place.conversationId !== undefined;
  const wasAwaited = useRef(false);
  useEffect(() => {
    wasAwaited.current = isAwaited;
  }, [isAwaited]);

  return (
    <main class="columns" data-open={open ? 'yes' : 'no'}>
      <h1 class="hidden">Parley console</h1>
      <ConversationList desk={desk} />
      <section class="thread" aria-labelledby="thread-title">
        {open ? (
          <ThreadPane key={open.id} desk={desk} open={open} late={wasAwaited.current} />
        ) : (
          <Nothing desk={desk} id={place.conversationId} />
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

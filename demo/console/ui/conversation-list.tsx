/** The first column: search, filters, counts, and one button per conversation. Knows the desk's list, no thread. */
import { useRef } from 'preact/hooks';
import type { Desk } from '../state/desk.js';
import { Filters } from './filters.js';
import { useHeir } from './kit/use-heir.js';
import { ListItem } from './list-item.js';
import { shortcuts } from './shortcuts.js';
import { useStore } from './use-store.js';

type State = ReturnType<Desk['conversations']['$state']['get']>;

const words = {
  loading: { all: 'Loading the conversations …', searched: 'Searching …' },
  ready: {
    all: 'No conversation here. A visitor’s first message appears on its own.',
    searched: 'No conversation has a message with these words.',
  },
};

/** What is seen where there is nothing, and else only said: how many a search has found. */
function saying(state: State, search: string, count: number, more: boolean): string {
  if (state === 'failed') return '';
  if (count === 0) return words[state][search ? 'searched' : 'all'];
  // What is shown meanwhile is what was found before.
  if (!search || state === 'loading') return '';
  if (more) return `At least ${count} conversations`;
  return count === 1 ? '1 conversation' : `${count} conversations`;
}

export function ConversationList({ desk }: { desk: Desk }) {
  const list = useStore(desk.conversations.$list);
  const state = useStore(desk.conversations.$state);
  const more = useStore(desk.conversations.$more);
  const filters = useStore(desk.conversations.$filters);
  const openId = useStore(desk.thread.$openId);
  const reading = useStore(desk.$reading);
  const present = useStore(desk.$present);
  const said = saying(state, filters.search, list.length, more);

  return (
    <nav class="list" aria-labelledby="list-title">
      <h2 id="list-title" class="hidden" tabIndex={-1}>
        Conversations
      </h2>
      <Filters desk={desk} />
      <div class="scroller">
        <ul aria-busy={state === 'loading'}>
          {list.map((conversation) => (
            <ListItem
              key={conversation.id}
              conversation={conversation}
              open={conversation.id === openId}
              reading={conversation.id === reading}
              present={present.has(conversation.meta.sender?.id ?? 0)}
              me={desk.profile.id}
              search={filters.search}
              onOpen={() => desk.place.go({ conversationId: conversation.id })}
            />
          ))}
        </ul>
        <p role="status" class={list.length === 0 && said ? 'empty' : 'hidden'}>
          {said}
        </p>
        {more && <ShowMore onClick={desk.conversations.showMore} />}
      </div>
      <details class="keys">
        <summary>Keyboard</summary>
        <dl>
          {shortcuts.map(({ keys, does }) => (
            <div key={keys}>
              <dt>
                {keys.split(' ').map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </details>
    </nav>
  );
}

/** Goes with the last of them; what stood before it has the focus then, and the first that it brought is the next. */
function ShowMore({ onClick }: { onClick(): void }) {
  const last = useRef<Element | null | undefined>(undefined);
  const ref = useHeir<HTMLButtonElement>((going) => {
    const before = last.current ?? going.parentElement?.querySelector('li:last-child');
    return before?.querySelector('button');
  });
  return (
    <button
      ref={ref}
      type="button"
      class="quiet wide"
      onClick={({ currentTarget }) => {
        last.current = currentTarget.parentElement?.querySelector('li:last-child');
        onClick();
      }}
    >
      Show more conversations
    </button>
  );
}

/** The first column: search, filters, counts, and one button per conversation. Knows the desk's list, no thread. */
import type { Desk } from '../state/desk.js';
import { Filters } from './filters.js';
import { ListItem } from './list-item.js';
import { shortcuts } from './shortcuts.js';
import { useStore } from './use-store.js';

export function ConversationList({ desk }: { desk: Desk }) {
  const list = useStore(desk.conversations.$list);
  const state = useStore(desk.conversations.$state);
  const more = useStore(desk.conversations.$more);
  const filters = useStore(desk.conversations.$filters);
  const openId = useStore(desk.thread.$openId);
  const reading = useStore(desk.$reading);
  const present = useStore(desk.$present);

  return (
    <nav class="list" aria-labelledby="list-title">
      <h2 id="list-title" class="hidden" tabIndex={-1}>
        Conversations
      </h2>
      <Filters desk={desk} />
      <div class="scroller">
        <ul>
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
        {state === 'ready' && list.length === 0 && (
          <p class="empty">
            {filters.search
              ? 'No conversation has a message with these words.'
              : 'No conversation here. A visitor’s first message appears on its own.'}
          </p>
        )}
        {more && (
          <button type="button" class="quiet wide" onClick={desk.conversations.showMore}>
            Show more conversations
          </button>
        )}
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

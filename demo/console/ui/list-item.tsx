/** One conversation as a button: who, the last words or those that were searched for, when, and what is unread. */
import { useLayoutEffect } from 'preact/hooks';
import { filesInShort } from '../model/files.js';
import { foundIn } from '../model/found.js';
import { answerOf, type Known, nameOf, unreadOf } from '../model/known-conversation.js';
import { inShort, isMarked } from '../model/rows.js';
import { $now } from '../state/clock.js';
import { Avatar, Icon } from './icons.js';
import { useHeir } from './kit/use-heir.js';
import { ago, fullTime, iso } from './times.js';
import { useStore } from './use-store.js';

interface Props {
  conversation: Known;
  open: boolean;
  /** Open, and before the agent's eyes. */
  reading: boolean;
  present: boolean;
  me: number;
  /** The words that are searched for; empty for none. */
  search: string;
  onOpen(): void;
}

export function ListItem({ conversation, open, reading, present, me, search, onOpen }: Props) {
  const now = useStore($now);
  const name = nameOf(conversation);
  const found = foundIn(conversation, search);
  const shown = found?.message ?? conversation.preview;
  const unread = reading ? 0 : unreadOf(conversation);
  const atMs = (conversation.last_activity_at || conversation.created_at) * 1000;
  const answer = found ? '' : answerOf(conversation);
  const mine = !answer && shown && shown.message_type !== 0 && shown.sender?.id === me;

  const ref = useHeir<HTMLLIElement>(
    (going) =>
      (going.nextElementSibling ?? going.previousElementSibling)?.querySelector('button') ??
      document.querySelector<HTMLElement>('#list-title'),
  );
  useLayoutEffect(() => {
    if (open) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [open]);

  return (
    <li ref={ref}>
      <button
        id={`conversation-${conversation.id}`}
        type="button"
        class="item"
        aria-current={open ? 'true' : undefined}
        data-unread={unread > 0}
        onClick={onOpen}
      >
        <Avatar
          name={name}
          seed={conversation.meta.sender?.id ?? 0}
          picture={conversation.meta.sender?.thumbnail}
          online={present}
        />
        <span class="who">
          {(conversation.priority === 'urgent' || conversation.priority === 'high') && (
            <span class={`priority ${conversation.priority}`}>
              <span aria-hidden="true">{conversation.priority === 'urgent' ? '!!' : '!'}</span>
              <span class="hidden">{conversation.priority} priority: </span>
            </span>
          )}
          <bdi>{name}</bdi>
          {present && <span class="hidden">, online</span>}
        </span>
        <time dateTime={iso(atMs)} title={fullTime(atMs)}>
          {ago(atMs, now)}
        </time>
        <span class="preview">
          {found && <span class="hidden">Found: </span>}
          {!answer && shown?.private && (
            <>
              <Icon name="lock" />
              <span class="hidden">Private note: </span>
            </>
          )}
          {mine && !shown.private && <span>You: </span>}
          {found ? (
            <bdi>
              {found.before}
              <mark>{found.words}</mark>
              {found.after}
            </bdi>
          ) : (
            <bdi>{answer || previewText(conversation)}</bdi>
          )}
        </span>
        {unread > 0 && (
          <span class="unread">
            {unread > 9 ? '9+' : unread}
            <span class="hidden"> unread</span>
          </span>
        )}
        {conversation.labels.length > 0 && (
          <span class="item-labels">
            <span class="hidden">, labels: </span>
            {conversation.labels.slice(0, 3).map((title) => (
              <bdi key={title}>{title}</bdi>
            ))}
          </span>
        )}
        {conversation.status !== 'open' && <span class="status">{conversation.status}</span>}
      </button>
    </li>
  );
}

function previewText({ preview }: Known): string {
  if (!preview) return 'No message yet';
  const words = inShort({ text: preview.content ?? '', marked: isMarked(preview) }, 200);
  if (words) return words;
  return filesInShort(preview.attachments);
}

/** One message, ours, theirs or a note: what it quotes, its words, files and questions, and what became of it. */

import { useState } from 'preact/hooks';
import { filesInShort } from '../../model/files.js';
import { shownOf } from '../../model/question.js';
import { type Bubble, inShort } from '../../model/rows.js';
import type { Desk } from '../../state/desk.js';
import { Icon } from '../icons.js';
import { Confirm } from '../kit/dialog.js';
import { IconButton } from '../kit/icon-button.js';
import { useHeir } from '../kit/use-heir.js';
import { focus } from '../shortcuts.js';
import { clockTime, fullTime, iso } from '../times.js';
import { Asked } from './asked.js';
import { AttachmentView } from './attachment.js';
import { Words } from './words.js';

const logAround = (going: Element) => going.closest<HTMLElement>('[role=log]');

export function BubbleRow({ row, quoted, desk }: { row: Bubble; quoted: Bubble | undefined; desk: Desk }) {
  const { entry } = row;
  const look = row.private ? 'note' : row.side;
  const shown = shownOf(row.contentType, row.attributes);
  const deleted = row.attributes.deleted === true;
  return (
    <li
      class={`bubble ${look} ${row.first ? 'first' : ''} ${entry?.state ?? ''} ${deleted ? 'deleted' : ''}`}
    >
      <p class={row.first || row.private ? 'author' : 'author hidden'}>
        {row.private && <Icon name="lock" />}
        <bdi>{row.author}</bdi>
        {row.private && ' · Private note'}
      </p>
      {quoted && (
        <p class="quoted">
          <bdi>{quoted.author}</bdi>
          <span dir="auto">{inShort(quoted, 140) || filesInShort(quoted.attachments)}</span>
        </p>
      )}
      {row.text && <Words text={row.text} marked={row.marked} />}
      {shown && <Asked shown={shown} />}
      {row.attachments.map((attachment) => (
        <AttachmentView key={attachment.id} attachment={attachment} />
      ))}
      {row.fileNames.map((name) => (
        <p key={name} class="file">
          <Icon name="file" />
          <bdi>{name}</bdi>
        </p>
      ))}
      {!row.silent && (
        <p class="meta">
          <time dateTime={iso(row.atMs)} title={fullTime(row.atMs)}>
            {clockTime(row.atMs)}
          </time>
          {row.state && <span class="state"> · {row.state}</span>}
        </p>
      )}
      {row.message && !deleted && <Actions row={row} desk={desk} />}
      {entry?.state === 'failed' && <Failed entry={entry} desk={desk} />}
    </li>
  );
}

function Failed({ entry, desk }: { entry: NonNullable<Bubble['entry']>; desk: Desk }) {
  const root = useHeir<HTMLDivElement>(logAround);
  return (
    <div ref={root} class="failed-actions">
      <p class="problem">{entry.problem}</p>
      <button type="button" class="secondary" onClick={() => desk.outbox.retry(entry.echoId)}>
        Try again
      </button>
      <button
        type="button"
        class="quiet"
        onClick={() => {
          if (!desk.discard(entry)) return;
          desk.drafts.$mode.set(entry.private ? 'note' : 'reply');
          focus('reply');
        }}
      >
        Discard
      </button>
    </div>
  );
}

/** Seen when the pointer or the focus is there. */
function Actions({ row, desk }: { row: Bubble; desk: Desk }) {
  const { message, private: isPrivate, side, text, marked, attachments } = row;
  const [asking, setAsking] = useState(false);
  const root = useHeir<HTMLDivElement>(logAround);
  if (!message) return null;
  const about =
    inShort({ text, marked }, 60) || (attachments.length ? filesInShort(attachments) : 'this message');
  return (
    <div ref={root} class="bubble-actions">
      {!isPrivate && (
        <IconButton
          icon="quote"
          label={`Quote “${about}”`}
          tip="Quote"
          onClick={() => {
            desk.drafts.quote(message);
            desk.drafts.$mode.set('reply');
            focus('reply');
          }}
        />
      )}
      {side === 'team' && (
        <IconButton icon="trash" label={`Delete “${about}”`} tip="Delete" onClick={() => setAsking(true)} />
      )}
      {asking && (
        <Confirm
          title={isPrivate ? 'Delete this note?' : 'Delete this message?'}
          words={`Its words and files go${isPrivate ? '' : ', here and in the visitor’s window'}. A line that it was deleted stays.`}
          button="Delete"
          onClose={() => setAsking(false)}
          onYes={() => {
            setAsking(false);
            void desk.deleteMessage(message.id);
          }}
        />
      )}
    </div>
  );
}

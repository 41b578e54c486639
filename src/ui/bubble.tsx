/** One message as a bubble: whose it is, what it says, when, and what became of it. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { cleanFileName } from '../content/clean.js';
import { timeOf, when, yearOf } from '../content/when.js';
import type { OutboxEntry } from '../model/ledger.js';
import { FILES_LOST, OVERDUE } from '../model/lost.js';
import type { Row } from '../model/transcript.js';
import { AttachmentView } from './attachment.js';
import { Avatar, nameOf } from './avatar.js';
import { Content } from './content.js';
import { useSurroundings } from './context.js';
import { goHome } from './focus.js';
import { CheckIcon } from './icons.js';
import type { Files } from './later.js';
import { useLater } from './use-later.js';

/** What has waited for so long is waiting. */
export const LATE_MS = 5_000;

export interface BubbleShown {
  row: Row;
  /** The reader's day. */
  today: string;
  /** What follows was new when the window was opened. */
  divided: boolean;
  /** Times may be written by now. */
  timed: boolean;
}

export function Bubble({ row, today, divided, timed }: BubbleShown): JSX.Element {
  const { say, locale } = useSurroundings();
  const name = nameOf(row.message?.sender) ?? say('agent');
  const at = timeOf(row.at);
  const told = row.state === 'keeping' ? undefined : row.state;
  const state = row.mine ? (told === 'sent' ? row.mark : told) : undefined;
  const deleted = row.message?.content_attributes.deleted === true;
  const entry = row.entry;
  const { message } = row;
  const attributes = message?.content_attributes;
  const asks = !deleted && (message?.content_type ?? 'text') !== 'text';
  const shown = row.endsGroup || row.state !== 'sent' || row.mark;

  return (
    <li
      class={`row ${row.mine ? 'mine' : 'theirs'}${row.startsGroup ? ' starts' : ''}${row.endsGroup ? ' ends' : ''} is-${row.state}`}
    >
      {row.startsDay && <DaySeparator key="day" at={at} day={row.day} today={today} timed={timed} />}
      {divided && (
        <p key="new" class="new">
          <span>{say('newMessages')}</span>
        </p>
      )}
      {!row.mine && row.startsGroup && (
        <span key="name" class="author">
          <bdi aria-hidden="true">{name}</bdi>
          {isMachine(row) && <span class="machine">{say('automated')}</span>}
        </span>
      )}
      <div key="line" class="line">
        {!row.mine && row.endsGroup && <Avatar sender={row.message?.sender} name={name} />}
        <div class="bubble" part={row.mine ? 'bubble bubble-mine' : 'bubble bubble-theirs'}>
          <span class="sr" data-id={message?.id}>
            <bdi>{row.mine ? say('you') : name}</bdi>:{' '}
          </span>
          {message && typeof attributes?.in_reply_to === 'number' && (
            <Late key="quote" name="parts">
              {(parts) => <parts.Quote message={message} />}
            </Late>
          )}
          {row.content && (
            <Content
              key="words"
              words={row.content}
              marked={!row.mine && !deleted}
              {...(deleted && { kind: 'deleted' })}
            />
          )}
          {asks && message && (
            <Late key="ask" name="asks">
              {(asks) => <asks.Ask message={message} />}
            </Late>
          )}
          {message?.attachments?.map((file) => (
            <Late key={file.id} name="parts" meanwhile={<AttachmentView attachment={file} />}>
              {(parts) => <parts.AttachmentPart attachment={file} message={message} />}
            </Late>
          ))}
          {entry && entry.files.length > 0 && (
            <Late
              key="unsent"
              name="parts"
              meanwhile={entry.files.map(({ name }) => <p key={name}>{cleanFileName(name)}</p>)}
            >
              {(parts) => <parts.UnsentFiles entry={entry} />}
            </Late>
          )}
        </div>
        {/* A page without encryption may not. */}
        {row.content && !deleted && navigator.clipboard && (
          <button type="button" class="copy" tabIndex={-1} aria-label={say('copy')} />
        )}
      </div>
      <div key="meta" class={shown ? 'meta' : 'meta sr'}>
        <time dateTime={new Date(at).toISOString()}>
          {timed && when(at, locale, { hour: 'numeric', minute: '2-digit' })}
        </time>
        {state && (
          <span class={`state ${state}`}>
            {(state === 'seen' || state === 'delivered') && <CheckIcon />}
            {say(state)}
          </span>
        )}
      </div>
      {entry && <Unsent key="unsent" entry={entry} state={row.state} />}
    </li>
  );
}

interface Lately<N extends keyof Files> {
  name: N;
  /** Shown until it is here. */
  meanwhile?: ComponentChildren;
  children: (it: Files[N]) => JSX.Element;
}

/** What another file draws. Apart from the bubble, because most bubbles want nothing of the kind. */
function Late<N extends keyof Files>({ name, meanwhile, children }: Lately<N>): JSX.Element {
  const { say } = useSurroundings();
  const { it, failed, again } = useLater(name, true, true);
  if (it) return children(it);
  // The bubble of a question may have nothing else in it.
  if (!failed || name !== 'asks') return <>{meanwhile}</>;
  return (
    <>
      <p>{say('partNotLoaded')}</p>
      <button type="button" class="small" onClick={again}>
        {say('retry')}
      </button>
    </>
  );
}

/** What did not leave can be taken back: when it was refused, and when it has waited for a while. */
function Unsent({ entry, state }: { entry: OutboxEntry; state: Row['state'] }) {
  const { chat, say } = useSurroundings();
  const { echoId, status } = entry;
  const failed = state === 'failed';
  // The same files would find what lies between as it was.
  const isLarge = status === 413 && entry.files.length > 0;
  const isLost = status === FILES_LOST;
  // An upload has its own way back.
  const waits = state === 'waiting' && !entry.files.length;
  const [late, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    const timer = waits ? setTimeout(() => setLate(true), LATE_MS) : undefined;
    return () => clearTimeout(timer);
  }, [waits]);
  if (!failed && !(waits && late)) return null;
  return (
    <div class="refused">
      {failed && (
        <>
          {status !== OVERDUE && (
            <p>
              {say(
                isLost ? 'filesLost' : isLarge ? 'filesTooLarge' : status === 413 ? 'tooLarge' : 'refused',
              )}
            </p>
          )}
          {!isLost && !isLarge && (
            <button type="button" class="small" onClick={() => void chat.retry(echoId)}>
              {say('retry')}
            </button>
          )}
        </>
      )}
      <button
        type="button"
        class="small"
        onClick={({ currentTarget }) => goHome(currentTarget, chat.edit(echoId))}
      >
        {say('edit')}
      </button>
      <button type="button" class="small" onClick={() => void chat.discard(echoId)}>
        {say('discard')}
      </button>
    </div>
  );
}

export const isMachine = ({ message }: Row): boolean =>
  message?.sender?.type === 'agent_bot' || message?.sender?.type === 'captain_assistant';

function DaySeparator({ at, day, today, timed }: { at: number; day: string; today: string; timed: boolean }) {
  const { say, locale } = useSurroundings();
  const now = new Date(today);
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  const label =
    day === today
      ? say('today')
      : day === yesterday.toDateString()
        ? say('yesterday')
        : timed
          ? when(at, locale, {
              weekday: 'long',
              day: 'numeric',
              month: 'long',
              ...yearOf(new Date(at), now),
            })
          : '\u00a0';
  return (
    <div class="day">
      <span>{label}</span>
    </div>
  );
}

/** All conversations of the visitor, the latest first: which one is open, which has ended, what is new. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { calm } from '../content/clean.js';
import { gistOf } from '../content/gist.js';
import { plainWords } from '../content/plain-words.js';
import { timeOf, when, yearOf } from '../content/when.js';
import type { ConversationLine } from '../model/conversations.js';
import { Avatar, nameOf } from '../ui/avatar.js';
import { useSurroundings } from '../ui/context.js';
import { useStore } from '../ui/use-store.js';
import { ScreenFrame, type ScreenProps } from './screen-frame.js';

/** More than a line shows, marks included. */
const MAX_READ = 999;

export function List({ onLeave }: ScreenProps): JSX.Element {
  const { chat, say, aloud } = useSurroundings();
  const lines = useStore(chat.$conversations);
  const [failed, setFailed] = useState(false);
  const [looking, setLooking] = useState(false);
  const [problem, setProblem] = useState('');

  async function look() {
    setLooking(true);
    const { ok } = await chat.listConversations();
    setLooking(false);
    setFailed(!ok);
  }
  useEffect(() => {
    void look();
    // Those of whoever has come in the place of the visitor have not been asked for.
    return chat.$conversations.listen((now) => now ?? void look());
  }, [chat]);

  /** @param words what it is that is shown then */
  async function go(words: string, work: ReturnType<typeof chat.newConversation>) {
    setProblem('');
    const done = await work;
    if (done.ok && done.value) {
      onLeave('composer');
      for (const tell of aloud ?? []) tell(words);
      return;
    }
    setProblem(say(done.ok ? 'wordsWait' : 'unavailable'));
  }
  const empty = lines?.length === 0;

  return (
    <ScreenFrame title="conversations" step={failed} onBack={() => onLeave('menu')}>
      <div role="status" class="quiet">
        {failed ? (
          <p>
            {say(looking ? 'conversationsLoading' : 'conversationsFailed')}{' '}
            <button
              type="button"
              class="small"
              aria-disabled={looking}
              onClick={() => looking || void look()}
            >
              {say('retry')}
            </button>
          </p>
        ) : (
          (!lines || empty) && <p>{say(empty ? 'noConversations' : 'conversationsLoading')}</p>
        )}
      </div>
      {lines && !empty && (
        <ul class="lines">
          {lines.map((line) => (
            <li key={line.id}>
              <Line line={line} onPress={(words) => void go(words, chat.chooseConversation(line.id))} />
            </li>
          ))}
        </ul>
      )}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <button
        type="button"
        class="go"
        onClick={() => void go(say('newConversation'), chat.newConversation())}
      >
        {say('newConversation')}
      </button>
    </ScreenFrame>
  );
}

function Line({
  line: { last, status, unread, current },
  onPress,
}: {
  line: ConversationLine;
  onPress: (words: string) => void;
}) {
  const { say, locale, settings } = useSurroundings();
  const mine = last?.message_type === 0;
  const other = mine ? undefined : last?.sender;
  // After words of the visitor's own it is the team that one talks with.
  const who = nameOf(other);
  const name = who ?? settings.title ?? say('agent');
  const words = last ? calm(gistOf(last, say).slice(0, MAX_READ)) : say('noWords');
  const shown = mine ? say('byYou', { words: `\u2068${words}\u2069` }) : plainWords(words);
  const at = timeOf((last?.created_at ?? 0) * 1000);
  const [then, now] = [new Date(at), new Date()];
  return (
    <button
      type="button"
      class={unread ? 'line-button is-new' : 'line-button'}
      aria-current={current}
      onClick={() => onPress(shown)}
    >
      <Avatar sender={other} name={name} />
      <span class="about">
        <span class="last text">{shown}</span>
        <span class="facts">
          {who && <span class="text">{who}</span>}
          {last && (
            <time dateTime={then.toISOString()}>
              {when(
                at,
                locale,
                then.toDateString() === now.toDateString()
                  ? { hour: 'numeric', minute: '2-digit' }
                  : { day: 'numeric', month: 'short', ...yearOf(then, now) },
              )}
            </time>
          )}
          {status === 'resolved' && <span>{say('ended')}</span>}
          {current && <span>{say('here')}</span>}
        </span>
      </span>
      {unread > 0 && (
        <span class="count">
          <span aria-hidden="true">{unread.toLocaleString(locale)}</span>
          <span class="sr">{say('unread', { count: unread })}</span>
        </span>
      )}
    </button>
  );
}

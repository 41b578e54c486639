/**
 * Speaks each message of the other side once to assistive technology, each failure of ours, and the end. The transcript
 * itself is silent, because history, reconnection and our own words change it, too. Two regions in turn, so that equal
 * texts are both said.
 */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { gistOf } from '../content/gist.js';
import { plainWords } from '../content/plain-words.js';
import { nameOf } from './avatar.js';
import { useSurroundings } from './context.js';

/** Longer texts are there to be read. */
const MAX_SPOKEN = 300;
const GATHER_MS = 150;
/** Said by then: whoever reads on past the end of the window would meet it a second time. */
const STANDS_MS = 10_000;

export function Announcer(): JSX.Element {
  const { chat, say } = useSurroundings();
  const [said, setSaid] = useState<{ turn: number; words: string }>({ turn: 0, words: '' });
  const waiting = useRef(new Set<() => string>());
  const hush = () => setSaid(({ turn }) => ({ turn, words: '' }));
  useEffect(() => {
    const timer = said.words && setTimeout(hush, STANDS_MS);
    return () => clearTimeout(timer || undefined);
  }, [said]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const gather = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        // Behind another page nobody hears it, and on the way back nobody would be told.
        if (document.hidden) return;
        const all = [...waiting.current].flatMap((words) => words() || []);
        waiting.current.clear();
        if (!all.length || !chat.$open.get()) return;
        const next =
          all.length > 3 ? `${all[0]}. ${say('unread', { count: all.length - 1 })}` : all.join('. ');
        setSaid(({ turn }) => ({ turn: turn + 1, words: next }));
      }, GATHER_MS);
    };
    const speak = (words: () => string) => {
      if (!chat.$open.get()) return;
      waiting.current.add(words);
      gather();
    };
    /** However many came, and whether or not they were read in another tab meanwhile. */
    const elsewhere = () => {
      const count = chat.$news.get().length - chat.$unread.get();
      return count > 0 ? say('menuNew', { count }) : '';
    };
    const spoken = (words: string) => plainWords(words.slice(0, 3 * MAX_SPOKEN)).slice(0, MAX_SPOKEN);
    const stops = [
      chat.onArrival((message) => {
        // Of another conversation, it would be taken for one of this.
        if (![undefined, chat.$home.get()].includes(message.conversation_id)) return speak(elsewhere);
        const words = say('said', {
          name: nameOf(message.sender) ?? say('agent'),
          words: spoken(gistOf(message, say)),
        });
        speak(() => words);
      }),
      chat.$status.listen((status, before) => {
        // What had ended before is no news. Of a long one the state is not asked: it is told when it changes.
        if (status === 'resolved' && (before || chat.$hasOlder.get())) speak(() => say('conversationEnded'));
      }),
      chat.$rows.listen((rows, before) => {
        if (!rows) {
          // Of another conversation, or of somebody who has left.
          waiting.current.clear();
          hush();
        }
        // What had failed when the page began is no news. Rows that wait are the last ones.
        for (let i = (before && rows ? rows.length : 0) - 1; rows?.[i]?.entry; i--) {
          const { key, state, content } = rows[i] ?? {};
          if (state !== 'failed' || before?.find((row) => row.key === key)?.state === 'failed') continue;
          const words = content?.slice(0, MAX_SPOKEN) || say('attachment');
          speak(() => say('notDelivered', { words }));
        }
      }),
    ];
    document.addEventListener('visibilitychange', gather);
    return () => {
      for (const stop of stops) stop();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', gather);
    };
  }, [chat, say]);
  return (
    <>
      <div class="sr" aria-live="polite">
        {said.turn % 2 ? said.words : ''}
      </div>
      <div class="sr" aria-live="polite">
        {said.turn % 2 ? '' : said.words}
      </div>
    </>
  );
}

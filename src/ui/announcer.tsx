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
  const waiting = useRef<string[]>([]);
  const hush = () => setSaid(({ turn }) => ({ turn, words: '' }));
  useEffect(() => {
    const timer = said.words && setTimeout(hush, STANDS_MS);
    return () => clearTimeout(timer || undefined);
  }, [said]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const speak = (words: string) => {
      if (!chat.$open.get()) return;
      waiting.current.push(words);
      timer ??= setTimeout(() => {
        timer = undefined;
        const all = waiting.current.splice(0);
        const next =
          all.length > 3 ? `${all[0]}. ${say('unread', { count: all.length - 1 })}` : all.join('. ');
        setSaid(({ turn }) => ({ turn: turn + 1, words: next }));
      }, GATHER_MS);
    };
    const spoken = (words: string) => plainWords(words.slice(0, 3 * MAX_SPOKEN)).slice(0, MAX_SPOKEN);
    const stops = [
      chat.onArrival((message) => {
        // Of another conversation, it would be taken for one of this.
        if (![undefined, chat.$home.get()].includes(message.conversation_id)) return;
        speak(
          say('said', {
            name: nameOf(message.sender) ?? say('agent'),
            words: spoken(gistOf(message, say)),
          }),
        );
      }),
      chat.$status.listen((status, before) => {
        // What had ended before is no news. Of a long one the state is not asked: it is told when it changes.
        if (status === 'resolved' && (before || chat.$hasOlder.get())) speak(say('conversationEnded'));
      }),
      chat.$rows.listen((rows, before) => {
        if (!rows) {
          // Of another conversation, or of somebody who has left.
          waiting.current = [];
          hush();
        }
        // What had failed when the page began is no news. Rows that wait are the last ones.
        for (let i = (before && rows ? rows.length : 0) - 1; rows?.[i]?.entry; i--) {
          const { key, state, content } = rows[i] ?? {};
          if (state !== 'failed' || before?.find((row) => row.key === key)?.state === 'failed') continue;
          speak(say('notDelivered', { words: content?.slice(0, MAX_SPOKEN) || say('attachment') }));
        }
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      clearTimeout(timer);
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

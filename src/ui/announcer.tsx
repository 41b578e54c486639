/**
 * Speaks each message of the other side once to assistive technology, what became of ours, and the end. The transcript
 * itself is silent, because history, reconnection and our own words change it, too. Two regions in turn, so that equal
 * texts are both said.
 */
import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { shortly } from '../content/clean.js';
import { filesOf, gistOf, typesOf } from '../content/gist.js';
import { plainWords } from '../content/plain-words.js';
import type { Message } from '../wire/message.js';
import { nameOf } from './avatar.js';
import { LATE_MS } from './bubble.js';
import { useSurroundings } from './context.js';
import { isParted } from './greeting.js';

/** Longer texts are there to be read. */
const MAX_SPOKEN = 300;
const GATHER_MS = 150;
/** Said by then: whoever reads on past the end of the window would meet it a second time. */
const STANDS_MS = 10_000;

export function Announcer(): JSX.Element {
  const { chat, say, aloud, later } = useSurroundings();
  const [said, setSaid] = useState<{ turn: number; words: string }>({ turn: 0, words: '' });
  /** What is to be said, the message that it is about, and whether it is that message. */
  const waiting = useRef(new Map<() => string, { id: number | undefined; isMessage: boolean }>());
  const hush = () => setSaid(({ turn }) => ({ turn, words: '' }));
  useLayoutEffect(() => {
    const timer = said.words && setTimeout(hush, STANDS_MS);
    return () => clearTimeout(timer || undefined);
  }, [said]);
  // At once: what comes before the next frame is shown, too.
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const gather = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        // Behind another page nobody hears it, and on the way back nobody would be told.
        if (document.hidden) return;
        const messages: string[] = [];
        const others: string[] = [];
        for (const [words, { isMessage }] of waiting.current) (isMessage ? messages : others).push(words());
        waiting.current.clear();
        if (messages.length > 3)
          messages.splice(1, messages.length, say('unread', { count: messages.length - 1 }));
        const next = [...messages, ...others].filter(Boolean).join('. ');
        if (next && chat.$open.get()) setSaid(({ turn }) => ({ turn: turn + 1, words: next }));
      }, GATHER_MS);
    };
    const speak = (words: () => string, id?: number, isMessage = id !== undefined) => {
      if (!chat.$open.get()) return;
      waiting.current.set(words, { id, isMessage });
      gather();
    };
    /** However many came, and whether or not they were read in another tab meanwhile. */
    const elsewhere = () => {
      const count = chat.$news.get().length - chat.$unread.get();
      return count > 0 ? say('menuNew', { count }) : '';
    };
    const spoken = (words: string, types: readonly (string | undefined)[]) =>
      [shortly(words, MAX_SPOKEN), types.length > 0 && filesOf(types, say)].filter(Boolean).join('. ');
    // However many have left.
    const sent = () => say('sent');
    let late: ReturnType<typeof setTimeout> | undefined;
    const waits = () => (chat.$rows.get()?.at(-1)?.state === 'waiting' ? say('waiting') : '');
    /** That somebody writes is told once after the visitor's own words: from then on it is their messages that are. */
    let turned = false;
    /** What asks for an answer is known by another file, which also draws it. */
    async function asked(message: Message) {
      if ((message.content_type ?? 'text') === 'text') return;
      const file = await later?.asks?.open().catch(() => undefined);
      const words = file?.asking(message, say);
      const isShown = () => chat.$rows.get()?.some((row) => row.message?.id === message.id);
      // What is no news any more was heard in another tab.
      if (words && (!document.hidden || chat.$news.get().some(({ id }) => id === message.id)))
        speak(() => (isShown() ? words : ''), message.id, false);
    }
    const stops = [
      chat.onArrival((message) => {
        // Of another conversation, it would be taken for one of this.
        if (![undefined, chat.$home.get()].includes(message.conversation_id)) return speak(elsewhere);
        const { content, sender, attachments } = message;
        const words = say('said', {
          name: nameOf(sender) ?? say('agent'),
          words: spoken(
            plainWords(shortly(gistOf(message, say), 3 * MAX_SPOKEN)),
            content?.trim() ? typesOf(attachments) : [],
          ),
        });
        speak(() => words, message.id);
        void asked(message);
      }),
      chat.$typing.listen((typing) => {
        if (!typing || turned || document.hidden || !chat.$open.get()) return;
        turned = true;
        speak(() => (chat.$typing.get() ? say('typing', { name: nameOf(typing) ?? say('agent') }) : ''));
      }),
      // What was read in another tab meanwhile was heard there.
      chat.$news.listen((news, before) => {
        const among = (all?: readonly Message[], id?: number) => all?.some((one) => one.id === id);
        for (const [words, { id }] of waiting.current)
          if (document.hidden && among(before, id) && !among(news, id)) waiting.current.delete(words);
      }),
      chat.$known.listen((known, before) => {
        if (isParted(known) && !isParted(before)) speak(() => say('signedIn'));
      }),
      chat.$status.listen((status, before) => {
        // What had ended before is no news. Of a long one the state is not asked: it is told when it changes.
        if (status === 'resolved' && (before || chat.$hasOlder.get()))
          speak(() => (chat.$status.get() === status ? say('conversationEnded') : ''));
      }),
      chat.$rows.listen((rows, before) => {
        if (!rows) {
          // Of another conversation, or of somebody who has left.
          waiting.current.clear();
          hush();
          turned = false;
        }
        // Rows that wait are the last ones. Nobody looks up from a field to see that its words have left.
        for (let i = (before?.length ?? 0) - 1; before?.[i]?.entry; i--) {
          const { key, state } = before[i] ?? {};
          const now = state !== 'failed' && !document.hidden && rows?.findLast((row) => row.key === key);
          if (now && now.state === 'sent') speak(sent);
        }
        // Sent just now, and from here: another tab tells of its own.
        if (rows?.at(-1)?.state === 'keeping') {
          turned = false;
          clearTimeout(late);
          late = setTimeout(() => speak(waits), LATE_MS);
        }
        // What had failed when the page began is no news.
        for (let i = (before && rows ? rows.length : 0) - 1; rows?.[i]?.entry; i--) {
          const { key, state, content, entry } = rows[i] ?? {};
          if (state !== 'failed' || before?.find((row) => row.key === key)?.state === 'failed') continue;
          const words = spoken(content ?? '', entry?.files.map(({ type }) => type) ?? []);
          // It may have been sent again from another tab.
          const stands = () => chat.$rows.get()?.some((row) => row.key === key && row.state === 'failed');
          speak(() => (stands() ? say('notDelivered', { words }) : ''));
        }
      }),
    ];
    const tell = (words: string) => speak(() => shortly(words, MAX_SPOKEN));
    aloud?.add(tell);
    document.addEventListener('visibilitychange', gather);
    return () => {
      aloud?.delete(tell);
      for (const stop of stops) stop();
      clearTimeout(timer);
      clearTimeout(late);
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

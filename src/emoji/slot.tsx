/** The picker as the composer shows it: in the visitor's language, with what they have picked before. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type EmojiSlot, useSurroundings } from '../ui/context.js';
import { EmojiPicker } from './picker.js';
import { readTable, toneOf } from './table.js';
import { emojiText } from './text.js';

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

export function Emoji({ onPick, onClose }: EmojiSlot): JSX.Element {
  const { chat, say, locale, nameEmoji } = useSurroundings();
  /** Until they are here, and where they do not come, the names are English. */
  const [names, setNames] = useState<string>();
  const table = useMemo(() => readTable(names, locale), [names, locale]);
  useEffect(() => {
    let over = false;
    setNames(undefined);
    nameEmoji?.().then(
      (come) => over || setNames(come),
      () => {},
    );
    return () => {
      over = true;
    };
  }, [nameEmoji]);
  const [recent, setRecent] = useState(() => strings(chat.recall('emoji')));
  const [tone, setTone] = useState(() => toneOf(chat.recall('tone')));
  return (
    <EmojiPicker
      text={emojiText(say)}
      table={table}
      recent={recent}
      tone={tone}
      onPick={onPick}
      onClose={onClose}
      onRecent={(next) => {
        setRecent(next);
        chat.keep('emoji', next);
      }}
      onTone={(next) => {
        setTone(next);
        chat.keep('tone', next);
      }}
    />
  );
}

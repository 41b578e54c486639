/**
 * Where an emoji is looked for and picked, by hand, key or ear. It does not know where it stands, where the emoji
 * goes, nor where the recent ones and the tone are kept.
 */
import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { CloseIcon } from '../ui/icons.js';
import { type Emoji, type Table, TONES, type Tone, withTone } from './table.js';
import type { EmojiText } from './text.js';
import { walk } from './walk.js';

export interface EmojiPickerProps {
  text: EmojiText;
  table: Table;
  /** @param pressed by a mouse or a pen: whoever types next goes on with the words */
  onPick: (emoji: string, pressed: boolean) => void;
  /** Escape or the button; the focus is the caller's to bring home. */
  onClose: () => void;
  /** The last one first, in their tones. What is not known is not shown. */
  recent: readonly string[];
  /** The list to keep from now on. */
  onRecent: (recent: string[]) => void;
  tone: Tone;
  onTone: (tone: Tone) => void;
}

const COLUMNS = 8;
const RECENT = 24;

export function EmojiPicker(props: EmojiPickerProps): JSX.Element {
  const { text, table, tone } = props;
  const [query, setQuery] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const preview = useRef<HTMLSpanElement>(null);
  const picked = useRef<HTMLParagraphElement>(null);
  // As they were on opening: nothing moves away under the hand that picks several.
  const [before] = useState(props.recent);
  const recent = useMemo(() => table.named(before).slice(0, RECENT), [table]);
  const hits = useMemo(() => (query.trim() ? table.find(query) : undefined), [query, table]);
  const sections = useMemo(() => {
    // Its buttons are the same in another language, with the focus that they have.
    const section = (key: string | number, title = '', entries: Emoji[], tone: Tone) =>
      entries.length > 0 && <Section key={key} title={title} entries={entries} tone={tone} />;
    return hits
      ? section('hits', text.search, hits, tone)
      : [
          section('recent', text.recent, recent, 0),
          ...table.groups.map((group, i) => section(i, text.groups[i], group, tone)),
        ];
  }, [hits, tone, text, table]);

  useLayoutEffect(() => {
    grid.current?.scrollTo?.(0, 0);
    rove(grid.current?.querySelector('button'));
    // Its name may be of one that is shown no more.
    if (preview.current) preview.current.textContent = '';
  }, [hits]);
  // Names may come after the focus has.
  useLayoutEffect(() => {
    if (preview.current?.textContent)
      preview.current.textContent = current()?.getAttribute('aria-label') ?? '';
  }, [table]);
  // On a touch screen a field would bring up the keyboard over what is picked from.
  const touched = () => matchMedia('(pointer: coarse)').matches;
  useLayoutEffect(() => (touched() ? current() : field.current)?.focus(), []);

  const current = () => grid.current?.querySelector<HTMLElement>('[tabindex="0"]');

  /** One button of the grid is in the order of the tab key: the one that had the focus last. */
  function rove(to: Element | null | undefined) {
    current()?.setAttribute('tabindex', '-1');
    to?.setAttribute('tabindex', '0');
  }

  const cellOf = ({ target }: Event) => (target instanceof Element ? target.closest('td') : null);

  function point(event: Event) {
    const button = cellOf(event)?.firstElementChild;
    if (!button) return;
    if (event.type === 'focusin') rove(button);
    if (preview.current) preview.current.textContent = button.getAttribute('aria-label');
  }

  function pick(event: MouseEvent) {
    const cell = cellOf(event);
    const emoji = cell?.textContent;
    if (!emoji) return;
    // It goes where the focus is not. Twice the same is said twice.
    const name = cell.firstElementChild?.getAttribute('aria-label') ?? emoji;
    if (picked.current)
      picked.current.textContent = name + (picked.current.textContent === name ? '\u00a0' : '');
    props.onPick(emoji, event.detail > 0 && !touched());
    props.onRecent([emoji, ...props.recent.filter((other) => other !== emoji)].slice(0, RECENT));
  }

  function keyDown(event: KeyboardEvent) {
    const { key } = event;
    const cell = cellOf(event);
    let to: Element | null | undefined;
    if (event.isComposing || event.keyCode === 229 || event.altKey || event.metaKey || !grid.current) return;
    if (key === 'Escape') {
      // The window would close, too.
      event.stopPropagation();
      event.preventDefault();
      props.onClose();
    } else if (cell) {
      to = walk(grid.current, cell, key, event.ctrlKey);
      if (!to && key === 'ArrowUp') to = field.current;
      // Whoever goes on typing goes on searching.
      if (/^[^ ]$/u.test(key) && !event.ctrlKey) field.current?.focus();
    } else {
      const searching = event.target === field.current;
      if (searching && key === 'ArrowDown') to = current();
      if (key === 'Enter' && event.target instanceof HTMLInputElement) {
        // The picker may stand in a form, which would be sent.
        event.preventDefault();
        if (searching && hits) current()?.click();
      }
    }
    if (to instanceof HTMLElement) {
      event.preventDefault();
      to.focus();
    }
  }

  return (
    <div
      class="emoji"
      part="emoji"
      role="dialog"
      aria-label={text.picker}
      onClick={pick}
      onKeyDown={keyDown}
      onFocusIn={point}
      onPointerOver={point}
    >
      <div class="emoji-head">
        <input
          ref={field}
          type="search"
          aria-label={text.search}
          placeholder={text.search}
          autocomplete="off"
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        <button type="button" aria-label={text.close} onClick={props.onClose}>
          <CloseIcon />
        </button>
      </div>
      <div class="emoji-tones" role="radiogroup" aria-label={text.tone}>
        <span ref={preview} aria-hidden="true" />
        {TONES.map((one) => (
          <input
            key={one}
            type="radio"
            name="parley-tone"
            aria-label={text.tones[one]}
            title={text.tones[one]}
            checked={one === tone}
            onChange={() => props.onTone(one)}
          />
        ))}
      </div>
      <p role="status">{hits && (hits.length ? text.hits(hits.length) : text.none)}</p>
      <p class="sr" role="status" ref={picked} />
      <div class="emoji-grid" ref={grid}>
        {sections}
      </div>
    </div>
  );
}

function Section({ title, entries, tone }: { title: string; entries: Emoji[]; tone: Tone }): JSX.Element {
  const rows = [];
  for (let i = 0; i < entries.length; i += COLUMNS) rows.push(entries.slice(i, i + COLUMNS));
  return (
    <section style={{ '--rows': rows.length }}>
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: HTML lets a table be a grid, cells included */}
      <table role="grid" aria-label={title}>
        <col span={COLUMNS} />
        {rows.map((row, i) => (
          <tr key={i}>
            {row.map(({ emoji, name, lang }) => (
              <td key={emoji} lang={lang}>
                <button type="button" tabIndex={-1} aria-label={name}>
                  {withTone(emoji, tone)}
                </button>
              </td>
            ))}
          </tr>
        ))}
      </table>
    </section>
  );
}

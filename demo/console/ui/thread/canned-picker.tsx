/** Canned answers by their short code or their words; arrows walk, Enter takes. */
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Desk } from '../../state/desk.js';
import { Dialog } from '../kit/dialog.js';
import { ShelfProblem } from '../shelf-problem.js';
import { useShelf } from '../use-shelf.js';

interface Props {
  desk: Desk;
  onPick(words: string): void;
  /** A slash, where no search has begun; another one is searched for. */
  onSlash?: (() => void) | undefined;
  onClose(): void;
}

export function CannedPicker({ desk, onPick, onSlash, onClose }: Props) {
  const all = useShelf(desk.shelves.canned);
  const [search, setSearch] = useState('');
  const [at, setAt] = useState(0);
  const wanted = search.toLowerCase();
  const found = (all ?? []).filter(
    ({ short_code, content }) =>
      short_code.toLowerCase().includes(wanted) || content.toLowerCase().includes(wanted),
  );
  const none = all && found.length === 0 && (all.length ? 'None has these words.' : 'There are none yet.');
  const current = found[Math.min(at, found.length - 1)];

  useLayoutEffect(() => {
    if (current) document.getElementById(`canned-${current.id}`)?.scrollIntoView({ block: 'nearest' });
  }, [current?.id]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const by = event.key === 'ArrowDown' ? 1 : -1;
      setAt(Math.max(0, Math.min(found.length - 1, at + by)));
    } else if (event.key === 'Enter' && !event.isComposing && event.keyCode !== 229) {
      event.preventDefault();
      if (current) onPick(current.content);
    } else if (event.key === '/' && search === '' && onSlash) {
      event.preventDefault();
      onSlash();
    }
  }

  return (
    <Dialog title="Canned answers" onClose={onClose}>
      <input
        type="text"
        class="plain-input"
        aria-label="Search canned answers"
        placeholder="Search by code or words"
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls="canned-found"
        aria-activedescendant={current && `canned-${current.id}`}
        aria-describedby={onSlash && 'canned-slash'}
        autoFocus
        value={search}
        onInput={({ currentTarget }) => {
          setSearch(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      {onSlash && (
        <p id="canned-slash" class="hint">
          Another / begins the words with it.
        </p>
      )}
      <div id="canned-found" role="listbox" aria-label="Canned answers" class="canned-found">
        {found.map((one) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: keys are taken by the field
          <div
            key={one.id}
            id={`canned-${one.id}`}
            role="option"
            aria-selected={one === current}
            onClick={() => onPick(one.content)}
          >
            <span class="code">/{one.short_code}</span>
            <span class="words" dir="auto">
              {one.content}
            </span>
          </div>
        ))}
      </div>
      <ShelfProblem shelves={[desk.shelves.canned]} />
      <p class={none ? 'hint' : 'hidden'}>
        {/* Always there: what comes together with its words is not said everywhere. */}
        <span role="status">{none}</span>
        {none && (
          <>
            {' '}
            <a href="#/settings/canned">Write one</a>
          </>
        )}
      </p>
    </Dialog>
  );
}

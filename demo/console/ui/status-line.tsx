/** Says what went wrong or was done, in one sentence, with a way to mend it. Knows no source of notices. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { createNotices, Notice } from '../state/notices.js';
import { Icon } from './icons.js';
import { useHeir } from './kit/use-heir.js';
import { useStore } from './use-store.js';

const PATIENCE_MS = 250;

export function StatusLine({ notices }: { notices: ReturnType<typeof createNotices> }) {
  const notice = useStore(notices.$notice);
  const [shown, setShown] = useState(notice);
  // Nothing is said until it has been true for a while.
  useEffect(() => {
    const timer = setTimeout(() => setShown(notice), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [notice]);

  return (
    <footer class={`status-line ${shown?.tone ?? 'empty'}`}>
      <p role="status">
        {shown && <Icon name={shown.tone === 'problem' ? 'warning' : 'check'} />}
        {shown && <span key={shown.turn}>{shown.text}</span>}
      </p>
      {shown?.act && <Act act={shown.act} />}
    </footer>
  );
}

/** Gone, the focus is where it came from, or else at the page that is shown. */
function Act({ act }: { act: NonNullable<Notice['act']> }) {
  const before = useRef<EventTarget | null>(null);
  const ref = useHeir<HTMLButtonElement>(() => {
    const from = before.current;
    if (from instanceof HTMLElement && from.isConnected && from.getClientRects().length > 0) return from;
    return document.querySelector<HTMLElement>('main :is(h1, h2)[tabindex]');
  });
  return (
    <button
      ref={ref}
      type="button"
      class="quiet"
      onFocus={({ relatedTarget }) => {
        before.current = relatedTarget;
      }}
      onClick={act.run}
    >
      {act.words}
    </button>
  );
}

/** Says what went wrong or was done, in one sentence, with a way to mend it. Knows no source of notices. */
import { useEffect, useState } from 'preact/hooks';
import type { createNotices } from '../state/notices.js';
import { Icon } from './icons.js';
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
        {shown?.text}
      </p>
      {shown?.act && (
        <button type="button" class="quiet" onClick={shown.act.run}>
          {shown.act.words}
        </button>
      )}
    </footer>
  );
}

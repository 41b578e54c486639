/** The state of the line in one plain sentence, said only when it has been true for a while. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { LineState, Trouble } from '../state/front.js';
import type { Key } from '../text/text.js';
import { useSurroundings } from './context.js';
import { useStore } from './use-store.js';

const PATIENCE_MS = 1500;

function sentence(line: LineState, troubles: readonly Trouble[]): Key | undefined {
  if (line === 'down') return navigator.onLine === false ? 'offline' : 'down';
  return troubles[0] ?? (line === 'connecting' ? 'connecting' : undefined);
}

export function StatusLine(): JSX.Element {
  const { chat, say } = useSurroundings();
  const now = sentence(useStore(chat.$line), useStore(chat.$troubles));
  const [shown, setShown] = useState<Key | undefined>();
  useEffect(() => {
    if (now === shown) return;
    // Good news is not kept waiting.
    const timer = setTimeout(() => setShown(now), now ? PATIENCE_MS : 0);
    return () => clearTimeout(timer);
  }, [now, shown]);
  return (
    <div class="status" part="status" role="status">
      {shown && <p>{say(shown)}</p>}
    </div>
  );
}

/** The state of the line in one plain sentence, said only when it has been true for a while. */
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { LineState } from '../state/front.js';
import type { Key } from '../text/text.js';
import { useSurroundings } from './context.js';
import { useStore } from './use-store.js';

const PATIENCE_MS = 1500;
const NETWORK = ['online', 'offline'];

function sentence(line: LineState, trouble: Key | undefined): Key | undefined {
  if (line === 'down') return navigator.onLine === false ? 'offline' : 'down';
  return trouble ?? (line === 'connecting' ? 'connecting' : undefined);
}

/**
 * @param missing what is said while there is no conversation to be seen
 * @param turn with another one it is said again
 */
export function StatusLine({ missing, turn }: { missing: Key | undefined; turn?: number }): JSX.Element {
  const { chat, say } = useSurroundings();
  const [trouble] = useStore(chat.$troubles);
  const now = sentence(useStore(chat.$line), trouble ?? missing);
  const [shown, setShown] = useState<Key | undefined>();
  const [, setTurn] = useState<Event>();
  useLayoutEffect(() => {
    for (const event of NETWORK) window.addEventListener(event, setTurn);
    return () => {
      for (const event of NETWORK) window.removeEventListener(event, setTurn);
    };
  }, []);
  useEffect(() => {
    if (now === shown) return;
    // Good news is not kept waiting.
    const timer = setTimeout(() => setShown(now), now ? PATIENCE_MS : 0);
    return () => clearTimeout(timer);
  }, [now, shown]);
  return (
    <div class="status" part="status" role="status">
      {shown && <p key={turn}>{say(shown)}</p>}
    </div>
  );
}

/**
 * A service may tell of a message before the file of it has reached its storage: what did not come is asked for again.
 * Of messages that the visitor has not had before their eyes before, by no clock: the service's may be another than
 * theirs. It does not know what shows it.
 */
import { useEffect } from 'preact/hooks';
import { useBroken } from '../ui/avatar.js';
import { useSurroundings } from '../ui/context.js';
import type { Message } from '../wire/message.js';

const WAITS_MS = [2_000, 5_000, 15_000];
/** How often each address was asked for again, for as long as the page lives: what is drawn anew has no more tries. */
const tries = new Map<string, number>();

export function useComing(src: string, { id }: Message): ReturnType<typeof useBroken> {
  const { chat } = useSurroundings();
  const coming = useBroken();
  const [broken, , ask] = coming;
  useEffect(() => {
    const tried = tries.get(src) ?? 0;
    const ms = WAITS_MS[tried];
    if (!broken || !ms || id <= chat.seenBefore()) return undefined;
    const timer = setInterval(() => {
      if (document.hidden) return;
      tries.set(src, tried + 1);
      ask();
    }, ms);
    return () => clearInterval(timer);
  }, [broken]);
  return coming;
}

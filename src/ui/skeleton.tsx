/** What stands where messages will be, while they are on their way. */
import type { JSX } from 'preact';
import { useSurroundings } from './context.js';

export function Skeleton(): JSX.Element | null {
  const { chat } = useSurroundings();
  // To whoever has never written, nothing is on its way.
  if (chat.$known.get()) return null;
  return (
    <div class="loading" aria-hidden="true">
      <i />
      <i />
      <i />
    </div>
  );
}

/** What stands where messages will be, while they are on their way. */
import type { JSX } from 'preact';

export function Skeleton(): JSX.Element {
  return (
    <div class="loading" aria-hidden="true">
      <i />
      <i />
      <i />
    </div>
  );
}

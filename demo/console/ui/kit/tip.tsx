/** What all of a button shows to who points at it. A title of the button itself would be read out after its name. */
import type { ComponentChildren } from 'preact';

export function Tip({ words, children }: { words: string; children: ComponentChildren }) {
  return (
    <span class="tip" title={words}>
      {children}
    </span>
  );
}

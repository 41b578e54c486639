/** A button that asks before it signs out: what was begun goes with it. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Confirm } from './kit/dialog.js';

interface Props {
  onSignOut(): void;
  children: ComponentChildren;
}

export function SignOut({ onSignOut, children }: Props) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class="quiet sign-out" onClick={() => setAsking(true)}>
        {children}
      </button>
      {asking && (
        <Confirm
          title="Sign out?"
          words="You need your link to come back. Drafts, and replies that are not sent yet, are lost."
          button="Sign out"
          onClose={() => setAsking(false)}
          onYes={onSignOut}
        />
      )}
    </>
  );
}

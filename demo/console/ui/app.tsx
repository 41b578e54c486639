/** Which page there is: the sign-in form, a wait, or the desk. Knows no data of the desk. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Session } from '../state/session.js';
import { Confirm } from './kit/dialog.js';
import { useOrphan } from './kit/use-orphan.js';
import { Shell } from './shell.js';
import { SignIn } from './sign-in.js';
import { useStore } from './use-store.js';

export function App({ session }: { session: Session }) {
  const [leaving, setLeaving] = useState(false);
  useEffect(() => session.listen(), [session]);

  return (
    <>
      <Page session={session} onSignOut={() => setLeaving(true)} />
      {leaving && (
        <Confirm
          title="Sign out?"
          words="You need your link to come back. Drafts, and replies that are not sent yet, are lost."
          button="Sign out"
          onClose={() => setLeaving(false)}
          onYes={() => {
            setLeaving(false);
            session.signOut();
          }}
        />
      )}
    </>
  );
}

function Page({ session, onSignOut }: { session: Session; onSignOut(): void }) {
  const phase = useStore(session.$phase);
  const first = useRef(phase);

  switch (phase.name) {
    case 'signed-in':
      return <Shell desk={phase.desk} onSignOut={onSignOut} />;
    case 'signed-out':
      return <SignIn problem={phase.problem} isBack={phase !== first.current} onEnter={session.enter} />;
    case 'entering':
      return (
        <main class="gate">
          <h1 class="wordmark">Parley</h1>
          <p role="status">Signing in …</p>
        </main>
      );
    case 'unreachable':
      return <Unreachable problem={phase.problem} onRetry={session.retry} onSignOut={onSignOut} />;
  }
}

function Unreachable(props: { problem: string; onRetry(): void; onSignOut(): void }) {
  const again = useOrphan<HTMLButtonElement>(true);
  return (
    <main class="gate">
      <h1 class="wordmark">Parley</h1>
      <p role="alert" class="problem">
        {props.problem}
      </p>
      <button ref={again} type="button" class="primary" onClick={props.onRetry}>
        Try again
      </button>
      <button type="button" class="quiet" onClick={props.onSignOut}>
        Use another token
      </button>
    </main>
  );
}

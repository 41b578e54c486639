/** Which page there is: the sign-in form, a wait, or the desk. Knows no data of the desk. */
import { useEffect, useState } from 'preact/hooks';
import type { Session } from '../state/session.js';
import { Confirm } from './kit/dialog.js';
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

  switch (phase.name) {
    case 'signed-in':
      return <Shell desk={phase.desk} onSignOut={onSignOut} />;
    case 'signed-out':
      return <SignIn problem={phase.problem} onEnter={session.enter} />;
    case 'entering':
      return (
        <main class="gate">
          <h1 class="wordmark">Parley</h1>
          <p role="status">Signing in …</p>
        </main>
      );
    case 'unreachable':
      return (
        <main class="gate">
          <h1 class="wordmark">Parley</h1>
          <p role="alert" class="problem">
            {phase.problem}
          </p>
          <button type="button" class="primary" onClick={session.retry}>
            Try again
          </button>
          <button type="button" class="quiet" onClick={onSignOut}>
            Use another token
          </button>
        </main>
      );
  }
}

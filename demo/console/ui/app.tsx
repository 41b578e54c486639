/** Which page there is: the sign-in form, a wait, or the desk. Knows no data of the desk. */
import { useEffect } from 'preact/hooks';
import type { Session } from '../state/session.js';
import { Shell } from './shell.js';
import { SignIn } from './sign-in.js';
import { SignOut } from './sign-out.js';
import { useStore } from './use-store.js';

export function App({ session }: { session: Session }) {
  const phase = useStore(session.$phase);
  useEffect(() => session.listen(), [session]);

  switch (phase.name) {
    case 'signed-in':
      return <Shell desk={phase.desk} onSignOut={session.signOut} />;
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
          <SignOut onSignOut={session.signOut}>Use another token</SignOut>
        </main>
      );
  }
}

/** One field for the access token. Knows nothing of what the token opens. */
import { useState } from 'preact/hooks';
import { useOrphan } from './kit/use-orphan.js';

interface Props {
  problem: string;
  /** Something else was shown before, and has gone with the focus. */
  isBack: boolean;
  onEnter(token: string): void;
}

export function SignIn({ problem, isBack, onEnter }: Props) {
  const [missing, setMissing] = useState(false);
  // A field would open the keyboard of a phone over the page.
  const heading = useOrphan<HTMLHeadingElement>(isBack && problem === '');
  const field = useOrphan<HTMLInputElement>(problem !== '');
  const said = missing ? 'Paste your access token first.' : problem;

  function submit(event: SubmitEvent & { currentTarget: HTMLFormElement }) {
    event.preventDefault();
    const token = String(new FormData(event.currentTarget).get('token') ?? '').trim();
    setMissing(!token);
    if (token) onEnter(token);
  }

  return (
    <main class="gate">
      <h1 ref={heading} class="wordmark" tabIndex={-1}>
        Parley
      </h1>
      <p class="lead">
        The console answers your visitors. The service prints a link with your token when it starts.
      </p>
      <form onSubmit={submit} noValidate>
        <label for="token">Access token</label>
        <input
          ref={field}
          id="token"
          name="token"
          type="password"
          autocomplete="current-password"
          autocapitalize="none"
          spellcheck={false}
          aria-invalid={said ? true : undefined}
          aria-describedby="token-problem"
        />
        <p id="token-problem" role="alert" class="problem">
          {said}
        </p>
        <button type="submit" class="primary">
          Sign in
        </button>
      </form>
    </main>
  );
}

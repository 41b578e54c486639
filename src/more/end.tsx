/** The question before a chat is ended. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useSurroundings } from '../ui/context.js';
import { useStore } from '../ui/use-store.js';
import { ScreenFrame, type ScreenProps } from './screen-frame.js';

export function End({ onLeave, onSay }: ScreenProps): JSX.Element {
  const { chat, say } = useSurroundings();
  const [problem, setProblem] = useState('');
  const [ending, setEnding] = useState(false);
  const gone = useRef(false);
  useEffect(
    () => () => {
      gone.current = true;
    },
    [],
  );
  const status = useStore(chat.$status);
  useEffect(() => {
    // An agent was quicker: there is nothing to ask any more.
    if (status === 'resolved' && !ending) onLeave('composer');
  }, [status]);
  async function end() {
    if (ending) return;
    setEnding(true);
    setProblem('');
    const ended = await chat.endConversation();
    setEnding(false);
    // Who has gone elsewhere meanwhile stays there, and is told above the composer.
    if (!ended.ok || !ended.value)
      (gone.current ? onSay : setProblem)(say(ended.ok ? 'wordsWait' : 'endFailed'));
    else if (!gone.current) onLeave('composer');
  }
  return (
    <ScreenFrame title="endTitle" onBack={() => onLeave('menu')}>
      <p>{say('endText')}</p>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="deeds">
        <button
          type="button"
          class="go"
          aria-busy={ending || undefined}
          aria-disabled={ending}
          onClick={() => void end()}
        >
          {say('endChat')}
        </button>
        <button type="button" class="tall" onClick={() => onLeave('composer')}>
          {say('goOn')}
        </button>
      </div>
      <p role="status">{ending && say('sending')}</p>
    </ScreenFrame>
  );
}

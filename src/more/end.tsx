/** The question before a chat is ended. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useSurroundings } from '../ui/context.js';
import { Frame, type ScreenProps } from './screens.js';

export function End({ onLeave }: ScreenProps): JSX.Element {
  const { chat, say } = useSurroundings();
  const [problem, setProblem] = useState('');
  async function end() {
    const ended = await chat.endConversation();
    if (ended.ok && ended.value) return onLeave('composer');
    setProblem(say(ended.ok ? 'wordsWait' : 'endFailed'));
  }
  return (
    <Frame title="endTitle" onBack={() => onLeave('menu')}>
      <p>{say('endText')}</p>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="deeds">
        <button type="button" class="go" onClick={() => void end()}>
          {say('endChat')}
        </button>
        <button type="button" class="tall" onClick={() => onLeave('composer')}>
          {say('goOn')}
        </button>
      </div>
    </Frame>
  );
}

/**
 * What stands above the composer once a conversation has ended: it can be opened again, or left for another one. The
 * announcer says so aloud: words that come together with what says them are not heard everywhere.
 */
import type { JSX } from 'preact';
import { useSurroundings } from '../ui/context.js';
import type { ScreenProps } from './screen-frame.js';

export function Ended({ onLeave, onSay }: ScreenProps): JSX.Element {
  const { chat, say, aloud } = useSurroundings();
  async function startNew() {
    const left = await chat.newConversation();
    if (left.ok && left.value) {
      onLeave('composer');
      for (const tell of aloud ?? []) tell(say('newConversation'));
    } else onSay(say(left.ok ? 'wordsWait' : 'unavailable'));
  }
  return (
    <div class="ended">
      <p>{say('conversationEnded')}</p>
      <button type="button" class="small" onClick={() => void startNew()}>
        {say('startNew')}
      </button>
    </div>
  );
}

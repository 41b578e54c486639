/** What stands in the second column while there is no thread in it, and why. Where one waits for good, it lets go. */
import type { Desk } from '../../state/desk.js';
import { Icon } from '../icons.js';
import { useArrival } from '../kit/use-arrival.js';
import { useHeir } from '../kit/use-heir.js';
import { useStore } from '../use-store.js';

/** @param id of the conversation that is to be here */
export function Nothing({ desk, id }: { desk: Desk; id: number | undefined }) {
  const isShut = useStore(desk.$shutId) === id;
  const entries = useStore(desk.outbox.$entries);
  if (id === undefined) {
    return (
      <div class="nothing">
        <h2 id="thread-title">No conversation open</h2>
        <p>Choose one from the list. New messages appear there on their own.</p>
      </div>
    );
  }
  // Nobody else shows what waits in a conversation that is gone.
  const unsent = isShut ? entries.filter((one) => one.conversationId === id && one.state === 'failed') : [];
  return (
    <>
      <button type="button" class="quiet back" onClick={() => desk.place.go({})}>
        <Icon name="back" />
        <span>
          Back<span class="hidden"> to conversations</span>
        </span>
      </button>
      <div class="nothing">
        <Heading key={id} isShut={isShut} />
        <ul>
          {unsent.map((entry) => (
            <Unsent
              key={entry.echoId}
              words={entry.content || entry.fileNames.join(', ')}
              problem={entry.problem}
              onDiscard={() => desk.discard(entry)}
            />
          ))}
        </ul>
      </div>
    </>
  );
}

function Heading({ isShut }: { isShut: boolean }) {
  const ref = useArrival();
  return (
    <h2 ref={ref} id="thread-title" tabIndex={-1}>
      {isShut ? 'The conversation could not be opened' : 'Opening the conversation …'}
    </h2>
  );
}

function Unsent(props: { words: string; problem: string; onDiscard(): void }) {
  const ref = useHeir<HTMLLIElement>((going) => going.closest('.nothing')?.querySelector('h2'));
  return (
    <li ref={ref}>
      <p dir="auto" class="unsent">
        {props.words}
      </p>
      <p class="problem">{props.problem}</p>
      <button type="button" class="secondary" onClick={props.onDiscard}>
        Discard
      </button>
    </li>
  );
}

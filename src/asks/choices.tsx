/** Quick replies: buttons until one is pressed, then a list that says which. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useSurroundings } from '../ui/context.js';
import type { Message } from '../wire/message.js';
import { Outcome, useAnswering } from './answering.js';
import { CheckIcon } from './drawings.js';
import { type Answer, type Option, readAnswers } from './read.js';

export function Choices({ message, options }: { message: Message; options: Option[] }): JSX.Element {
  const { chat, say } = useSurroundings();
  const [answer] = readAnswers(message.content_attributes) ?? [];
  const answering = useAnswering(answer !== undefined, 'answerRefused');
  /** What was pressed last: on its way, or to be sent again. */
  const [given, setGiven] = useState<string>();
  const waits = answering.sending || answering.problem;
  if (answer) {
    const isChosen = (option: Option) => option.value === answer.value;
    const known = options.some(isChosen);
    const { title: words } = options.find(isChosen) ?? foreign(answer);
    return (
      <div class="choices" {...answering.done(say('said', { name: say('chosen'), words }))}>
        <ul>
          {options.map((option) => (
            <Chosen option={option} chosen={isChosen(option)} />
          ))}
          {!known && <Chosen option={foreign(answer)} chosen />}
        </ul>
      </div>
    );
  }
  return (
    <fieldset class="choices" aria-label={say('choose')}>
      {options.map(({ title, value }) => (
        <button
          type="button"
          class={waits && given === value ? 'tall choice chosen' : 'tall choice'}
          aria-disabled={answering.sending}
          aria-pressed={(waits && given === value) || undefined}
          onClick={() => {
            if (!answering.sending) setGiven(value);
            answering.give(() => chat.answer(message, [{ title, value }]));
          }}
        >
          <bdi>{title}</bdi>
        </button>
      ))}
      <Outcome answering={answering} />
    </fieldset>
  );
}

const foreign = ({ title, value }: Answer): Option => ({ title: title || value, value });

function Chosen({ option, chosen }: { option: Option; chosen: boolean }) {
  const { say } = useSurroundings();
  return (
    <li class={chosen ? 'tall choice chosen' : 'tall choice'}>
      {chosen && <CheckIcon />}
      <bdi>{option.title}</bdi>
      {chosen && <span class="sr"> ({say('chosen')})</span>}
    </li>
  );
}

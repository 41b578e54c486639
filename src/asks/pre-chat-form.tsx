/** The owner's questions before the first message. What is typed into the composer meanwhile is kept there. */
import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PreChatField } from '../settings.js';
import { type Surroundings, useSurroundings } from '../ui/context.js';
import { MAX_ATTRIBUTE } from '../wire/limits.js';
import { type Entered, Form, typedIn } from './form.js';
import { answersOf, forGood, problemOf } from './pre-chat-answers.js';

const MAX_CONTACT = 255;
const isTick = ({ type }: PreChatField) => type === 'checkbox' || type === 'consent';

/** @param onDone the answers are kept, the composer comes next */
export function PreChatForm({
  fields,
  onDone,
}: {
  fields: readonly PreChatField[];
  onDone: () => void;
}): JSX.Element {
  const surroundings = useSurroundings();
  const { chat, say } = surroundings;
  const [unkept, setUnkept] = useState(false);
  const busy = useRef(false);
  const own = useRef<HTMLDivElement>(null);
  // They come after the window, and whoever has opened it waits for a field.
  useLayoutEffect(() => {
    const root = own.current?.getRootNode();
    if (root instanceof ShadowRoot && root.activeElement instanceof HTMLDialogElement)
      own.current?.querySelector<HTMLElement>('input, select')?.focus();
  }, []);

  async function give(values: string[]) {
    if (busy.current) return;
    busy.current = true;
    const given = fields.map((field, i) => [
      field.name,
      isTick(field) ? values[i] === 'true' : (values[i] ?? ''),
    ]);
    const names = fields.map(({ name }) => name);
    onDone();
    setUnkept(false);
    const told = await chat.tellAbout(answersOf(fields, Object.fromEntries(given)), names, forGood(fields));
    busy.current = false;
    setUnkept(!told.ok);
    if (told.ok) chat.keep(typedIn('ask'), undefined);
  }

  return (
    <div class="questions scrolls" ref={own}>
      <h3>{say('askTitle')}</h3>
      <p>{say('askText')}</p>
      <Form
        id="ask"
        fields={fields.map((field) => entered(field, surroundings))}
        button={say('askGo')}
        complain={(at, value) => {
          const field = fields[at];
          const problem = field && problemOf(field, isTick(field) ? value === 'true' : value);
          return problem && say(problem);
        }}
        give={(values) => void give(values)}
      >
        {unkept && (
          <p class="wrong" role="alert">
            {say('askNotKept')}
          </p>
        )}
      </Form>
    </div>
  );
}

function entered(field: PreChatField, { say, own: said, langOf }: Surroundings): Entered {
  const { name, type, required, options } = field;
  const place = `preChat.${name}`;
  const label = said(place) ?? field.label;
  const tick = isTick(field);
  const known =
    type === 'email' || name === 'email'
      ? ('email' as const)
      : type === 'tel' || name === 'phone_number'
        ? ('tel' as const)
        : undefined;
  const fill = known ?? (name === 'name' ? name : undefined);
  const own = { name: say('askName'), email: say('email'), phone_number: say('askPhone') };
  return {
    name,
    label: label ?? (name === 'name' || name === 'email' || name === 'phone_number' ? own[name] : name),
    linked: tick,
    ...(label && { lang: langOf(place) }),
    type: tick ? 'checkbox' : type === 'select' ? type : (known ?? 'text'),
    required: required || type === 'consent',
    value: '',
    // What becomes of an answer is the same in every language.
    options: options.map((value) => ({ title: said(`${place}.${value}`) ?? value, value })),
    ...(fill && { fill }),
    limit: fill ? MAX_CONTACT : MAX_ATTRIBUTE,
  };
}

/**
 * A form, in a bubble or before the first message: checked when it is sent, with a sentence at each field that does
 * not do and the focus on the first of them. It does not know what a good value is, nor what becomes of it.
 */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Content } from '../ui/content.js';
import { useSurroundings } from '../ui/context.js';
import type { Option } from './read.js';

const MAX_VALUE = 5_000;

export interface Entered {
  /** What is typed stays with it when other fields go; without one, with its place. */
  name?: string;
  label: string;
  /** The label is the owner's, and may have links in Markdown. */
  linked?: boolean;
  /** Of the label, where it is another than the chat's. */
  lang?: string;
  type: 'text' | 'email' | 'tel' | 'text_area' | 'select' | 'checkbox';
  required: boolean;
  value: string;
  options: readonly Option[];
  placeholder?: string;
  /** What of the visitor's the browser may fill in. */
  fill?: 'name' | 'email' | 'tel';
  limit?: number;
}

/**
 * @param id for names within the window
 * @param complain the sentence at a field whose value does not do
 * @param give the values in the order of the fields, all of them good; a tick is `true` or `false`
 * @param children what became of them
 */
export function Form({
  id,
  fields,
  button,
  busy = false,
  complain,
  give,
  children,
}: {
  id: string;
  fields: readonly Entered[];
  button: string;
  busy?: boolean;
  complain: (at: number, value: string) => string | undefined;
  give: (values: string[]) => void;
  children: ComponentChildren;
}): JSX.Element {
  const { chat } = useSurroundings();
  const kept = typedIn(id);
  const read = () => asEntered(chat.recall(kept));
  const [entered, setEntered] = useState(read);
  const [wrong, setWrong] = useState<ReadonlyMap<string, string | undefined>>(new Map());
  /** Where the focus was already when it was sent: it does not move, so nobody would be told. */
  const [here, setHere] = useState({ at: -1, turn: 0 });
  const form = useRef<HTMLFormElement>(null);

  function submit(event: Event) {
    event.preventDefault();
    const typed = fields.map((field, i) => valueIn(field, i).trim());
    const problems = typed.map((value, i) => complain(i, value));
    setWrong(new Map(fields.map((field, i) => [keyOf(field, i), problems[i]])));
    const first = problems.findIndex((problem) => problem !== undefined);
    if (first < 0) return give(typed);
    const element = form.current?.querySelectorAll<HTMLElement>('input, textarea, select')[first];
    setHere(({ turn }) => ({ at: element?.matches(':focus') ? first : -1, turn: turn + 1 }));
    element?.focus();
  }

  // Another service may call two of them alike.
  const keyOf = ({ name }: Entered, at: number) =>
    (fields.findIndex((field) => field.name === name) === at && name) || String(at);
  const valueIn = (field: Entered, at: number) => entered.get(keyOf(field, at)) ?? firstValue(field);

  // It is kept as it is typed, and gone with whoever has typed it.
  useEffect(() => chat.$known.listen(() => setEntered(read())), [kept]);

  function change(key: string, value: string) {
    // A browser fills several fields before any of them is drawn.
    chat.keep(kept, Object.fromEntries(read().set(key, value)));
    setEntered(read());
    setWrong((all) => new Map(all).set(key, undefined));
  }

  return (
    <form class="ask" noValidate ref={form} onSubmit={submit}>
      {fields.map((field, i) => (
        <Entry
          key={keyOf(field, i)}
          id={`${id}-${i}`}
          field={field}
          value={valueIn(field, i)}
          wrong={wrong.get(keyOf(field, i))}
          aloud={here.at === i ? here.turn : 0}
          change={(value) => change(keyOf(field, i), value)}
        />
      ))}
      <button type="submit" class="go" aria-disabled={busy} onClick={submit}>
        {button}
      </button>
      {children}
    </form>
  );
}

/** Under this name this browser keeps what is typed into a form, until it is given. */
export const typedIn = (id: string) => `typed:${id}`;

// A field may be called as what every object has.
const asEntered = (value: unknown) =>
  new Map(Object.entries(Object(value)).map(([key, typed]) => [key, String(typed)]));

const firstValue = ({ type, value, options }: Entered): string =>
  type === 'checkbox'
    ? String(value === 'true')
    : type === 'select' && !options.some((option) => option.value === value)
      ? ''
      : value;

interface EntryProps {
  id: string;
  field: Entered;
  value: string;
  wrong: string | undefined;
  /** Anew each time, or none: the sentence is also spoken. */
  aloud: number;
  change: (value: string) => void;
}

function Entry({ id, field, value, wrong, aloud, change }: EntryProps): JSX.Element {
  const { say } = useSurroundings();
  const { type, required, linked, fill, lang } = field;
  const optional = (label: string) => (required ? label : say('optional', { label }));
  // The owner's words are in a language of their own.
  const [before, after] = optional('\n').split('\n');
  const shared = {
    id,
    'aria-required': required,
    'aria-invalid': wrong !== undefined,
    'aria-describedby': wrong && `${id}-wrong`,
  };
  const typed = {
    ...shared,
    value,
    // An empty one would stand from left to right.
    dir: value ? ('auto' as const) : undefined,
    placeholder: field.placeholder,
    maxLength: field.limit ?? MAX_VALUE,
    onInput: (event: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      change(event.currentTarget.value),
  };
  return (
    <div class={`entry ${type}`}>
      {type === 'checkbox' && (
        <input
          {...shared}
          type="checkbox"
          checked={value === 'true'}
          onChange={(event) => change(String(event.currentTarget.checked))}
        />
      )}
      <label for={id} dir="auto" lang={linked ? lang : undefined}>
        {linked ? (
          <Content words={optional(field.label)} marked />
        ) : (
          <>
            {before}
            <span lang={lang}>{field.label}</span>
            {after}
          </>
        )}
      </label>
      {type === 'select' && (
        <select {...shared} value={value} onChange={(event) => change(event.currentTarget.value)}>
          <option value="">{field.placeholder || say('pick')}</option>
          {field.options.map((option) => (
            <option value={option.value} lang={lang}>
              {option.title}
            </option>
          ))}
        </select>
      )}
      {type === 'text_area' && <textarea {...typed} rows={3} />}
      {(type === 'text' || type === 'email' || type === 'tel') && (
        <input
          {...typed}
          {...(type === 'email' ? { type: 'email' } : type === 'tel' ? { type: 'tel' } : { type: 'text' })}
          {...(fill && { name: fill })}
          autocomplete={fill ?? (type === 'email' ? type : 'off')}
        />
      )}
      {wrong && (
        <p key={aloud} class="wrong" id={`${id}-wrong`} dir="auto" role={aloud ? 'alert' : undefined}>
          {wrong}
        </p>
      )}
    </div>
  );
}

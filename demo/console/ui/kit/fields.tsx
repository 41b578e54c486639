/** Fields of forms: each with its label, a hint, and what is wrong with it beside it. Knows no form. */
import type { ComponentChildren, JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';

interface About {
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
  /** Said, not seen: for rows of a list whose columns tell. */
  quietLabel?: boolean;
}
interface Wired {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

function Field(props: About & { children: (wired: Wired) => JSX.Element }) {
  const { label, hint, error, quietLabel, children } = props;
  const id = useId();
  return (
    <div class="field">
      <label for={id} class={quietLabel ? 'hidden' : undefined}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': hint || error ? `${id}-more` : undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {(hint || error) && (
        <p id={`${id}-more`} class={error ? 'problem' : 'hint'}>
          {error || hint}
        </p>
      )}
    </div>
  );
}

interface Bound<T> {
  value: T;
  onChange(value: T): void;
}
interface Plain {
  type?: 'text' | 'email' | 'tel' | 'url' | 'number' | 'date' | 'time' | 'color';
  placeholder?: string;
  required?: boolean;
  list?: string;
}

export function TextField({
  value,
  onChange,
  error,
  label,
  hint,
  quietLabel,
  ...plain
}: About & Bound<string> & Plain) {
  // Preact's types tell inputs apart by a type they can see.
  const more: object = { type: 'text', ...plain };
  return (
    <Field label={label} hint={hint} error={error} quietLabel={quietLabel ?? false}>
      {(wired) => (
        <input
          {...more}
          dir="auto"
          {...wired}
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  );
}

export function TextArea({
  value,
  onChange,
  rows = 3,
  placeholder,
  ...about
}: About & Bound<string> & { rows?: number; placeholder?: string }) {
  return (
    <Field {...about}>
      {(wired) => (
        <textarea
          {...wired}
          rows={rows}
          dir="auto"
          placeholder={placeholder}
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  );
}

export type Choices = readonly (readonly [value: string, label: string])[];

/** @returns a promise of false where somebody refused it: then the control shows again what is so */
type OnAsked<T> = (value: T) => unknown;

/**
 * What was asked for is shown until it is answered, whatever comes of it meanwhile.
 * @returns what to show, and what asks; `show` is for the control, which shows already what was refused
 */
function useAsked<T>(value: T, onChange: OnAsked<T>) {
  const [asked, setAsked] = useState<{ value: T } | undefined>(undefined);
  const current = useRef(value);
  current.current = value;
  async function ask(next: T, show: (value: T) => void) {
    const mine = { value: next };
    setAsked(mine);
    const refused = (await onChange(next)) === false;
    setAsked((now) => (now === mine ? undefined : now));
    if (refused) show(current.current);
  }
  return [asked ? asked.value : value, ask] as const;
}

/**
 * Which choose at once in a list that is closed, in some browsers, and so would ask for each one passed on the way. Letters
 * say which one is meant.
 */
const chooses = ({ key, altKey, ctrlKey, metaKey }: KeyboardEvent) =>
  !altKey && !ctrlKey && !metaKey && /^(Arrow|Home$|End$|Page)/.test(key);

/** Opens the list first, as it is on a Mac, so that a choice is what was chosen. */
function openFirst(event: KeyboardEvent & { currentTarget: HTMLSelectElement }) {
  const select = event.currentTarget;
  try {
    if (!chooses(event) || select.matches(':open')) return;
    select.showPicker();
    event.preventDefault();
  } catch {
    // A browser that cannot say whether it is open, or open it, keeps its own way.
  }
}

export function Select({
  value,
  onChange,
  choices,
  disabled = false,
  ...about
}: About & {
  value: string;
  onChange: OnAsked<string>;
  choices: Choices;
  disabled?: boolean;
}) {
  const [shown, ask] = useAsked(value, onChange);
  const change = (select: HTMLSelectElement) =>
    ask(select.value, (value) => {
      select.value = value;
    });
  return (
    <Field {...about}>
      {(wired) => (
        <select
          {...wired}
          disabled={disabled}
          value={shown}
          onKeyDown={openFirst}
          onChange={({ currentTarget }) => void change(currentTarget)}
        >
          {choices.map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function Switch({
  label,
  hint,
  value,
  onChange,
  disabled = false,
  quietLabel = false,
}: About & { value: boolean; onChange: OnAsked<boolean>; disabled?: boolean }) {
  const id = useId();
  const [shown, ask] = useAsked(value, onChange);
  const change = (box: HTMLInputElement) =>
    ask(box.checked, (value) => {
      box.checked = value;
    });
  return (
    <div class="switch">
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={shown}
        checked={shown}
        disabled={disabled}
        aria-describedby={hint ? `${id}-more` : undefined}
        onChange={({ currentTarget }) => void change(currentTarget)}
      />
      <label for={id}>
        <span class={quietLabel ? 'hidden' : undefined}>{label}</span>
      </label>
      {hint && (
        <p id={`${id}-more`} class="hint">
          {hint}
        </p>
      )}
    </div>
  );
}

/** Several of a few. */
export function Checks({
  legend,
  choices,
  value,
  onChange,
}: Bound<readonly string[]> & { legend: string; choices: Choices }) {
  return (
    <fieldset class="checks">
      <legend>{legend}</legend>
      {choices.map(([name, words]) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={value.includes(name)}
            onChange={({ currentTarget }) =>
              onChange(currentTarget.checked ? [...value, name] : value.filter((one) => one !== name))
            }
          />
          <span dir="auto">{words}</span>
        </label>
      ))}
      {choices.length === 0 && <p class="hint">There is nothing to choose yet.</p>}
    </fieldset>
  );
}

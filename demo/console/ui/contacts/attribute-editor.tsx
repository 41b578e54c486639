/**
 * Custom attributes as lines that can be changed in place: defined ones by their type, others as they are. What is
 * cleared is taken away.
 */

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Definition } from '../../wire/admin.js';
import { Icon } from '../icons.js';
import { IconButton } from '../kit/icon-button.js';

interface Props {
  definitions: readonly Definition[];
  values: Readonly<Record<string, unknown>>;
  /** @param value undefined takes the attribute away; resolves to whether it was kept */
  onSet(key: string, value: unknown): Promise<boolean>;
}

export function AttributeEditor({ definitions, values, onSet }: Props) {
  const [editing, setEditing] = useState('');
  const list = useRef<HTMLDListElement>(null);
  const edited = useRef('');
  useLayoutEffect(() => {
    // In the field that was asked for, and afterwards where it was asked for, unless somebody works elsewhere by then.
    const left = edited.current && document.activeElement === document.body;
    const place = left && `[data-key="${CSS.escape(edited.current)}"] button`;
    const wanted = editing ? 'form :is(input, select)' : place;
    if (wanted) list.current?.querySelector<HTMLElement>(wanted)?.focus();
    edited.current = editing;
  }, [editing]);
  const keys = [
    ...definitions.map((one) => one.attribute_key),
    ...Object.keys(values).filter((key) => !definitions.some((one) => one.attribute_key === key)),
  ];
  if (keys.length === 0) return <p class="hint">None are defined yet.</p>;
  return (
    <dl class="lines attributes" ref={list}>
      {keys.map((key) => {
        const definition = definitions.find((one) => one.attribute_key === key);
        const name = nameOfAttribute(key, definitions);
        const value = values[key];
        return (
          <div key={key} data-key={key}>
            <dt dir="auto">{name}</dt>
            <dd dir="auto">
              {editing === key ? (
                <Editor
                  name={name}
                  definition={definition}
                  value={value}
                  onClose={() => setEditing('')}
                  onSet={async (next) => {
                    // Another one may be changed by then.
                    if (await onSet(key, next)) setEditing((now) => (now === key ? '' : now));
                  }}
                />
              ) : (
                <span class="shown">
                  <span>
                    {key === 'previous_conversation' && Number.isSafeInteger(value) ? (
                      <a href={`#/${value}`}>#{value}</a>
                    ) : (
                      show(value)
                    )}
                  </span>
                  {!isNested(value) && (
                    <IconButton icon="edit" label={`Change ${name}`} onClick={() => setEditing(key)} />
                  )}
                </span>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

interface EditorProps {
  name: string;
  definition: Definition | undefined;
  value: unknown;
  onSet(value: unknown): Promise<void>;
  onClose(): void;
}

const inputTypes: Readonly<Record<string, string>> = {
  number: 'number',
  currency: 'number',
  percent: 'number',
  date: 'date',
  link: 'url',
};

function Editor({ name, definition, value, onSet, onClose }: EditorProps) {
  const type = definition?.attribute_display_type ?? typeOf(value);
  const [text, setText] = useState(value === undefined || value === null ? '' : String(value));
  const isNumber = type === 'number' || type === 'currency' || type === 'percent';
  const inputType = inputTypes[type] ?? 'text';
  const choices = type === 'list' ? (definition?.attribute_values ?? []) : ['true', 'false'];

  function submit() {
    if (text.trim() === '') return void onSet(undefined);
    if (type === 'checkbox') return void onSet(text === 'true');
    void onSet(isNumber ? Number(text) : text.trim());
  }

  return (
    <form
      class="attribute-editor"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      // The Escape that ends a composition is the input method's.
      onKeyDown={(event) =>
        event.key === 'Escape' && !event.isComposing && event.keyCode !== 229 && onClose()
      }
    >
      {type === 'list' || type === 'checkbox' ? (
        <select aria-label={name} value={text} onChange={({ currentTarget }) => setText(currentTarget.value)}>
          <option value="">–</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {type === 'checkbox' ? show(choice === 'true') : choice}
            </option>
          ))}
        </select>
      ) : (
        <PlainInput name={name} type={inputType} value={text} onChange={setText} />
      )}
      <button type="submit" class="quiet icon-button" aria-label={`Save ${name}`}>
        <Icon name="check" />
      </button>
      <IconButton icon="close" label="Cancel" onClick={onClose} />
      {definition?.regex_cue && <p class="hint">{definition.regex_cue}</p>}
    </form>
  );
}

function PlainInput(props: { name: string; type: string; value: string; onChange(text: string): void }) {
  const more: object = { type: props.type, step: 'any' };
  return (
    <input
      {...more}
      aria-label={props.name}
      dir="auto"
      value={props.value}
      onInput={({ currentTarget }) => props.onChange(currentTarget.value)}
    />
  );
}

/** What an attribute is called, defined or not. */
export function nameOfAttribute(key: string, definitions: readonly Definition[]): string {
  const name = definitions.find((one) => one.attribute_key === key)?.attribute_display_name;
  if (name) return name;
  const words = key.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What nobody has defined stays of the kind that it is. */
function typeOf(value: unknown) {
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'checkbox' : 'text';
}

/** A field of words could only spoil it. */
const isNested = (value: unknown) => typeof value === 'object' && value !== null;

export function show(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return isNested(value) ? JSON.stringify(value) : String(value);
}

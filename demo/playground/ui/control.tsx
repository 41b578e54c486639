/** One option as the control that fits its kind. It stays as it is typed. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { OptionRow } from '../../../src/options-table.js';
import { asHex } from './colour.js';

interface Props {
  row: OptionRow;
  value: string | undefined;
  error: string | undefined;
  onChange(value: string | undefined): void;
}

/** `code` between backticks. */
const inline = (markdown: string): ComponentChildren =>
  markdown.split('`').map((part, i) => (i % 2 ? <code key={part}>{part}</code> : part));

const words = (attribute: string) => {
  const plain = attribute.replace(/^data-/, '').replaceAll('-', ' ');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
};

const plainStandard = (standard: string) => standard.replaceAll('`', '');

export function Control({ row, value = '', error, onChange }: Props) {
  const id = useId();
  const { kind, attribute, meaning, standard, example } = row;
  const wired = {
    id,
    'aria-describedby': `${id}-more`,
    'aria-invalid': error ? (true as const) : undefined,
  };
  const set = (text: string) => onChange(text || undefined);
  const label = (
    <label for={id}>
      {words(attribute)} <code>{row.name === 'nonce' ? 'nonce' : attribute}</code>
    </label>
  );
  const more = (
    <p id={`${id}-more`} class="hint">
      {error && <strong class="problem">{error} </strong>}
      {inline(meaning.charAt(0).toUpperCase() + meaning.slice(1))}.
    </p>
  );
  if (kind === 'flag') {
    const checked = (value || plainStandard(standard)) === 'true';
    return (
      <div class="switch">
        <input
          {...wired}
          type="checkbox"
          role="switch"
          aria-checked={checked}
          checked={checked}
          onChange={({ currentTarget }) => set(String(currentTarget.checked))}
        />
        {label}
        {more}
      </div>
    );
  }
  return (
    <div class="field">
      {label}
      {row.choices ? (
        <select
          {...wired}
          value={value || row.choices[0]}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        >
          {row.choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : kind === 'fields' || kind === 'sentences' ? (
        <textarea
          {...wired}
          class="code"
          rows={2}
          spellcheck={false}
          placeholder={example}
          value={value}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      ) : (
        <div class="line">
          <input
            {...wired}
            type="text"
            dir="auto"
            spellcheck={kind === 'words'}
            inputMode={isNumber(kind) ? 'decimal' : 'text'}
            placeholder={/^(required|none|all|as |the )/.test(standard) ? example : plainStandard(standard)}
            value={value}
            onInput={({ currentTarget }) => set(currentTarget.value)}
          />
          {kind === 'colour' && (
            <input
              type="color"
              aria-label={`${words(attribute)}, picked`}
              value={asHex(value || plainStandard(standard)) ?? '#000000'}
              onInput={({ currentTarget }) => set(currentTarget.value)}
            />
          )}
        </div>
      )}
      {more}
    </div>
  );
}

const isNumber = (kind: OptionRow['kind']) =>
  kind === 'pixels' ||
  kind === 'whole' ||
  kind === 'count' ||
  kind === 'megabytes' ||
  kind === 'minutes' ||
  kind === 'seconds';

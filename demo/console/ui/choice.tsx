/** One of several, in a select. What was chosen before and is no option any more stands among them, and is seen. */

interface Props<T extends string> {
  label: string;
  /** Value and name, in the order in which they are shown. */
  options: readonly (readonly [value: T, name: string])[];
  value: T;
  /** What a value is called that is none of them. */
  nameOther?(value: T): string;
  disabled?: boolean;
  onChoose(value: T): void;
}

export function Choice<T extends string>(props: Props<T>) {
  const { label, options, value, nameOther = String, disabled = false, onChoose } = props;
  const isThere = options.some(([known]) => known === value);
  const all = isThere ? options : [...options, [value, nameOther(value)] as const];
  return (
    <label class="choice">
      <span>{label}</span>
      <select
        value={value}
        disabled={disabled}
        title={disabled ? 'A search looks at every status.' : undefined}
        onChange={({ currentTarget }) => {
          const [chosen] = all[currentTarget.selectedIndex] ?? [];
          if (chosen !== undefined) onChoose(chosen);
        }}
      >
        {all.map(([known, name]) => (
          <option key={known} value={known}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

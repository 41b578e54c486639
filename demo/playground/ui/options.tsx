/** Every option of the one table as a control, by groups. Knows no option by name but the accent. */
import { useState } from 'preact/hooks';
import { type OptionGroup, type OptionName, optionsTable } from '../../../src/options-table.js';
import { type Draft, isSaid } from '../model/draft.js';
import { Contrasts } from './contrasts.js';
import { Control } from './control.js';

const groups: Record<OptionGroup, string> = {
  where: 'Where',
  looks: 'Looks',
  words: 'Words',
  composer: 'What visitors can send',
  when: 'When',
  privacy: 'Privacy',
};
const isGroup = (name: string): name is OptionGroup => Object.hasOwn(groups, name);
const opened: readonly OptionGroup[] = ['where', 'looks'];

export function Options({
  draft,
  corrections,
  setOption,
}: {
  draft: Draft;
  corrections: Partial<Record<OptionName, string>>;
  setOption(name: OptionName, value: string | undefined): void;
}) {
  // What a link brings with it stands before whoever follows it; later each group stays as it was left.
  const [wrongAtFirst] = useState(corrections);
  return (
    <section class="options" aria-label="Options">
      {Object.keys(groups)
        .filter(isGroup)
        .map((group) => {
          const rows = optionsTable.filter((row) => row.group === group);
          const set = rows.filter((row) => isSaid(row, draft.values[row.name] ?? '')).length;
          return (
            <details
              key={group}
              class="group"
              open={opened.includes(group) || rows.some(({ name }) => name in wrongAtFirst)}
            >
              <summary>
                <h2>{groups[group]}</h2>
                <span class="hint">{set ? `${set} of ${rows.length} set` : `${rows.length}`}</span>
              </summary>
              <div class="controls">
                {rows.map((row) => (
                  <div key={row.name} class="control" data-option={row.name}>
                    <Control
                      row={row}
                      value={draft.values[row.name]}
                      error={corrections[row.name]}
                      onChange={(value) => setOption(row.name, value)}
                    />
                    {row.name === 'accent' && <Contrasts accent={draft.values.accent} />}
                  </div>
                ))}
              </div>
            </details>
          );
        })}
    </section>
  );
}

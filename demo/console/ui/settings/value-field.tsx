/** A value of a condition or an action: chosen where the account knows what there is, written otherwise. */
import type { Names, ValueKind } from '../../model/rule.js';
import type { Label } from '../../wire/admin.js';
import { type Choices, Select, TextArea, TextField } from '../kit/fields.js';

interface Props {
  label: string;
  kind: ValueKind;
  known: Names & { labels: readonly Label[] };
  value: string;
  /** Whether nobody and nothing can be chosen, too. */
  clears?: boolean;
  long?: boolean;
  onChange(value: string): void;
}

const fixed: Partial<Record<ValueKind, Choices>> = {
  status: [
    ['open', 'Open'],
    ['resolved', 'Resolved'],
    ['pending', 'Pending'],
    ['snoozed', 'Snoozed'],
  ],
  priority: [
    ['low', 'Low'],
    ['medium', 'Medium'],
    ['high', 'High'],
    ['urgent', 'Urgent'],
  ],
  flag: [
    ['true', 'Yes'],
    ['false', 'No'],
  ],
  direction: [
    ['incoming', 'The visitor'],
    ['outgoing', 'An agent'],
    ['template', 'The service'],
  ],
};

export function ValueField({ label, kind, known, value, clears = false, long = false, onChange }: Props) {
  if (kind === 'none') return null;
  const listed = { agent: known.agents, team: known.teams, inbox: known.inboxes } as const;
  const common = { label, quietLabel: true, value, onChange };
  if (kind === 'agent' || kind === 'team' || kind === 'inbox') {
    const choices = listed[kind].map(({ id, name }) => [String(id), name] as const);
    const nobody = clears ? ([['nil', kind === 'agent' ? 'Nobody' : 'No team']] as const) : [];
    return <Select {...common} choices={[['', 'Choose …'], ...nobody, ...choices]} />;
  }
  const choices = fixed[kind];
  if (choices) return <Select {...common} choices={[['', 'Choose …'], ...choices]} />;
  if (kind === 'label') {
    const titles = known.labels.map(({ title }) => title);
    // A rule may name a label that the account offers no more.
    const all = value === '' || titles.includes(value) ? titles : [...titles, value];
    return (
      <Select {...common} choices={[['', 'Choose …'], ...all.map((title) => [title, title] as const)]} />
    );
  }
  if (long) return <TextArea {...common} rows={3} placeholder="Words to send" />;
  const placeholder =
    kind === 'address' ? 'https://' : kind === 'number' ? '0' : 'Words; several apart by commas';
  return <TextField {...common} type={kind === 'address' ? 'url' : 'text'} placeholder={placeholder} />;
}

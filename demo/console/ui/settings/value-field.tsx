/** A value of a condition or an action: chosen where the account knows what there is, written otherwise. */
import type { ComponentProps } from 'preact';
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

function Chosen({ choices, ...common }: ComponentProps<typeof Select>) {
  return <Select {...common} choices={[['', 'Choose …'], ...withChosen(common.value, choices)]} />;
}

/** A rule may name what the account offers no more, or several where one can be chosen. */
function withChosen(value: string, choices: Choices): Choices {
  if (value === '' || choices.some(([name]) => name === value)) return choices;
  const words = value.split(', ').map((one) => choices.find(([name]) => name === one)?.[1] ?? one);
  return [...choices, [value, words.join(', ')]];
}

export function ValueField({ label, kind, known, value, clears = false, long = false, onChange }: Props) {
  if (kind === 'none') return null;
  const listed = { agent: known.agents, team: known.teams, inbox: known.inboxes } as const;
  const common = { label, quietLabel: true, value, onChange };
  if (kind === 'agent' || kind === 'team' || kind === 'inbox') {
    const choices = listed[kind].map(({ id, name }) => [String(id), name] as const);
    const nobody = clears ? ([['nil', kind === 'agent' ? 'Nobody' : 'No team']] as const) : [];
    return <Chosen {...common} choices={[...nobody, ...choices]} />;
  }
  const choices = kind === 'label' ? known.labels.map(({ title }) => [title, title] as const) : fixed[kind];
  if (choices) return <Chosen {...common} choices={choices} />;
  if (long) return <TextArea {...common} rows={3} placeholder="Words to send" />;
  // Several, or one with its time, are no date that its field could show.
  if (kind === 'date' && /^(\d{4}-\d\d-\d\d)?$/.test(value)) return <TextField {...common} type="date" />;
  const placeholder =
    kind === 'address' ? 'https://' : kind === 'number' ? '0' : 'Words; several apart by commas';
  return <TextField {...common} type={kind === 'address' ? 'url' : 'text'} placeholder={placeholder} />;
}

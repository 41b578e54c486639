/** A rule as a form: when, on which conditions, what then. */
import type { ComponentChildren } from 'preact';
import {
  actionKinds,
  kindOfValue,
  needsNoValue,
  operatorsFor,
  ruleEvents,
  type ValueKind,
} from '../../model/rule.js';
import type { Desk } from '../../state/desk.js';
import type { Action, Condition, Rule } from '../../wire/admin.js';
import { Icon } from '../icons.js';
import { Select, TextArea, TextField } from '../kit/fields.js';
import { FormBody, useEdit } from '../kit/form.js';
import { IconButton } from '../kit/icon-button.js';
import { Card } from '../kit/page.js';
import { useHeir } from '../kit/use-heir.js';
import { ShelfProblem } from '../shelf-problem.js';
import { usedByRules, useRuleWords } from './rule-words.js';
import { ValueField } from './value-field.js';

type Value = string | number | boolean;

interface Row {
  key: number;
  value: string;
  /** As the rule has it, which the words of a field cannot always tell, until somebody changes it here. */
  given?: readonly Value[] | undefined;
}
type ConditionRow = Row & { attribute: string; operator: string; joint: 'and' | 'or' };
type ActionRow = Row & { name: string };

const conditionRow = (condition: Condition, key: number): ConditionRow => ({
  key,
  attribute: condition.attribute_key,
  operator: condition.filter_operator,
  value: condition.values.map(String).join(', '),
  given: condition.values,
  joint: condition.query_operator ?? 'and',
});
const actionRow = (action: Action, key: number): ActionRow => ({
  key,
  name: action.action_name,
  value: action.action_params.map(String).join(', '),
  given: action.action_params,
});

const numeric: readonly ValueKind[] = ['agent', 'team', 'inbox', 'number'];

/** What the API takes: numbers as numbers, yes and no as booleans, several words apart by commas. */
function valuesOf(kind: ValueKind, { value: text, given }: Row): readonly Value[] {
  if (given) return given;
  if (kind === 'flag') return text === '' ? [] : [text === 'true'];
  const parts = kind === 'text' ? text.split(',').map((part) => part.trim()) : [text.trim()];
  return parts
    .filter((part) => part !== '')
    .map((part) => (numeric.includes(kind) && part !== 'nil' ? Number(part) : part));
}

const written = (value: string) => ({ value, given: undefined });
const next = (rows: readonly Row[]) => Math.max(0, ...rows.map(({ key }) => key)) + 1;
const replaced = <T extends Row>(rows: readonly T[], key: number, patch: Partial<T>): T[] =>
  rows.map((row) => (row.key === key ? { ...row, ...patch } : row));

const firstConditions: readonly ConditionRow[] = [
  { key: 1, attribute: 'content', operator: 'contains', value: '', joint: 'and' },
];
const firstActions: readonly ActionRow[] = [{ key: 1, name: 'add_label', value: '' }];

export function RuleEditor({ desk, rule }: { desk: Desk; rule: Rule | undefined }) {
  const { names, labels, keys } = useRuleWords(desk);
  const known = { ...names, labels };
  const kindOfKey = (attribute: string) => keys.find(([key]) => key === attribute)?.[2] ?? 'text';
  const kindOfAction = (name: string) => actionKinds.find(([key]) => key === name)?.[2] ?? 'none';

  const conditionOf = (row: ConditionRow, index: number, rows: readonly ConditionRow[]) => ({
    attribute_key: row.attribute,
    filter_operator: row.operator,
    values: needsNoValue(row.operator)
      ? []
      : valuesOf(kindOfValue(kindOfKey(row.attribute), row.operator), row),
    query_operator: index < rows.length - 1 ? row.joint : null,
  });
  function actionOf(row: ActionRow) {
    const kind = kindOfAction(row.name);
    const params = row.name === 'send_message' && !row.given ? [row.value.trim()] : valuesOf(kind, row);
    return { action_name: row.name, action_params: kind === 'none' ? [] : params };
  }

  const form = useEdit(
    {
      name: rule?.name ?? '',
      description: rule?.description ?? '',
      event_name: rule?.event_name ?? 'message_created',
      conditions: rule ? rule.conditions.map(conditionRow) : firstConditions,
      actions: rule ? rule.actions.map(actionRow) : firstActions,
    },
    'The rule was not saved',
    (changed, values) => {
      const { conditions, actions, ...words } = rule ? changed : values;
      const fields = {
        ...words,
        ...(conditions && { conditions: conditions.map(conditionOf) }),
        ...(actions && { actions: actions.map(actionOf) }),
      };
      return rule ? desk.shelves.rules.change(rule.id, fields) : desk.shelves.rules.create(fields);
    },
    () => {
      desk.notices.done('Rule saved.');
      desk.place.goTo('#/settings/automation');
    },
  );
  const { conditions, actions } = form.values;

  return (
    <FormBody form={form} button="Save rule" onCancel={() => desk.place.goTo('#/settings/automation')}>
      <ShelfProblem shelves={usedByRules(desk)} />
      <Card>
        <TextField label="Name" {...form.bind('name')} />
        <TextArea label="Description" rows={2} {...form.bind('description')} />
      </Card>
      <Card title="When">
        <Select label="Event" choices={ruleEvents} {...form.bind('event_name')} />
      </Card>
      <Card title="If" lead="“And” binds tighter than “or”. Without a condition it happens always.">
        <ol class="rule-rows">
          {conditions.map((row, index) => (
            <RuleRow key={row.key}>
              {index > 0 && (
                <Select
                  label={`How condition ${index + 1} is joined`}
                  quietLabel
                  choices={[
                    ['and', 'and'],
                    ['or', 'or'],
                  ]}
                  value={conditions[index - 1]?.joint ?? 'and'}
                  onChange={(joint) => {
                    const before = conditions[index - 1];
                    if (!before) return;
                    form.set({
                      conditions: replaced(conditions, before.key, { joint: joint === 'or' ? 'or' : 'and' }),
                    });
                  }}
                />
              )}
              <ConditionFields
                number={index + 1}
                row={row}
                keys={keys}
                kind={kindOfKey(row.attribute)}
                known={known}
                onChange={(patch) => form.set({ conditions: replaced(conditions, row.key, patch) })}
              />
              <IconButton
                icon="close"
                label={`Remove condition ${index + 1}`}
                onClick={() => form.set({ conditions: conditions.filter((one) => one !== row) })}
              />
            </RuleRow>
          ))}
        </ol>
        <button
          type="button"
          class="quiet add-row"
          onClick={() =>
            form.set({
              conditions: [
                ...conditions,
                {
                  key: next(conditions),
                  attribute: 'content',
                  operator: 'contains',
                  value: '',
                  joint: 'and',
                },
              ],
            })
          }
        >
          <Icon name="plus" /> Add condition
        </button>
      </Card>
      <Card title="Then">
        <ol class="rule-rows">
          {actions.map((row, index) => (
            <RuleRow key={row.key}>
              <div class="rule-fields action-fields">
                <Select
                  label={`Action ${index + 1}`}
                  quietLabel
                  choices={actionKinds.map(([name, label]) => [name, label] as const)}
                  value={row.name}
                  onChange={(name) =>
                    form.set({ actions: replaced(actions, row.key, { name, ...written('') }) })
                  }
                />
                <ValueField
                  label={`What action ${index + 1} takes`}
                  kind={kindOfAction(row.name)}
                  long={row.name === 'send_message'}
                  known={known}
                  clears
                  value={row.value}
                  onChange={(value) => form.set({ actions: replaced(actions, row.key, written(value)) })}
                />
              </div>
              {actions.length > 1 && (
                <IconButton
                  icon="close"
                  label={`Remove action ${index + 1}`}
                  onClick={() => form.set({ actions: actions.filter((one) => one !== row) })}
                />
              )}
            </RuleRow>
          ))}
        </ol>
        <button
          type="button"
          class="quiet add-row"
          onClick={() =>
            form.set({ actions: [...actions, { key: next(actions), name: 'add_label', value: '' }] })
          }
        >
          <Icon name="plus" /> Add action
        </button>
      </Card>
    </FormBody>
  );
}

/** One that is removed leaves the focus where another is added. */
function RuleRow({ children }: { children: ComponentChildren }) {
  const ref = useHeir<HTMLLIElement>((going) =>
    going.closest('.card')?.querySelector<HTMLElement>('.add-row'),
  );
  return <li ref={ref}>{children}</li>;
}

interface ConditionProps {
  number: number;
  row: ConditionRow;
  keys: readonly (readonly [string, string, ValueKind])[];
  kind: ValueKind;
  known: Parameters<typeof ValueField>[0]['known'];
  onChange(patch: Partial<ConditionRow>): void;
}

function ConditionFields({ number, row, keys, kind, known, onChange }: ConditionProps) {
  const operators = operatorsFor(kind);
  return (
    <div class="rule-fields">
      <Select
        label={`What condition ${number} asks`}
        quietLabel
        choices={keys.map(([key, label]) => [key, label] as const)}
        value={row.attribute}
        onChange={(attribute) => {
          const [first] = operatorsFor(keys.find(([key]) => key === attribute)?.[2] ?? 'text');
          onChange({ attribute, operator: first?.[0] ?? 'equal_to', ...written('') });
        }}
      />
      <Select
        label={`How condition ${number} compares`}
        quietLabel
        choices={
          operators.some(([name]) => name === row.operator)
            ? operators
            : [...operators, [row.operator, row.operator]]
        }
        value={row.operator}
        onChange={(operator) =>
          onChange({
            operator,
            ...(kindOfValue(kind, operator) !== kindOfValue(kind, row.operator) && written('')),
          })
        }
      />
      {!needsNoValue(row.operator) && (
        <ValueField
          label={`Value of condition ${number}`}
          kind={kindOfValue(kind, row.operator)}
          known={known}
          value={row.value}
          onChange={(value) => onChange(written(value))}
        />
      )}
    </div>
  );
}

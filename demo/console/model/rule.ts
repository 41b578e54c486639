/** Words for rules: their events, conditions and actions, and one sentence that tells a whole rule. Pure. */
import type { Action, Condition, Rule } from '../wire/admin.js';

export const ruleEvents = [
  ['message_created', 'A message is written'],
  ['conversation_created', 'A conversation begins'],
  ['conversation_updated', 'A conversation is changed'],
  ['conversation_opened', 'A conversation is opened'],
  ['conversation_resolved', 'A conversation is resolved'],
] as const;

/** How a value is chosen: one of a few, or written. */
export type ValueKind =
  | 'text'
  | 'number'
  | 'date'
  | 'status'
  | 'priority'
  | 'agent'
  | 'team'
  | 'inbox'
  | 'label'
  | 'flag'
  | 'direction'
  | 'address'
  | 'none';

export const conditionKeys: readonly (readonly [key: string, label: string, kind: ValueKind])[] = [
  ['content', 'Words', 'text'],
  ['message_type', 'Sender', 'direction'],
  ['private_note', 'Private note', 'flag'],
  ['status', 'State', 'status'],
  ['assignee_id', 'Assigned to', 'agent'],
  ['team_id', 'Team', 'team'],
  ['priority', 'Priority', 'priority'],
  ['inbox_id', 'Inbox', 'inbox'],
  ['labels', 'Label', 'label'],
  ['browser_language', 'Browser language', 'text'],
  ['referer', 'Page they came from', 'text'],
  ['name', 'Contact’s name', 'text'],
  ['email', 'Contact’s e-mail', 'text'],
  ['phone_number', 'Contact’s phone', 'text'],
  ['country_code', 'Country code', 'text'],
  ['city', 'City', 'text'],
  ['company', 'Company', 'text'],
  ['blocked', 'Contact is blocked', 'flag'],
];

export const operators = [
  ['equal_to', 'is'],
  ['not_equal_to', 'is not'],
  ['contains', 'contains'],
  ['does_not_contain', 'does not contain'],
  ['starts_with', 'starts with'],
  ['is_present', 'is there'],
  ['is_not_present', 'is not there'],
  ['is_greater_than', 'is more than'],
  ['is_less_than', 'is less than'],
  ['days_before', 'is days ago, more than'],
  ['attribute_changed', 'changed to'],
] as const;
export const needsNoValue = (operator: string) => operator === 'is_present' || operator === 'is_not_present';

const chosen = ['equal_to', 'not_equal_to', 'is_present', 'is_not_present', 'attribute_changed'];
const counted = [
  'equal_to',
  'not_equal_to',
  'is_greater_than',
  'is_less_than',
  'days_before',
  'is_present',
  'is_not_present',
];

/** The operators that make sense for such a value. */
export const operatorsFor = (kind: ValueKind) => {
  const wanted =
    kind === 'text'
      ? operators.filter(([name]) => !['is_greater_than', 'is_less_than', 'days_before'].includes(name))
      : operators.filter(([name]) =>
          (kind === 'number' || kind === 'date' ? counted : chosen).includes(name),
        );
  return wanted;
};

/** What is written beside such an operator: of days one says how many. */
export const kindOfValue = (kind: ValueKind, operator: string): ValueKind =>
  operator === 'days_before' ? 'number' : kind;

export const actionKinds: readonly (readonly [name: string, label: string, kind: ValueKind])[] = [
  ['add_label', 'Add the label', 'label'],
  ['assign_team', 'Give it to the team', 'team'],
  ['assign_agent', 'Give it to', 'agent'],
  ['send_message', 'Send the message', 'text'],
  ['resolve_conversation', 'Resolve it', 'none'],
  ['snooze_conversation', 'Snooze it', 'none'],
  ['mute_conversation', 'Mute it', 'none'],
  ['change_priority', 'Set the priority', 'priority'],
  ['send_webhook_event', 'Send it to the address', 'address'],
];

/** Names of things by their ids, as far as they are known. */
export interface Names {
  agents: readonly { id: number; name: string }[];
  teams: readonly { id: number; name: string }[];
  inboxes: readonly { id: number; name: string }[];
}

const directions: Readonly<Record<string, string>> = {
  incoming: 'the visitor',
  outgoing: 'an agent',
  template: 'the service',
};

/** In the middle of a sentence. */
const small = (words: string) => words.charAt(0).toLowerCase() + words.slice(1);

const labelOf = (pairs: readonly (readonly [string, string, ...unknown[]])[], name: string) =>
  pairs.find(([key]) => key === name)?.[1] ?? name.replaceAll('_', ' ');

function named(kind: ValueKind | undefined, value: string | number | boolean, names: Names): string {
  const from = { agent: names.agents, team: names.teams, inbox: names.inboxes } as const;
  if (kind === 'agent' || kind === 'team' || kind === 'inbox') {
    return from[kind].find(({ id }) => String(id) === String(value))?.name ?? `#${value}`;
  }
  if (kind === 'direction') return directions[String(value)] ?? String(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return kind === 'text' || kind === undefined ? `“${value}”` : String(value);
}

function conditionWords(condition: Condition, names: Names, keys: typeof conditionKeys): string {
  const kind = keys.find(([key]) => key === condition.attribute_key)?.[2];
  const values = condition.values.map((value) => named(kind, value, names)).join(' or ');
  const operator = labelOf(operators, condition.filter_operator);
  return [small(labelOf(keys, condition.attribute_key)), operator, values]
    .filter((word) => word !== '')
    .join(' ');
}

function actionWords({ action_name: name, action_params: params }: Action, names: Names): string {
  const kind = actionKinds.find(([key]) => key === name)?.[2];
  const values = params.map((value) => named(kind, value, names)).join(', ');
  return [small(labelOf(actionKinds, name)), values].filter((word) => word !== '').join(' ');
}

/** Event, conditions and actions as three lines. */
export function ruleWords(rule: Rule, names: Names, keys: typeof conditionKeys) {
  const conditions = rule.conditions
    .map((condition, index) => {
      const joint = rule.conditions[index - 1]?.query_operator;
      const words = conditionWords(condition, names, keys);
      return index === 0 ? words : `${joint ?? 'and'} ${words}`;
    })
    .join(' ');
  return {
    event: small(labelOf(ruleEvents, rule.event_name)),
    conditions,
    actions: rule.actions.map((action) => actionWords(action, names)).join(', then '),
  };
}

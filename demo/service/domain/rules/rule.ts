/** A rule as it is kept: when, on which conditions, what then. Who wrote it was checked by `http`. */
import type { Priority } from '../../store/rows.js';

export const operators = [
  'equal_to',
  'not_equal_to',
  'contains',
  'does_not_contain',
  'is_present',
  'is_not_present',
  'is_greater_than',
  'is_less_than',
  'days_before',
  'starts_with',
  'attribute_changed',
] as const;

/** What a condition may ask for; other keys must be custom attributes of the account. */
export const standardKeys = [
  'content',
  'message_type',
  'private_note',
  'status',
  'assignee_id',
  'team_id',
  'priority',
  'inbox_id',
  'labels',
  'conversation_language',
  'browser_language',
  'referer',
  'mail_subject',
  'name',
  'email',
  'phone_number',
  'identifier',
  'country_code',
  'city',
  'company',
  'blocked',
] as const;

export interface Condition {
  attribute_key: string;
  filter_operator: (typeof operators)[number];
  values: readonly (string | number | boolean)[];
  /** How the next condition is joined to this one. */
  query_operator: 'and' | 'or' | null;
}

/** `nil` takes away, as with the reference. */
type RowOrNil = number | 'nil';

export type Action =
  | { action_name: 'add_label'; action_params: readonly string[] }
  | { action_name: 'assign_team' | 'assign_agent'; action_params: readonly RowOrNil[] }
  | { action_name: 'send_message' | 'send_webhook_event'; action_params: readonly string[] }
  | { action_name: 'change_priority'; action_params: readonly (Priority | 'nil')[] }
  | {
      action_name: 'resolve_conversation' | 'snooze_conversation' | 'snooze' | 'mute_conversation' | 'mute';
      action_params: readonly unknown[];
    };

export interface RuleRow {
  id: number;
  account_id: number;
  name: string;
  description: string;
  event_name: string;
  conditions: Condition[];
  actions: Action[];
  active: boolean;
  created_at: Date;
}

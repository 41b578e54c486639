/** Whether conditions hold for the facts. Pure. `and` binds tighter than `or`, as in the query they come from. */
import type { Condition } from './rule.js';

export interface Facts {
  /** What is known of a key: nothing, one value, or several (labels). */
  of(key: string): readonly unknown[];
  /** What a key changed to, if the event changed it: one value, or those that were added. */
  changedTo(key: string): readonly unknown[] | undefined;
  now: Date;
}

const isBlank = (value: unknown) => value === null || value === undefined || value === '';
const plain = (value: unknown) => String(value).toLowerCase();
const dayMs = 86_400_000;

/** Numbers as numbers, dates as instants, and nothing else: text has no size. */
function size(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return Number.NaN;
  const number = Number(value);
  return Number.isNaN(number) ? Date.parse(value) : number;
}

function holds({ attribute_key: key, filter_operator: operator, values }: Condition, facts: Facts): boolean {
  const known = facts.of(key).filter((value) => !isBlank(value));
  const some = (test: (fact: unknown, value: unknown) => boolean) =>
    known.some((fact) => values.some((value) => test(fact, value)));
  const equal = (fact: unknown, value: unknown) => plain(fact) === plain(value);
  const contains = (fact: unknown, value: unknown) => plain(fact).includes(plain(value));
  switch (operator) {
    case 'equal_to':
      return some(equal);
    case 'not_equal_to':
      return !some(equal);
    case 'contains':
      return some(contains);
    case 'does_not_contain':
      return !some(contains);
    case 'is_present':
      return known.length > 0;
    case 'is_not_present':
      return known.length === 0;
    case 'is_greater_than':
      return some((fact, value) => size(fact) > size(value));
    case 'is_less_than':
      return some((fact, value) => size(fact) < size(value));
    case 'days_before':
      return some((fact, value) => size(fact) < facts.now.getTime() - size(value) * dayMs);
    case 'starts_with':
      return some((fact, value) => plain(fact).startsWith(plain(value)));
    case 'attribute_changed': {
      const changed = facts.changedTo(key);
      if (!changed) return false;
      return values.length === 0 || changed.some((now) => values.some((value) => equal(now, value)));
    }
  }
}

/** No conditions: always. */
export function judge(conditions: readonly Condition[], facts: Facts): boolean {
  if (conditions.length === 0) return true;
  let group = true;
  for (const condition of conditions) {
    group = group && holds(condition, facts);
    if (condition.query_operator !== 'or') continue;
    if (group) return true;
    group = true;
  }
  // An `or` with nothing after it asks nothing more.
  return group && conditions.at(-1)?.query_operator !== 'or';
}

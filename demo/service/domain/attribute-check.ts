/**
 * Holds attributes against the definitions of their account: type, list, pattern. Keys nobody defined are free,
 * except where the specification wants them defined. Null clears whatever may be written or is there; and what is there
 * may be sent back, for who sends back what they have read means nothing by it.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../core.js';
import { type FieldError, Refusal } from '../errors.js';
import type { DefinitionRow, Json } from '../store/rows.js';
import type { Matches } from './patterns.js';

type Fault = Pick<FieldError, 'message' | 'code'>;

const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value);
const isLink = (value: unknown) =>
  typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value);
/** `Date` makes the third of March out of the thirty-first of February. */
const isDay = (text: string) => {
  const day = Date.parse(text);
  return !Number.isNaN(day) && new Date(day).toISOString().startsWith(text);
};
const isDate = (value: unknown) =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\d(T.+)?$/.test(value) &&
  isDay(value.slice(0, 10)) &&
  !Number.isNaN(Date.parse(value));

function faultOf(definition: DefinitionRow, value: unknown, matches: Matches): Fault | undefined {
  const wrong = (message: string): Fault => ({ message, code: 'invalid_type' });
  switch (definition.attribute_display_type) {
    case 'number':
    case 'currency':
    case 'percent':
      return isNumber(value) ? undefined : wrong('must be a number');
    case 'checkbox':
      return typeof value === 'boolean' ? undefined : wrong('must be true or false');
    case 'link':
      return isLink(value) ? undefined : wrong('must be an http or https address');
    case 'date':
      return isDate(value) ? undefined : wrong('must be a date such as 2025-01-31');
    case 'list':
      if (typeof value === 'string' && definition.attribute_values.includes(value)) return undefined;
      return { message: `must be one of: ${definition.attribute_values.join(', ')}`, code: 'not_in_list' };
    default: {
      if (typeof value !== 'string') return wrong('must be text');
      const { regex_pattern: pattern, regex_cue: cue } = definition;
      if (!pattern || matches(pattern, value)) return undefined;
      return { message: cue || 'does not have the expected form', code: 'invalid_format' };
    }
  }
}

/**
 * @param kept what is there already
 * @throws Refusal 422, one error for each key that does not fit
 */
export async function checkAttributes(
  { core, tx }: Pick<Change, 'core' | 'tx'>,
  accountId: number,
  model: DefinitionRow['attribute_model'],
  attributes: Json,
  { definedOnly = false, kept = {} }: { definedOnly?: boolean; kept?: Json } = {},
): Promise<void> {
  const keys = Object.keys(attributes);
  if (keys.length === 0) return;
  const rows = await tx.query<DefinitionRow>(
    `select * from custom_attribute_definitions
     where account_id = $1 and attribute_model = $2 and attribute_key = any($3::text[])`,
    [accountId, model, keys],
  );
  const definitions = new Map(rows.map((row) => [row.attribute_key, row]));
  const errors: FieldError[] = [];
  const matches = core.matcher(accountId);
  for (const [key, value] of Object.entries(attributes)) {
    const isKept = Object.hasOwn(kept, key) && (value === null || isDeepStrictEqual(value, kept[key]));
    if (isKept) continue;
    const definition = definitions.get(key);
    const field = `custom_attributes.${key}`;
    if (!definition) {
      if (definedOnly)
        errors.push({ field, message: 'is not a defined attribute', code: 'undefined_attribute' });
      continue;
    }
    const fault = value === null ? undefined : faultOf(definition, value, matches);
    if (fault) errors.push({ field, ...fault });
  }
  if (errors.length) throw new Refusal(422, 'The request is not valid', errors);
}

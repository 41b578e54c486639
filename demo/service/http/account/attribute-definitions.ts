/** What an account wants to know of its contacts and conversations. */
import { z } from 'zod';
import { unheard } from '../../domain/attributes.js';
import { isPattern, isSlow } from '../../domain/patterns.js';
import { iso } from '../../domain/shapes-shared.js';
import { notFound, unprocessable } from '../../errors.js';
import { first, one } from '../../store/database.js';
import { attributeModels, attributeTypes, type DefinitionRow } from '../../store/rows.js';
import { refuseTaken } from '../../store/taken.js';
import { attributeDefinition } from '../answers/account.js';
import { endpoint } from '../define-endpoint.js';
import { limitedText, shortText, title } from '../fields.js';
import { cleanText } from '../read.js';
import { accountPath, administratorOf, agentOf, rowOf } from './scope.js';

const listPath = `${accountPath}/custom_attribute_definitions`;
const itemPath = `${listPath}/:custom_attribute_definition_id`;

/** A word, or its number, as the reference takes both. */
const numbered = <Word extends string>(words: readonly [Word, ...Word[]]) =>
  z.preprocess((value) => (typeof value === 'number' ? (words[value] ?? value) : value), z.enum(words));

const clearable = (schema: z.ZodType<string>) =>
  schema.nullish().transform((text) => (text === undefined ? undefined : text || null));

/** A list, or the text in which it is answered, so that what was read can be sent back. */
const values = z.preprocess((value) => {
  try {
    return typeof value === 'string' ? cleanText(JSON.parse(value)) : value;
  } catch {
    return value;
  }
}, z.array(title).max(500));

const fields = {
  attribute_description: limitedText(1000).optional(),
  attribute_values: values.optional(),
  regex_pattern: clearable(
    shortText
      .refine(isPattern, {
        error: 'is not a regular expression',
        params: { code: 'invalid_pattern' },
        abort: true,
      })
      .refine((pattern) => !isSlow(pattern), {
        error: 'takes too long to find out what does not match',
        params: { code: 'invalid_pattern' },
      }),
  ),
  regex_cue: clearable(shortText),
  default_value: clearable(shortText),
};

const needsValues = 'a list needs its values';

const newDefinition = z
  .object({
    attribute_display_name: title,
    attribute_display_type: numbered(attributeTypes).default('text'),
    attribute_key: title
      .refine((text) => /^[\w-]+$/.test(text), { error: 'may have letters, digits, "-" and "_" only' })
      .refine((text) => text !== unheard, { error: 'cannot be a name' }),
    attribute_model: numbered(attributeModels),
    ...fields,
  })
  .refine((given) => given.attribute_display_type !== 'list' || given.attribute_values?.length, {
    error: needsValues,
    path: ['attribute_values'],
    params: { code: 'required' },
  });

const shape = ({ account_id: _ours, ...row }: DefinitionRow) => ({
  ...row,
  attribute_values: JSON.stringify(row.attribute_values),
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
});

export const attributeDefinitionEndpoints = [
  endpoint({
    methods: ['get'],
    path: listPath,
    told: {
      name: 'listAttributeDefinitions',
      summary: 'What an account wants to know of its conversations (0) or contacts (1)',
      result: { json: z.array(attributeDefinition) },
    },
    query: z.object({ attribute_model: z.enum(['0', '1']).transform((text) => (text === '0' ? 0 : 1)) }),
    async answer(call) {
      const agent = await agentOf(call);
      const rows = await call.core.db.query<DefinitionRow>(
        'select * from custom_attribute_definitions where account_id = $1 and attribute_model = $2 order by id',
        [agent.account_id, attributeModels[call.query().attribute_model]],
      );
      return call.http.json(rows.map(shape));
    },
  }),
  endpoint({
    methods: ['post'],
    path: listPath,
    told: {
      name: 'createAttributeDefinition',
      summary: 'Defines an attribute',
      result: { json: attributeDefinition },
      refuses: [403],
    },
    body: newDefinition,
    async answer(call) {
      const agent = await administratorOf(call);
      const given = await call.body();
      const row = await refuseTaken('attribute_key', () =>
        one<DefinitionRow>(
          call.core.db,
          `insert into custom_attribute_definitions (account_id, attribute_display_name, attribute_display_type,
             attribute_description, attribute_key, attribute_model, attribute_values, regex_pattern, regex_cue,
             default_value)
           values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, $10) returning *`,
          [
            agent.account_id,
            given.attribute_display_name,
            given.attribute_display_type,
            given.attribute_description ?? '',
            given.attribute_key,
            given.attribute_model,
            JSON.stringify(given.attribute_values ?? []),
            given.regex_pattern ?? null,
            given.regex_cue ?? null,
            given.default_value ?? null,
          ],
        ),
      );
      return call.http.json(shape(row));
    },
  }),
  endpoint({
    methods: ['get'],
    path: itemPath,
    told: {
      name: 'showAttributeDefinition',
      summary: 'One definition',
      result: { json: attributeDefinition },
    },
    async answer(call) {
      const agent = await agentOf(call);
      const id = 'custom_attribute_definition_id';
      return call.http.json(
        shape(await rowOf<DefinitionRow>(call, agent, 'custom_attribute_definitions', id)),
      );
    },
  }),
  endpoint({
    methods: ['patch', 'put'],
    path: itemPath,
    told: {
      name: 'changeAttributeDefinition',
      summary: 'Changes a definition',
      result: { json: attributeDefinition },
      refuses: [403],
    },
    body: z.object({ attribute_display_name: title.optional(), ...fields }),
    async answer(call) {
      const agent = await administratorOf(call);
      const name = 'custom_attribute_definition_id';
      const { id } = await rowOf<DefinitionRow>(call, agent, 'custom_attribute_definitions', name);
      const body = await call.body();
      const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
      const row = await call.core.db.transaction(async (tx) => {
        const sql = 'select * from custom_attribute_definitions where id = $1 for update';
        const known = await first<DefinitionRow>(tx, sql, [id]);
        if (!known) throw notFound(name);
        if (known.attribute_display_type === 'list' && body.attribute_values?.length === 0)
          throw unprocessable('attribute_values', needsValues, 'required');
        const after = { ...known, ...given };
        return one<DefinitionRow>(
          tx,
          `update custom_attribute_definitions set attribute_display_name = $2, attribute_description = $3,
           attribute_values = $4::jsonb, regex_pattern = $5, regex_cue = $6, default_value = $7, updated_at = now()
         where id = $1 returning *`,
          [
            id,
            after.attribute_display_name,
            after.attribute_description,
            JSON.stringify(after.attribute_values),
            after.regex_pattern,
            after.regex_cue,
            after.default_value,
          ],
        );
      });
      return call.http.json(shape(row));
    },
  }),
  endpoint({
    methods: ['delete'],
    path: itemPath,
    told: {
      name: 'deleteAttributeDefinition',
      summary: 'Deletes a definition',
      result: { status: 204, empty: true },
      refuses: [403],
    },
    async answer(call) {
      const agent = await administratorOf(call);
      const name = 'custom_attribute_definition_id';
      const { id } = await rowOf<DefinitionRow>(call, agent, 'custom_attribute_definitions', name);
      await call.core.db.query('delete from custom_attribute_definitions where id = $1', [id]);
      return call.http.body(null, 204);
    },
  }),
];

/** What may be written into a contact: JSON, or a form that brings a picture with it. */
import type { z } from 'zod';
import type { Core } from '../../core.js';
import { attributes } from '../../domain/attributes.js';
import { checkAvatar } from '../../domain/avatars.js';
import { Refusal, unprocessable } from '../../errors.js';
import { isUnstored } from '../../store/database.js';
import type { DefinitionRow, Json } from '../../store/rows.js';
import type { StoredFile } from '../../uploads.js';
import type { HttpContext } from '../endpoint.js';
import { avatarText, clearable, emailText, flag, phoneText, shortText } from '../fields.js';
import { isMultipart, readForm } from '../multipart.js';
import { check, readJson, stillMay } from '../read.js';

/** Where somebody is, in words; the other keys of the map are anybody's. */
const places = ['city', 'country', 'country_code', 'created_at_ip'];
function withWrittenPlaces(map: Json, context: z.RefinementCtx) {
  for (const place of places)
    if (typeof (map[place] ?? '') !== 'string')
      context.addIssue({
        code: 'custom',
        path: [place],
        message: 'must be a text',
        params: { code: 'invalid_type' },
      });
}

export const contactFields = {
  name: clearable(shortText),
  email: clearable(emailText),
  phone_number: clearable(phoneText),
  identifier: clearable(shortText),
  avatar_url: clearable(avatarText),
  blocked: flag.optional(),
  additional_attributes: attributes.superRefine(withWrittenPlaces).optional(),
  custom_attributes: attributes.optional(),
};

const maps = ['additional_attributes', 'custom_attributes'];

/**
 * A form knows text alone: what a definition wants otherwise is read from it; what cannot be read stays as it is. A
 * field left empty takes the value away, except that of a text, which may be empty.
 */
function typed(type: DefinitionRow['attribute_display_type'] | undefined, text: string): unknown {
  if (type !== undefined && type !== 'text' && text.trim() === '') return null;
  switch (type) {
    case 'number':
    case 'currency':
    case 'percent':
      return /^\s*[+-]?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : text;
    case 'checkbox':
      return text === 'true' ? true : text === 'false' ? false : text;
    default:
      return text;
  }
}

/** In a form a map is JSON, or one field for each of its keys: `custom_attributes[plan]`. */
function unfolded(
  fields: Readonly<Record<string, string>>,
  definitions: readonly DefinitionRow[],
): Record<string, unknown> {
  const types = new Map(definitions.map((row) => [row.attribute_key, row.attribute_display_type]));
  const all = new Map<string, unknown>();
  for (const [name, text] of Object.entries(fields)) {
    const [map = ''] = name.split('[', 1);
    if (map !== name && maps.includes(map)) {
      const [, key] = /^\w+\[([^[\]]+)\]$/.exec(name) ?? [];
      if (key === undefined) throw unprocessable(name, `must be written as ${map}[key]`, 'invalid_value');
      const before = all.get(map);
      const value = map === 'custom_attributes' ? typed(types.get(key), text) : text;
      all.set(map, { ...(typeof before === 'object' ? before : {}), [key]: value });
    } else if (maps.includes(name)) {
      try {
        all.set(name, JSON.parse(text));
      } catch {
        throw unprocessable(name, 'is not valid JSON', 'invalid_value');
      }
    } else all.set(name, text);
  }
  return Object.fromEntries(all);
}

/** A picture is a file: whoever sends its content as text would else never learn that it did not arrive. */
function withoutText<Given>(given: Given): Given {
  if (Object(given).avatar) throw unprocessable('avatar', 'must be a file', 'invalid_type');
  return given;
}

/** Hands the fields and the picture to `store`; a picture that was not stored goes. */
export async function withContactBody<Body, Answer>(
  http: HttpContext,
  core: Core,
  accountId: number,
  schema: z.ZodType<Body>,
  store: (body: Body, picture: StoredFile | undefined) => Promise<Answer>,
): Promise<Answer> {
  if (!isMultipart(http)) {
    return store(check(schema, withoutText(await readJson(http, core)), 'body'), undefined);
  }
  const definitions = await core.db.query<DefinitionRow>(
    `select * from custom_attribute_definitions
     where account_id = $1 and attribute_model = 'contact_attribute'`,
    [accountId],
  );
  const began = performance.now();
  const { fields, files } = await readForm(http, core, { name: 'avatar', fits: /^avatar$/ });
  try {
    await stillMay(http, began);
    const body = check(schema, unfolded(withoutText(fields), definitions), 'body');
    const picture = files.at(-1);
    if (picture) {
      checkAvatar(picture);
      await core.uploads.keep([picture]);
    }
    await core.uploads.discard(files.filter((file) => file !== picture).map((file) => file.key));
    return await store(body, picture);
  } catch (error) {
    // After any other error the commit may have happened: a picture too many is better than one too few. After a commit
    // `store` asks for nothing more.
    if (error instanceof Refusal || isUnstored(error))
      await core.uploads.discard(files.map((file) => file.key));
    throw error;
  }
}

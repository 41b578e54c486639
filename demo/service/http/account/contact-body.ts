/** What may be written into a contact: JSON, or a form that brings a picture with it. */
import { z } from 'zod';
import type { Core } from '../../core.js';
import { attributes } from '../../domain/attributes.js';
import { checkAvatar } from '../../domain/avatars.js';
import { unprocessable } from '../../errors.js';
import type { StoredFile } from '../../uploads.js';
import type { HttpContext } from '../endpoint.js';
import { avatarText, emailText, flag, phoneText, shortText } from '../fields.js';
import { isMultipart, readForm } from '../multipart.js';
import { check, readJson } from '../read.js';

const clearable = (schema: z.ZodType<string>) => z.union([z.literal(''), schema]).nullish();

export const contactFields = {
  name: clearable(shortText),
  email: clearable(emailText),
  phone_number: clearable(phoneText),
  identifier: clearable(shortText),
  avatar_url: clearable(avatarText),
  blocked: flag.optional(),
  additional_attributes: attributes.optional(),
  custom_attributes: attributes.optional(),
};

const maps = ['additional_attributes', 'custom_attributes'];

/** In a form a map is JSON, or one field for each of its keys: `custom_attributes[plan]`. */
function unfolded(fields: Readonly<Record<string, string>>): Record<string, unknown> {
  const all = new Map<string, unknown>();
  for (const [name, text] of Object.entries(fields)) {
    const [, map = '', key = ''] = /^(\w+)\[([^\]]+)\]$/.exec(name) ?? [];
    if (maps.includes(map)) {
      const before = all.get(map);
      all.set(map, { ...(typeof before === 'object' ? before : {}), [key]: text });
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

/** Hands the fields and the picture to `store`; a picture that was not stored goes. */
export async function withContactBody<Body, Answer>(
  http: HttpContext,
  core: Core,
  schema: z.ZodType<Body>,
  store: (body: Body, picture: StoredFile | undefined) => Promise<Answer>,
): Promise<Answer> {
  if (!isMultipart(http)) {
    return store(check(schema, await readJson(http, core.limits.bodyBytes), 'body'), undefined);
  }
  const { fields, files } = await readForm(http, core, ['avatar']);
  try {
    const body = check(schema, unfolded(fields), 'body');
    const picture = files.at(-1);
    if (picture) {
      checkAvatar(picture);
      await core.uploads.keep([picture]);
    }
    await core.uploads.discard(files.filter((file) => file !== picture).map((file) => file.key));
    return await store(body, picture);
  } catch (error) {
    await core.uploads.discard(files.map((file) => file.key));
    throw error;
  }
}

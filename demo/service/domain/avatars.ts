/** The picture of a contact, given as a file: kept under an address of ours, in the place of the one before it. */
import type { Core } from '../core.js';
import { tooLarge, unprocessable } from '../errors.js';
import type { Queries } from '../store/database.js';
import type { ContactRow } from '../store/rows.js';
import type { StoredFile } from '../uploads.js';

const mostBytes = 15 * 1024 * 1024;

/** @throws Refusal 422 for what is no picture, 413 for one of more than 15 MB */
export function checkAvatar(file: StoredFile): void {
  if (file.fileType !== 'image') throw unprocessable('avatar', 'is not a picture', 'invalid_value');
  if (file.size > mostBytes) throw tooLarge('avatar', 'is too large (maximum is 15 MB)');
}

const ours = '/avatars/';

/** As it is kept: where the service is to be found may change. */
export const ownAvatar = (key: string) => ours + key;

/** As it is told. */
export const avatarAddress = (core: Core, kept: string) =>
  kept.startsWith(ours) ? core.publicUrl() + kept : kept;

/** As an address is kept that somebody gives: one of ours by its path, and the one they have under any name of ours. */
export function keptAvatar(core: Core, given: string, before: string): string {
  if (before.startsWith(ours) && given.endsWith(before)) return before;
  const own = core.publicUrl();
  return given.startsWith(own + ours) ? given.slice(own.length) : given;
}

/** @returns the key of the picture they had, whose bytes can go once this is committed */
export async function dropAvatar(tx: Queries, contactId: number): Promise<string[]> {
  const sql = 'delete from avatars where contact_id = $1 returning key';
  return (await tx.query<{ key: string }>(sql, [contactId])).map(({ key }) => key);
}

/** They have none. */
export async function putAvatar(tx: Queries, contactId: number, file: StoredFile): Promise<void> {
  await tx.query('insert into avatars (key, contact_id, content_type) values ($1, $2, $3)', [
    file.key,
    contactId,
    file.contentType,
  ]);
}

/** @returns as `dropAvatar` */
export async function passAvatar(tx: Queries, gone: ContactRow, survivor: ContactRow): Promise<string[]> {
  if (survivor.avatar_url) return dropAvatar(tx, gone.id);
  const keys = await dropAvatar(tx, survivor.id);
  await tx.query('update avatars set contact_id = $2 where contact_id = $1', [gone.id, survivor.id]);
  return keys;
}

/**
 * Which conversation a message is sent to, for many requests at once. Tells the same as `conversationOf`, and only the
 * two numbers that writing needs.
 */
import type { Core } from '../../core.js';
import { notFound, tooMany } from '../../errors.js';
import { gathered } from '../../gather.js';
import type { Call } from '../endpoint.js';
import { idOf } from '../fields.js';
import { textParam } from './scope.js';

interface Asked {
  inbox: string;
  source: string;
  display: number | undefined;
}

interface Found {
  inbox_id: number | null;
  pair_id: number | null;
  conversation_id: number | null;
}

const sql = `
  select i.id as inbox_id, p.id as pair_id, c.id as conversation_id
  from json_to_recordset($1::json) as g (n integer, inbox text, source text, display bigint)
  left join inboxes i on i.identifier = g.inbox
  left join contact_inboxes p on p.inbox_id = i.id and p.source_id = g.source
  left join conversations c on c.account_id = i.account_id and c.display_id = g.display
    and (c.contact_inbox_id = p.id or (p.hmac_verified and c.contact_id = p.contact_id))
  order by g.n`;

const gatherings = new WeakMap<Core, (asked: Asked) => Promise<Found>>();

function gatheringOf(core: Core): (asked: Asked) => Promise<Found> {
  const gather =
    gatherings.get(core) ??
    gathered<Asked, Found>({ most: 100, groups: 2 }, (all) =>
      core.db.query<Found>(sql, [JSON.stringify(all.map((asked, n) => ({ n, ...asked })))]),
    );
  gatherings.set(core, gather);
  return gather;
}

/** @throws Refusal 404 and 429 as `conversationOf` does */
export async function conversationIdOf(
  call: Pick<Call<never, never>, 'core' | 'param' | 'perContact'>,
): Promise<number> {
  const found = await gatheringOf(call.core)({
    inbox: textParam(call, 'inbox_identifier'),
    source: textParam(call, 'contact_identifier'),
    display: idOf(call.param('conversation_id')),
  });
  if (found.inbox_id === null) throw notFound('inbox_identifier');
  if (found.pair_id === null) throw notFound('contact_identifier');
  const wait = call.perContact.take(String(found.pair_id));
  if (wait) throw tooMany(wait);
  if (found.conversation_id === null) throw notFound('conversation_id');
  return found.conversation_id;
}

/**
 * The rules of the public deployment, before our service: where ours is stricter or says more, it answers as that one
 * does. Whoever gives an address is taken for the one who has it, a proof at the making of a contact is looked at and
 * not believed, one that is wrong is an error of the service, the conversations of a proven visitor cannot be listed,
 * and errors come in that deployment's shapes. It reads and writes the tables where our service would refuse. With
 * `forgetEchoId` of the service, nothing that is sent is recognised either.
 */
import { mergeContacts } from '../../demo/service/domain/merge.js';
import { hmacOf, randomToken } from '../../demo/service/secrets.js';
import { type Database, first } from '../../demo/service/store/database.js';
import type { ContactRow, InboxRow, PairRow } from '../../demo/service/store/rows.js';
import type { FaultProxy } from './fault-proxy.js';
import { type Answer, dropFrame, type Exchange, type ProxiedRequest } from './faults.js';
import { ask, errorBody } from './service.js';

type Said = Record<string, unknown>;

const shared = { 'access-control-allow-origin': '*', 'content-type': 'application/json; charset=utf-8' };
const made = (status: number, body: unknown): Answer => ({
  status,
  headers: shared,
  body: Buffer.from(JSON.stringify(body)),
});
const ill = () => made(500, { status: 500, error: 'Internal Server Error' });

/** Errors of the public family, in the shapes that are really sent. */
function told(answer: Answer): Answer {
  if (answer.status === 404) return made(404, { status: 404, error: 'Not Found' });
  if (answer.status === 401) return ill();
  if (answer.status === 429)
    return {
      ...made(429, ''),
      headers: { ...shared, 'content-type': 'text/plain' },
      body: Buffer.from('Retry later\n'),
    };
  if (answer.status !== 422) return answer;
  const { errors } = errorBody.parse(JSON.parse(answer.body.toString()));
  return made(422, {
    message: errors.map(({ message }) => message).join(', '),
    attributes: errors.map(({ field }) => field),
  });
}

const saidIn = ({ body, path }: ProxiedRequest): Said => ({
  ...Object.fromEntries(new URL(path, 'http://here').searchParams),
  ...(body.startsWith('{') ? JSON.parse(body) : {}),
});

/** Undefined when it is wrong, or wanted and not there. */
function proven(inbox: InboxRow, { identifier, identifier_hash: hash }: Said): boolean {
  if (!hash && !inbox.hmac_mandatory) return true;
  return hash === hmacOf(inbox.hmac_token, String(identifier ?? ''));
}

const fields = ['identifier', 'email', 'phone_number'] as const;

async function knownBy(
  db: Database,
  inbox: InboxRow,
  said: Said,
  by: readonly string[] = fields,
): Promise<ContactRow | undefined> {
  for (const field of by) {
    const sql = `select * from contacts where account_id = $1 and lower(${field}) = lower($2)`;
    const found = said[field] ? await first<ContactRow>(db, sql, [inbox.account_id, said[field]]) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** @returns its undo */
export function answerAsReference(service: { url: string; db: Database }, proxy: FaultProxy): () => void {
  const { db, url } = service;
  const pairOf = (inbox: InboxRow, sourceId: unknown) =>
    first<PairRow>(db, 'select * from contact_inboxes where inbox_id = $1 and source_id = $2', [
      inbox.id,
      sourceId,
    ]);

  async function asked(method: string, path: string, body: Said): Promise<Answer> {
    const answer = await ask(url + path, method, body);
    return told(made(answer.status, answer.body));
  }

  async function make(inbox: InboxRow, path: string, said: Said): Promise<Answer> {
    const { source_id: sourceId = crypto.randomUUID(), ...given } = said;
    if (sourceId === '' || !proven(inbox, said)) return ill();
    const { identifier_hash: hash, ...rest } = given;
    const wanted = inbox.hmac_mandatory ? { identifier: said.identifier, identifier_hash: hash } : {};
    const before = await pairOf(inbox, sourceId);
    const known = before ? undefined : await knownBy(db, inbox, said);
    if (known)
      await db.query(
        `insert into contact_inboxes (contact_id, inbox_id, source_id, pubsub_token) values ($1, $2, $3, $4)
         on conflict do nothing`,
        [known.id, inbox.id, sourceId, randomToken()],
      );
    const answer = await asked('POST', path, {
      ...(before || known ? {} : rest),
      ...wanted,
      source_id: sourceId,
    });
    // Of one that it makes the service believes no proof.
    if (!before)
      await db.query(
        'update contact_inboxes set hmac_verified = false, claims = null where inbox_id = $1 and source_id = $2',
        [inbox.id, sourceId],
      );
    return answer;
  }

  /** By what our service refuses: who has the address by now is who asks. */
  async function join(inbox: InboxRow, sourceId: string, said: Said): Promise<void> {
    const pair = await pairOf(inbox, sourceId);
    for (const field of ['email', 'phone_number']) {
      const other = await knownBy(db, inbox, said, [field]);
      const mine = pair && (await pairOf(inbox, sourceId));
      if (!other || !mine || other.id === mine.contact_id) continue;
      await db.transaction(async (tx) => {
        const gone = await first<ContactRow>(tx, 'select * from contacts where id = $1', [mine.contact_id]);
        if (!gone) return;
        await mergeContacts(tx, gone, other);
        // Ours has no names to pass on, and asks for a proof anew.
        await tx.query('update contacts set identifier = coalesce(identifier, $2) where id = $1', [
          other.id,
          gone.identifier,
        ]);
        await tx.query('update contact_inboxes set hmac_verified = $2 where id = $1', [
          mine.id,
          mine.hmac_verified,
        ]);
      });
    }
  }

  async function change(
    inbox: InboxRow,
    seen: ProxiedRequest,
    sourceId: string,
    said: Said,
  ): Promise<Answer> {
    if (!proven(inbox, said)) return ill();
    const path = seen.path.split('?', 1).join();
    let answer = await asked(seen.method, path, said);
    if (answer.status === 422) {
      await join(inbox, sourceId, said);
      answer = await asked(seen.method, path, said);
    }
    if (answer.status !== 200) return answer;
    const { source_id: _, pubsub_token: __, ...record } = JSON.parse(answer.body.toString());
    return made(200, record);
  }

  async function answer(seen: ProxiedRequest, { forward }: Exchange): Promise<Answer> {
    const path = seen.path.split('?', 1).join();
    const [, identifier, sourceId, below] =
      /^\/public\/api\/v1\/inboxes\/([^/]+)\/contacts(?:\/([^/]+)(\/conversations)?)?$/.exec(path) ?? [];
    const inbox =
      identifier && (await first<InboxRow>(db, 'select * from inboxes where identifier = $1', [identifier]));
    if (!inbox) return told(await forward());
    if (!sourceId) return seen.method === 'POST' ? make(inbox, path, saidIn(seen)) : told(await forward());
    const key = decodeURIComponent(sourceId);
    if (below) {
      const isBroken = seen.method === 'GET' && (await pairOf(inbox, key))?.hmac_verified;
      return isBroken ? ill() : told(await forward());
    }
    if (seen.method === 'GET') return proven(inbox, saidIn(seen)) ? told(await forward()) : ill();
    return change(inbox, seen, key, saidIn(seen));
  }

  const undo = [
    proxy.rule((seen) =>
      seen.path.startsWith('/public/')
        ? async (exchange) => exchange.answer(await answer(seen, exchange))
        : undefined,
    ),
    // Nothing at all is answered there.
    proxy.frameRule(({ direction, text }) =>
      direction === 'down' && text.includes('"type":"reject_subscription"') ? dropFrame : undefined,
    ),
  ];
  return () => {
    for (const end of undo) end();
  };
}

/** Who works in an inbox: an agent sees the conversations of the own inboxes only. */
import { z } from 'zod';
import { type Change, type Core, commitNow } from '../../core.js';
import { agentsOf } from '../../domain/messages-view.js';
import { agentShape } from '../../domain/shapes-account.js';
import { notFound } from '../../errors.js';
import { scopeChanged } from '../../events.js';
import { first, type Queries } from '../../store/database.js';
import type { InboxRow } from '../../store/rows.js';
import { members as membersAnswer } from '../answers/organisation.js';
import { idOf, rowId, userIds } from '../fields.js';
import { endpoint } from '../read.js';
import { accountPath, administratorOf, agentOf, inboxOf } from './scope.js';
import { onlyAgents } from './teams.js';

const membersPath = `${accountPath}/inbox_members`;

async function members(core: Core, db: Queries, inbox: InboxRow) {
  const rows = await db.query<{ user_id: number }>('select user_id from inbox_members where inbox_id = $1', [
    inbox.id,
  ]);
  const ids = rows.map((row) => row.user_id);
  return { payload: (await agentsOf(db, inbox.account_id, ids)).map((agent) => agentShape(core, agent)) };
}

type Verb = 'post' | 'patch' | 'delete';

async function setMembers({ tx, emit }: Change, inbox: InboxRow, verb: Verb, ids: readonly number[]) {
  const gone = await tx.query<{ user_id: number }>(
    `delete from inbox_members where inbox_id = $1
       and (user_id = any($2::bigint[]) or ($3 and user_id <> all($4::bigint[]))) returning user_id`,
    [inbox.id, verb === 'delete' ? ids : [], verb === 'patch', ids],
  );
  const come = await tx.query<{ user_id: number }>(
    `insert into inbox_members (inbox_id, user_id) select $1, unnest($2::bigint[])
     on conflict do nothing returning user_id`,
    [inbox.id, verb === 'delete' ? [] : ids],
  );
  const changed = [...gone, ...come].map((row) => row.user_id);
  if (changed.length) emit(scopeChanged(inbox.account_id, changed));
}

const verbs = ['post', 'patch', 'delete'] as const;
/** POST adds, PATCH replaces, DELETE takes away. */
const changes = verbs.map((verb) =>
  endpoint({
    methods: [verb],
    path: membersPath,
    told: {
      name: `${verb}InboxMembers`,
      summary: 'Adds, replaces or takes away members of an inbox',
      result: verb === 'delete' ? { empty: true } : { json: membersAnswer },
      refuses: [403],
    },
    body: z.object({ inbox_id: rowId, user_ids: userIds }),
    async answer(call) {
      const agent = await administratorOf(call);
      const { inbox_id: inboxId, user_ids: asked } = await call.body();
      const payload = await commitNow(call.core, async (change) => {
        const { tx } = change;
        const sql = 'select * from inboxes where account_id = $1 and id = $2';
        const inbox = await first<InboxRow>(tx, sql, [agent.account_id, inboxId]);
        if (!inbox) throw notFound('inbox_id');
        const ids = await onlyAgents(tx, agent.account_id, asked);
        await setMembers(change, inbox, verb, ids);
        return members(call.core, tx, inbox);
      });
      return verb === 'delete' ? call.http.body(null, 200) : call.http.json(payload);
    },
  }),
);

export const inboxMemberEndpoints = [
  ...changes,
  endpoint({
    methods: ['get'],
    path: `${membersPath}/:inbox_id`,
    told: {
      name: 'listInboxMembers',
      summary: 'Who belongs to an inbox',
      result: { json: membersAnswer },
    },
    async answer(call) {
      const inbox = await inboxOf(call, await agentOf(call), idOf(call.param('inbox_id')));
      return call.http.json(await members(call.core, call.core.db, inbox));
    },
  }),
];

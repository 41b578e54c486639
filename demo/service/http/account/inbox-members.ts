/** Who works in an inbox: an agent sees the conversations of the own inboxes only, and keeps none in another. */
import { z } from 'zod';
import { type Change, type Core, commitNow } from '../../core.js';
import { agentsOf } from '../../domain/agent-rows.js';
import { lockAccount } from '../../domain/agents.js';
import { type Held, release, releaseMost } from '../../domain/release.js';
import { agentShape } from '../../domain/shapes-account.js';
import { notFound } from '../../errors.js';
import { scopeChanged } from '../../events.js';
import { first, type Queries } from '../../store/database.js';
import type { AgentRow, InboxRow } from '../../store/rows.js';
import { members as membersAnswer } from '../answers/organisation.js';
import { endpoint } from '../define-endpoint.js';
import { idOf, rowId, userIds } from '../fields.js';
import { accountPath, administratorOf, agentOf, inboxOf } from './scope.js';
import { onlyAgents } from './teams.js';

const membersPath = `${accountPath}/inbox_members`;

interface Member {
  user_id: number;
}

async function members(core: Core, db: Queries, inbox: InboxRow) {
  const rows = await db.query<Member>('select user_id from inbox_members where inbox_id = $1', [inbox.id]);
  const ids = rows.map((row) => row.user_id);
  return { payload: (await agentsOf(db, inbox.account_id, ids)).map((agent) => agentShape(core, agent)) };
}

type Verb = 'post' | 'patch' | 'delete';

/** Those who go; its parameters are `goingParams`. */
const going = 'inbox_id = $1 and (user_id = any($2::bigint[]) or ($3 and user_id <> all($4::bigint[])))';
const goingParams = (inbox: InboxRow, verb: Verb, ids: readonly number[]) => [
  inbox.id,
  verb === 'delete' ? ids : [],
  verb === 'patch',
  ids,
];

/** What those of them have there who see it no more: an administrator does. */
async function heldBy(db: Queries, inbox: InboxRow, members: readonly Member[]): Promise<Held> {
  const agents = await db.query<Member>(
    `select user_id from account_users where account_id = $1 and role = 'agent' and user_id = any($2::bigint[])`,
    [inbox.account_id, members.map((row) => row.user_id)],
  );
  return { column: 'assignee_id', by: agents.map((row) => row.user_id), inboxIds: [inbox.id] };
}

async function setMembers(
  change: Change,
  by: AgentRow,
  inbox: InboxRow,
  verb: Verb,
  ids: readonly number[],
): Promise<void> {
  const { tx, emit } = change;
  // Who sees the inbox as an administrator does not cease to be one meanwhile.
  await lockAccount(tx, inbox.account_id);
  const gone = await tx.query<Member>(
    `delete from inbox_members where ${going} returning user_id`,
    goingParams(inbox, verb, ids),
  );
  const come = await tx.query<Member>(
    `insert into inbox_members (inbox_id, user_id) select $1, unnest($2::bigint[])
     on conflict do nothing returning user_id`,
    [inbox.id, verb === 'delete' ? [] : ids],
  );
  const changed = [...gone, ...come].map((row) => row.user_id);
  if (changed.length) emit(scopeChanged(inbox.account_id, changed));
  await release(change, by, await heldBy(tx, inbox, gone));
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
      const { core } = call;
      const check = async (db: Queries) => {
        const sql = 'select * from inboxes where account_id = $1 and id = $2';
        const inbox = await first<InboxRow>(db, sql, [agent.account_id, inboxId]);
        if (!inbox) throw notFound('inbox_id');
        return { inbox, ids: await onlyAgents(db, agent.account_id, asked) };
      };
      if (verb !== 'post') {
        // Before anything of theirs is given away; below it is asked once more.
        const { inbox, ids } = await check(core.db);
        const sql = `select user_id from inbox_members where ${going}`;
        const gone = await core.db.query<Member>(sql, goingParams(inbox, verb, ids));
        await releaseMost(core, agent, await heldBy(core.db, inbox, gone));
      }
      const payload = await commitNow(core, async (change) => {
        const { inbox, ids } = await check(change.tx);
        await setMembers(change, agent, inbox, verb, ids);
        return members(core, change.tx, inbox);
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

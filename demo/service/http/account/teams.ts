/** Teams and who is in them. Everybody sees them; administrators make them. */
import { z } from 'zod';
import { type Core, commitNow } from '../../core.js';
import { agentsOf } from '../../domain/agent-rows.js';
import { teamThatStays } from '../../domain/conversation-changes.js';
import { release, releaseMost } from '../../domain/release.js';
import { agentShape } from '../../domain/shapes-account.js';
import { teamShape } from '../../domain/shapes-shared.js';
import { notFound } from '../../errors.js';
import { first, one, type Queries } from '../../store/database.js';
import type { AgentRow, TeamRow } from '../../store/rows.js';
import { refuseTaken } from '../../store/taken.js';
import { agent as agentAnswer } from '../answers/account.js';
import { teamWithMembership } from '../answers/organisation.js';
import { endpoint } from '../define-endpoint.js';
import { flag, limitedText, title, userIds } from '../fields.js';
import { accountPath, administratorOf, agentOf, rowOf, still } from './scope.js';

const teamsPath = `${accountPath}/teams`;
const teamPath = `${teamsPath}/:team_id`;
const membersPath = `${teamPath}/team_members`;

const fields = { description: limitedText(1000).optional(), allow_auto_assign: flag.optional() };

async function shape(db: Queries, team: TeamRow, agent: AgentRow) {
  const { mine } = await one<{ mine: boolean }>(
    db,
    'select exists (select 1 from team_members where team_id = $1 and user_id = $2) as mine',
    [team.id, agent.id],
  );
  return { ...teamShape(team), is_member: mine };
}

async function members(core: Core, db: Queries, team: TeamRow) {
  const rows = await db.query<{ user_id: number }>('select user_id from team_members where team_id = $1', [
    team.id,
  ]);
  const ids = rows.map((row) => row.user_id);
  return (await agentsOf(db, team.account_id, ids)).map((agent) => agentShape(core, agent));
}

/** @throws Refusal 404 for somebody who is not of the account */
export async function onlyAgents(db: Queries, accountId: number, ids: readonly number[]): Promise<number[]> {
  const wanted = [...new Set(ids)];
  // Nobody of them is let go before this is done.
  const found = await db.query(
    'select user_id from account_users where account_id = $1 and user_id = any($2::bigint[]) for key share',
    [accountId, wanted],
  );
  if (found.length !== wanted.length) throw notFound('user_ids', 'No such agent in this account');
  return wanted;
}

const memberVerbs = ['post', 'patch', 'delete'] as const;
/** POST adds, PATCH replaces, DELETE takes away. */
const memberEndpoints = memberVerbs.map((verb) =>
  endpoint({
    methods: [verb],
    path: membersPath,
    told: {
      name: `${verb}TeamMembers`,
      summary: 'Adds, replaces or takes away members of a team',
      result: verb === 'delete' ? { empty: true } : { json: z.array(agentAnswer) },
      refuses: [403],
    },
    body: z.object({ user_ids: userIds }),
    async answer(call) {
      const agent = await administratorOf(call);
      const team = await rowOf<TeamRow>(call, agent, 'teams', 'team_id');
      const { user_ids: asked } = await call.body();
      const payload = await call.core.db.transaction(async (tx) => {
        await still('team_id', teamThatStays(tx, agent.account_id, team.id));
        const ids = await onlyAgents(tx, agent.account_id, asked);
        const gone = verb === 'delete' ? ids : [];
        await tx.query(
          `delete from team_members where team_id = $1
             and (user_id = any($2::bigint[]) or ($3 and user_id <> all($4::bigint[])))`,
          [team.id, gone, verb === 'patch', ids],
        );
        if (verb !== 'delete') {
          await tx.query(
            `insert into team_members (team_id, user_id) select $1, unnest($2::bigint[])
             on conflict do nothing`,
            [team.id, ids],
          );
        }
        return members(call.core, tx, team);
      });
      return verb === 'delete' ? call.http.body(null, 200) : call.http.json(payload);
    },
  }),
);

export const teamEndpoints = [
  endpoint({
    methods: ['get'],
    path: teamsPath,
    told: {
      name: 'listTeams',
      summary: 'The teams of the account',
      result: { json: z.array(teamWithMembership) },
    },
    async answer(call) {
      const agent = await agentOf(call);
      const rows = await call.core.db.query<TeamRow>(
        'select * from teams where account_id = $1 order by name, id',
        [agent.account_id],
      );
      return call.http.json(await Promise.all(rows.map((row) => shape(call.core.db, row, agent))));
    },
  }),
  endpoint({
    methods: ['post'],
    path: teamsPath,
    told: {
      name: 'createTeam',
      summary: 'Makes a team',
      result: { json: teamWithMembership },
      refuses: [403],
    },
    body: z.object({ name: title, ...fields }),
    async answer(call) {
      const agent = await administratorOf(call);
      const { name, description, allow_auto_assign: auto } = await call.body();
      const team = await refuseTaken('name', () =>
        one<TeamRow>(
          call.core.db,
          `insert into teams (account_id, name, description, allow_auto_assign)
           values ($1, $2, $3, $4) returning *`,
          [agent.account_id, name, description ?? '', auto ?? true],
        ),
      );
      return call.http.json(await shape(call.core.db, team, agent));
    },
  }),
  endpoint({
    methods: ['get'],
    path: teamPath,
    told: {
      name: 'showTeam',
      summary: 'One team',
      result: { json: teamWithMembership },
    },
    async answer(call) {
      const agent = await agentOf(call);
      const team = await rowOf<TeamRow>(call, agent, 'teams', 'team_id');
      return call.http.json(await shape(call.core.db, team, agent));
    },
  }),
  endpoint({
    methods: ['patch', 'put'],
    path: teamPath,
    told: {
      name: 'changeTeam',
      summary: 'Changes a team',
      result: { json: teamWithMembership },
      refuses: [403],
    },
    body: z.object({ name: title.optional(), ...fields }),
    async answer(call) {
      const agent = await administratorOf(call);
      const { id } = await rowOf<TeamRow>(call, agent, 'teams', 'team_id');
      const { name, description, allow_auto_assign: auto } = await call.body();
      const team = refuseTaken('name', () =>
        first<TeamRow>(
          call.core.db,
          `update teams set name = coalesce($2, name), description = coalesce($3, description),
             allow_auto_assign = coalesce($4, allow_auto_assign) where id = $1 returning *`,
          [id, name ?? null, description ?? null, auto ?? null],
        ),
      );
      return call.http.json(await shape(call.core.db, await still('team_id', team), agent));
    },
  }),
  endpoint({
    methods: ['delete'],
    path: teamPath,
    told: {
      name: 'deleteTeam',
      summary: 'Deletes a team',
      result: { empty: true },
      refuses: [403],
    },
    async answer(call) {
      const agent = await administratorOf(call);
      const { id } = await rowOf<TeamRow>(call, agent, 'teams', 'team_id');
      await releaseMost(call.core, agent, { column: 'team_id', by: [id] });
      await commitNow(call.core, async (change) => {
        // Nobody gives it another conversation meanwhile.
        await change.tx.query('select id from teams where id = $1 for update', [id]);
        await release(change, agent, { column: 'team_id', by: [id] });
        await change.tx.query('delete from teams where id = $1', [id]);
      });
      return call.http.body(null, 200);
    },
  }),
  endpoint({
    methods: ['get'],
    path: membersPath,
    told: {
      name: 'listTeamMembers',
      summary: 'Who is in a team',
      result: { json: z.array(agentAnswer) },
    },
    async answer(call) {
      const agent = await agentOf(call);
      const team = await rowOf<TeamRow>(call, agent, 'teams', 'team_id');
      return call.http.json(await members(call.core, call.core.db, team));
    },
  }),
  ...memberEndpoints,
];

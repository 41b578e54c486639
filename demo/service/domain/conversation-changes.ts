/**
 * What agents and rules change about a conversation beside its state: assignee, team, labels, priority, attributes,
 * silence. Each change is announced with what differs and leaves a line; what changes nothing leaves nothing.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../core.js';
import { notFound } from '../errors.js';
import { first, one, type Queries } from '../store/database.js';
import type { AgentRow, ContactRow, ConversationRow, Json, Priority, TeamRow } from '../store/rows.js';
import { type Actor, agentIn, agentName, nameOf } from './actor.js';
import { stays } from './agents.js';
import { announceContact, announceConversation } from './announce.js';
import { addActivity } from './message-rows.js';
import { moveTo } from './status.js';

const announce = (change: Change, before: ConversationRow, by: Actor) =>
  announceConversation(change, ['conversation.updated'], before.id, { agent: agentIn(by), before });

function assignedLine(assignee: AgentRow | null, by: Actor): string {
  if (!assignee) return `Conversation unassigned by ${nameOf(by)}`;
  if (by.kind === 'agent' && by.agent.id === assignee.id)
    return `${nameOf(by)} self-assigned this conversation`;
  return `Assigned to ${agentName(assignee)} by ${nameOf(by)}`;
}

export async function assignAgent(
  change: Change,
  before: ConversationRow,
  assignee: AgentRow | null,
  by: Actor,
): Promise<void> {
  if (assignee && !(await stays(change.tx, before.account_id, assignee.id)))
    throw notFound('assignee_id', 'No such agent in this account');
  const assigneeId = assignee?.id ?? null;
  if (before.assignee_id === assigneeId) return;
  await change.tx.query('update conversations set assignee_id = $2, updated_at = now() where id = $1', [
    before.id,
    assigneeId,
  ]);
  await announce(change, before, by);
  await addActivity(change, before, assignedLine(assignee, by));
}

/** One that does not go before this is done. */
export const teamThatStays = (tx: Queries, accountId: number, id: unknown) =>
  first<TeamRow>(tx, 'select * from teams where account_id = $1 and id = $2 for key share', [accountId, id]);

export async function assignTeam(
  change: Change,
  before: ConversationRow,
  team: TeamRow | null,
  by: Actor,
): Promise<void> {
  const teamId = team?.id ?? null;
  if (before.team_id === teamId) return;
  await change.tx.query('update conversations set team_id = $2, updated_at = now() where id = $1', [
    before.id,
    teamId,
  ]);
  await announce(change, before, by);
  const line = team ? `Assigned to the team ${team.name}` : 'Unassigned from its team';
  await addActivity(change, before, `${line} by ${nameOf(by)}`);
}

export async function setLabels(
  change: Change,
  before: ConversationRow,
  labels: readonly string[],
  by: Actor,
): Promise<string[]> {
  const after = [...new Set(labels)];
  if (isDeepStrictEqual(before.labels, after)) return after;
  await change.tx.query('update conversations set labels = $2::jsonb, updated_at = now() where id = $1', [
    before.id,
    JSON.stringify(after),
  ]);
  await announce(change, before, by);
  const added = after.filter((label) => !before.labels.includes(label));
  const removed = before.labels.filter((label) => !after.includes(label));
  if (added.length) await addActivity(change, before, `${nameOf(by)} added ${added.join(', ')}`);
  if (removed.length) await addActivity(change, before, `${nameOf(by)} removed ${removed.join(', ')}`);
  return after;
}

export async function setPriority(
  change: Change,
  before: ConversationRow,
  priority: Priority | null,
  by: Actor,
): Promise<void> {
  if (before.priority === priority) return;
  await change.tx.query('update conversations set priority = $2, updated_at = now() where id = $1', [
    before.id,
    priority,
  ]);
  await announce(change, before, by);
  const what = priority ? `set the priority to ${priority}` : 'removed the priority';
  await addActivity(change, before, `${nameOf(by)} ${what}`);
}

export async function setAttributes(
  change: Change,
  before: ConversationRow,
  attributes: Json,
  by: Actor,
): Promise<Json> {
  if (isDeepStrictEqual(before.custom_attributes, attributes)) return attributes;
  await change.tx.query(
    'update conversations set custom_attributes = $2::jsonb, updated_at = now() where id = $1',
    [before.id, JSON.stringify(attributes)],
  );
  await announce(change, before, by);
  return attributes;
}

/** Muting blocks the contact and resolves; a blocked contact's messages are kept and reopen nothing. */
export async function setMuted(
  change: Change,
  before: ConversationRow,
  muted: boolean,
  by: Actor,
): Promise<void> {
  const sql = 'select * from contacts where id = $1 for update';
  const contact = await one<ContactRow>(change.tx, sql, [before.contact_id]);
  if (contact.blocked !== muted) await setBlocked(change, contact, muted);
  if (contact.blocked !== muted || (muted && before.status !== 'resolved'))
    await addActivity(change, before, `${nameOf(by)} has ${muted ? 'muted' : 'unmuted'} the conversation`);
  if (muted && before.status !== 'resolved') await moveTo(change, before, { status: 'resolved' }, by);
}

async function setBlocked(change: Change, contact: ContactRow, blocked: boolean): Promise<void> {
  const after = await one<ContactRow>(
    change.tx,
    'update contacts set blocked = $2, updated_at = now() where id = $1 returning *',
    [contact.id, blocked],
  );
  await announceContact(change, 'contact.updated', after, contact);
}

/**
 * Who asks the account API, and what they may see. Another account's data does not exist (404); an agent sees the
 * conversations of the inboxes they belong to, an administrator all.
 */
import { noteActive } from '../../domain/agents.js';
import { forbidden, notFound, type Refusal, unauthorized } from '../../errors.js';
import { sha256 } from '../../secrets.js';
import { first } from '../../store/database.js';
import type { AgentRow, ConversationRow, InboxRow, MessageRow, UserRow } from '../../store/rows.js';
import type { Call } from '../endpoint.js';
import { idOf } from '../fields.js';
import { tokenOf } from '../tokens.js';

export const accountPath = '/api/v1/accounts/:account_id';
export const conversationPath = `${accountPath}/conversations/:conversation_id`;

type AnyCall = Pick<Call<never, never>, 'core' | 'param' | 'http'>;

const invalidToken = () => unauthorized('api_access_token', 'Invalid access token', 'invalid_token');

function givenToken({ http }: Pick<AnyCall, 'http'>): string {
  const token = tokenOf(http);
  if (!token) throw unauthorized('api_access_token', 'The header api_access_token is missing', 'required');
  return token;
}

/** The index is asked for a hash, so the time it takes tells nothing about a token. */
export async function userOf({ core, ...call }: AnyCall): Promise<UserRow> {
  const token = givenToken(call);
  const user = await first<UserRow>(
    core.db,
    'select u.* from access_tokens t join users u on u.id = t.user_id where t.token_hash = $1',
    [sha256(token)],
  );
  if (!user) throw invalidToken();
  call.http.set('isKnown', true);
  return user;
}

/** @param outside what whoever does not belong to the account is told, whether or not it exists */
export async function agentOf(
  call: AnyCall,
  outside: () => Refusal = () => notFound('account_id'),
): Promise<AgentRow> {
  const token = givenToken(call);
  const found = await first<
    Omit<AgentRow, 'account_id'> & { account_id: number | null; active_at: Date | null }
  >(
    call.core.db,
    `select u.*, au.account_id, au.role, au.auto_offline, au.active_at
     from access_tokens t join users u on u.id = t.user_id
     left join account_users au on au.user_id = u.id and au.account_id = $2 where t.token_hash = $1`,
    [sha256(token), idOf(call.param('account_id')) ?? null],
  );
  if (!found) throw invalidToken();
  call.http.set('isKnown', true);
  const { active_at, account_id, ...rest } = found;
  if (account_id === null) throw outside();
  const agent = { ...rest, account_id };
  await noteActive(call.core.db, { ...agent, active_at });
  // What they are by then is what they are from then on.
  call.http.set('askAgain', async () => void Object.assign(agent, await agentOf(call, outside)));
  return agent;
}

export async function administratorOf(call: AnyCall, outside?: () => Refusal): Promise<AgentRow> {
  const agent = await agentOf(call, outside);
  if (agent.role !== 'administrator')
    throw forbidden('api_access_token', 'Only an administrator may do this');
  call.http.set('askAgain', async () => void (await administratorOf(call, outside)));
  return agent;
}

type OwnedTable =
  | 'automation_rules'
  | 'canned_responses'
  | 'contacts'
  | 'custom_attribute_definitions'
  | 'inboxes'
  | 'labels'
  | 'teams'
  | 'webhooks';

/** The row of this account that a path names. */
export async function rowOf<Row>(
  call: AnyCall,
  agent: AgentRow,
  table: OwnedTable,
  name: string,
): Promise<Row> {
  const id = idOf(call.param(name));
  const row =
    id === undefined
      ? undefined
      : await first<Row>(call.core.db, `select * from ${table} where account_id = $1 and id = $2`, [
          agent.account_id,
          id,
        ]);
  if (!row) throw notFound(name);
  return row;
}

/** What is done to a row that was found: somebody may have deleted it since. */
export async function still<Row>(name: string, done: Promise<Row | undefined>): Promise<Row> {
  const row = await done;
  if (!row) throw notFound(name);
  return row;
}

/** Over a table with `account_id` and `inbox_id`; its parameters are `visibleParams`. */
export const visible = `account_id = $1 and ($2 = 'administrator'
  or inbox_id in (select inbox_id from inbox_members where user_id = $3))`;
export const visibleParams = (agent: AgentRow) => [agent.account_id, agent.role, agent.id];

/** Of the inboxes those an agent belongs to, of an administrator all; its parameters, too, are `visibleParams`. */
export const visibleInboxes = `account_id = $1 and ($2 = 'administrator'
  or id in (select inbox_id from inbox_members where user_id = $3))`;

export async function inboxOf(
  { core }: Pick<AnyCall, 'core'>,
  agent: AgentRow,
  id: number | undefined,
): Promise<InboxRow> {
  const sql = `select * from inboxes where ${visibleInboxes} and id = $4`;
  const inbox =
    id === undefined ? undefined : await first<InboxRow>(core.db, sql, [...visibleParams(agent), id]);
  if (!inbox) throw notFound('inbox_id');
  return inbox;
}

export async function conversationOf(
  call: AnyCall,
): Promise<{ agent: AgentRow; conversation: ConversationRow }> {
  const agent = await agentOf(call);
  const id = idOf(call.param('conversation_id'));
  const conversation =
    id === undefined
      ? undefined
      : await first<ConversationRow>(
          call.core.db,
          `select * from conversations where ${visible} and display_id = $4`,
          [...visibleParams(agent), id],
        );
  if (!conversation) throw notFound('conversation_id');
  call.http.set('askAgain', async () => void Object.assign(agent, (await conversationOf(call)).agent));
  return { agent, conversation };
}

export async function messageOf(
  call: AnyCall,
): Promise<{ agent: AgentRow; conversation: ConversationRow; message: MessageRow }> {
  const scope = await conversationOf(call);
  const id = idOf(call.param('message_id'));
  const message =
    id === undefined
      ? undefined
      : await first<MessageRow>(
          call.core.db,
          'select * from messages where conversation_id = $1 and id = $2',
          [scope.conversation.id, id],
        );
  if (!message) throw notFound('message_id');
  return { ...scope, message };
}

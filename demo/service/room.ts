/**
 * RoomChannel: turns the tokens of a subscription into what may be heard, and answers its one action, presence. Knows
 * no sockets.
 */
import { z } from 'zod';
import type { Core } from './core.js';
import { agentsOf } from './domain/agent-rows.js';
import { noteActive } from './domain/agents.js';
import { accountTopic, agentsTopic, contactName, inboxTopic, pairTopic, userName } from './events.js';
import { first } from './store/database.js';
import type { Role } from './store/rows.js';

export interface Member {
  accountId: number;
  topics: readonly string[];
  /** As presence knows them; events with this name in `except` are not for them. */
  name: string;
  isAgent: boolean;
}

const MAX_ID = 999_999_999_999_999;
const number = z.union([z.int().min(0).max(MAX_ID), z.string().regex(/^\d{1,15}$/)]).transform(Number);

export const roomIdentifier = z.object({
  channel: z.literal('RoomChannel'),
  pubsub_token: z.string().min(1).max(255),
  user_id: number.optional(),
  account_id: number.optional(),
});

/** As REST does: an agent hears the conversations of the inboxes they belong to, an administrator all. */
const topicsOf = (accountId: number, role: Role, inboxIds: readonly number[]) =>
  role === 'administrator'
    ? [accountTopic(accountId)]
    : [agentsTopic(accountId), ...inboxIds.map(inboxTopic)];

/** @returns nothing for a token we do not know: the subscription is rejected */
export async function enterRoom(
  core: Core,
  asked: z.infer<typeof roomIdentifier>,
): Promise<Member | undefined> {
  if (asked.pubsub_token.includes('\0')) return undefined;
  if (asked.user_id === undefined) {
    const pair = await first<{ id: number; contact_id: number; account_id: number }>(
      core.db,
      `select p.id, p.contact_id, i.account_id from contact_inboxes p join inboxes i on i.id = p.inbox_id
       where p.pubsub_token = $1`,
      [asked.pubsub_token],
    );
    return (
      pair && {
        accountId: pair.account_id,
        topics: [pairTopic(pair.id)],
        name: contactName(pair.contact_id),
        isAgent: false,
      }
    );
  }
  const agent = await first<{ id: number; role: Role; inbox_ids: number[] | null }>(
    core.db,
    `select u.id, au.role,
       (select json_agg(i.id) from inbox_members m join inboxes i on i.id = m.inbox_id
        where m.user_id = u.id and i.account_id = au.account_id) as inbox_ids
     from users u join account_users au on au.user_id = u.id
     where u.pubsub_token = $1 and u.id = $2 and au.account_id = $3`,
    [asked.pubsub_token, asked.user_id, asked.account_id ?? 0],
  );
  const accountId = asked.account_id ?? 0;
  return (
    agent && {
      accountId,
      topics: topicsOf(accountId, agent.role, agent.inbox_ids ?? []),
      name: userName(agent.id),
      isAgent: true,
    }
  );
}

/** Seen now; and who else of the account is there, or never leaves by themselves. Only agents hear of contacts. */
export async function beat(core: Core, member: Member): Promise<Record<string, unknown>> {
  const { accountId, name, isAgent } = member;
  core.presence.beat(accountId, name);
  const agents = await agentsOf(core.db, accountId);
  const self = isAgent && agents.find((agent) => userName(agent.id) === name);
  if (self) await noteActive(core.db, self);
  const users = agents.filter(
    (agent) => !agent.auto_offline || core.presence.has(accountId, userName(agent.id)),
  );
  const here = isAgent ? core.presence.present(accountId) : [];
  const contacts = here.flatMap((who) => (who.startsWith('contact:') ? [who.slice('contact:'.length)] : []));
  return {
    event: 'presence.update',
    data: {
      account_id: accountId,
      users: Object.fromEntries(users.map((agent) => [String(agent.id), agent.availability])),
      ...(isAgent ? { contacts: Object.fromEntries(contacts.map((id) => [id, 'online'])) } : {}),
    },
  };
}

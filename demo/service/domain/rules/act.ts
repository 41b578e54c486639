/**
 * Does what a rule says, in the transaction that judged it. Each action starts from the conversation as the one
 * before it left it. Somebody or some team that is gone by now is passed over: a rule must not stop for it.
 */
import type { Change } from '../../core.js';
import type { Actor } from '../actor.js';
import { agentsOf } from '../agent-rows.js';
import { stays } from '../agents.js';
import {
  assignAgent,
  assignTeam,
  setLabels,
  setMuted,
  setPriority,
  teamThatStays,
} from '../conversation-changes.js';
import { viewConversation } from '../conversations-view.js';
import { enqueueForRule } from '../delivery-queue.js';
import { addAutomatic } from '../message-rows.js';
import type { MessageView } from '../messages-view.js';
import { lockConversation, moveTo } from '../status.js';
import { conversationPayload, deliveryLane, messagePayload } from '../webhook-events.js';
import type { Action, RuleRow } from './rule.js';

export interface Occasion {
  conversationId: number;
  message: MessageView | undefined;
}

async function tellAddress(change: Change, rule: RuleRow, occasion: Occasion, url: string): Promise<void> {
  const scene = await viewConversation(change.tx, occasion.conversationId);
  const payload = occasion.message
    ? await messagePayload(change, occasion.message, scene)
    : await conversationPayload(change, scene);
  const about = {
    accountId: rule.account_id,
    event: `automation_event.${rule.event_name}`,
    lane: deliveryLane(occasion.conversationId),
  };
  enqueueForRule(change, about, { id: rule.id, url }, payload);
}

async function perform(change: Change, rule: RuleRow, action: Action, occasion: Occasion): Promise<void> {
  const by: Actor = { kind: 'rule', name: rule.name };
  const before = await lockConversation(change, occasion.conversationId);
  switch (action.action_name) {
    case 'add_label':
      await setLabels(change, before, [...before.labels, ...action.action_params], by);
      return;
    case 'assign_team': {
      const [id] = action.action_params;
      const team = id === 'nil' ? null : await teamThatStays(change.tx, rule.account_id, id);
      if (team !== undefined) await assignTeam(change, before, team, by);
      return;
    }
    case 'assign_agent': {
      const [id] = action.action_params;
      if (id === 'nil') return assignAgent(change, before, null, by);
      const [agent] = id === undefined ? [] : await agentsOf(change.tx, rule.account_id, [id]);
      if (agent && (await stays(change.tx, before.account_id, agent.id)))
        await assignAgent(change, before, agent, by);
      return;
    }
    case 'send_message':
      await addAutomatic(change, before, {
        type: 1,
        content: action.action_params[0] ?? '',
        contentAttributes: { automation_rule_id: rule.id },
      });
      return;
    case 'resolve_conversation':
      if (before.status !== 'resolved') await moveTo(change, before, { status: 'resolved' }, by);
      return;
    case 'snooze':
    case 'snooze_conversation':
      if (before.status !== 'snoozed') await moveTo(change, before, { status: 'snoozed' }, by);
      return;
    case 'mute':
    case 'mute_conversation':
      return setMuted(change, before, true, by);
    case 'change_priority': {
      const [priority] = action.action_params;
      return setPriority(change, before, priority === 'nil' ? null : (priority ?? null), by);
    }
    case 'send_webhook_event':
      return tellAddress(change, rule, occasion, action.action_params[0] ?? '');
  }
}

export async function act(change: Change, rule: RuleRow, occasion: Occasion): Promise<void> {
  for (const action of rule.actions) await perform(change, rule, action, occasion);
}

/** What agents change about a conversation: assignee and team, labels, priority, attributes, silence. */
import { z } from 'zod';
import { agentsOf } from '../../domain/agent-rows.js';
import { checkAttributes } from '../../domain/attribute-check.js';
import { attributes, bounded, withoutKeys } from '../../domain/attributes.js';
import {
  assignAgent,
  assignTeam,
  setAttributes,
  setLabels,
  setMuted,
  setPriority,
  teamThatStays,
} from '../../domain/conversation-changes.js';
import { changeByAgent } from '../../domain/conversations.js';
import { agentShape } from '../../domain/shapes-account.js';
import { teamShape } from '../../domain/shapes-shared.js';
import { notFound } from '../../errors.js';
import { priorities } from '../../store/rows.js';
import { agent as agentAnswer } from '../answers/account.js';
import { team } from '../answers/organisation.js';
import { freeMap, text } from '../answers/parts.js';
import { endpoint } from '../define-endpoint.js';
import { flag, rowId, shortText, title } from '../fields.js';
import { conversationOf, conversationPath } from './scope.js';

const labelsAnswer = z.strictObject({ payload: z.array(text) });

const assignment = z
  .object({ assignee_id: rowId.nullish(), team_id: rowId.nullish() })
  .refine((body) => body.assignee_id !== undefined || body.team_id !== undefined, {
    error: 'assignee_id or team_id is needed',
    path: ['assignee_id'],
    params: { code: 'required' },
  });

const silences = (['mute', 'unmute'] as const).map((verb) =>
  endpoint({
    methods: ['post'],
    path: `${conversationPath}/${verb}`,
    told: {
      name: verb === 'mute' ? 'muteConversation' : 'unmuteConversation',
      summary: 'Mutes a conversation, or takes it back',
      about: 'Muting resolves it and blocks its contact.',
      result: { empty: true },
    },
    async answer(call) {
      const { agent, conversation } = await conversationOf(call);
      await changeByAgent(call.core, conversation.id, agent, (change, before, by) =>
        setMuted(change, before, verb === 'mute', by),
      );
      return call.http.body(null, 200);
    },
  }),
);

export const conversationChangeEndpoints = [
  endpoint({
    methods: ['post'],
    path: `${conversationPath}/assignments`,
    told: {
      name: 'assignConversation',
      summary: 'Gives a conversation to an agent or a team, or to nobody',
      result: { json: z.union([agentAnswer, team]).nullable() },
    },
    body: assignment,
    async answer(call) {
      const { agent, conversation } = await conversationOf(call);
      const { assignee_id: assigneeId, team_id: teamId } = await call.body();
      const answer = await changeByAgent(call.core, conversation.id, agent, async (change, before, by) => {
        if (assigneeId === undefined) {
          // The reference's agents' page clears with 0.
          const team = teamId ? await teamThatStays(change.tx, before.account_id, teamId) : null;
          if (team === undefined) throw notFound('team_id', 'No such team in this account');
          await assignTeam(change, before, team, by);
          return team && teamShape(team);
        }
        const [assignee] = assigneeId ? await agentsOf(change.tx, before.account_id, [assigneeId]) : [];
        if (assigneeId && !assignee) throw notFound('assignee_id', 'No such agent in this account');
        await assignAgent(change, before, assignee ?? null, by);
        return assignee ? agentShape(call.core, assignee) : null;
      });
      return call.http.json(answer);
    },
  }),
  endpoint({
    methods: ['get'],
    path: `${conversationPath}/labels`,
    told: {
      name: 'listConversationLabels',
      summary: 'The labels of a conversation',
      result: { json: labelsAnswer },
    },
    async answer(call) {
      const { conversation } = await conversationOf(call);
      return call.http.json({ payload: conversation.labels });
    },
  }),
  endpoint({
    methods: ['post'],
    path: `${conversationPath}/labels`,
    told: {
      name: 'setConversationLabels',
      summary: 'Replaces the labels of a conversation',
      result: { json: labelsAnswer },
    },
    body: z.object({ labels: z.array(title).max(100) }),
    async answer(call) {
      const { agent, conversation } = await conversationOf(call);
      const { labels } = await call.body();
      const payload = await changeByAgent(call.core, conversation.id, agent, (change, before, by) =>
        setLabels(change, before, labels, by),
      );
      return call.http.json({ payload });
    },
  }),
  endpoint({
    methods: ['post'],
    path: `${conversationPath}/toggle_priority`,
    told: {
      name: 'setConversationPriority',
      summary: 'Sets the priority of a conversation, or clears it',
      result: { empty: true },
    },
    body: z.object({
      priority: z
        .union(
          [z.enum(priorities), z.literal('')],
          'must be low, medium, high or urgent, or empty to clear it',
        )
        .nullish(),
    }),
    async answer(call) {
      const { agent, conversation } = await conversationOf(call);
      const { priority } = await call.body();
      await changeByAgent(call.core, conversation.id, agent, (change, before, by) =>
        setPriority(change, before, priority || null, by),
      );
      return call.http.body(null, 200);
    },
  }),
  endpoint({
    methods: ['post'],
    path: `${conversationPath}/custom_attributes`,
    told: {
      name: 'setConversationAttributes',
      summary: 'Sets attributes of a conversation',
      about: 'With merge only the keys that are sent change; without it they replace all.',
      result: { json: z.strictObject({ custom_attributes: freeMap }) },
    },
    body: z.object({ custom_attributes: attributes, merge: flag.default(false) }),
    async answer(call) {
      const { agent, conversation } = await conversationOf(call);
      const { custom_attributes: given, merge } = await call.body();
      const after = await changeByAgent(call.core, conversation.id, agent, async (change, before, by) => {
        await checkAttributes(change, before.account_id, 'conversation_attribute', given, {
          kept: before.custom_attributes,
        });
        const after = merge ? bounded({ ...before.custom_attributes, ...given }, given) : given;
        return setAttributes(change, before, after, by);
      });
      return call.http.json({ custom_attributes: after });
    },
  }),
  endpoint({
    methods: ['post'],
    path: `${conversationPath}/destroy_custom_attributes`,
    told: {
      name: 'removeConversationAttributes',
      summary: 'Removes attributes of a conversation by their keys',
      result: { json: z.strictObject({ custom_attributes: freeMap }) },
    },
    body: z.object({ custom_attributes: z.array(shortText).max(1000) }),
    async answer(call) {
      const { agent, conversation } = await conversationOf(call);
      const { custom_attributes: keys } = await call.body();
      const after = await changeByAgent(call.core, conversation.id, agent, (change, before, by) =>
        setAttributes(change, before, withoutKeys(before.custom_attributes, keys), by),
      );
      return call.http.json({ custom_attributes: after });
    },
  }),
  ...silences,
];

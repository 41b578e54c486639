/** The agents' conversations: list, counts, one, its state, typing and seen. */
import { z } from 'zod';
import { conversationSorts, countConversations, listConversations } from '../../domain/conversation-list.js';
import { seenByAgent, setStatusByAgent, typing } from '../../domain/conversations.js';
import { viewConversation } from '../../domain/conversations-view.js';
import { accountConversation, listedConversation } from '../../domain/shapes-account.js';
import { secondsOrNull } from '../../domain/shapes-shared.js';
import type { Queries } from '../../store/database.js';
import { conversationStatuses } from '../../store/rows.js';
import {
  accountConversation as answered,
  conversationPage,
  counts,
  statusChange,
} from '../answers/conversations.js';
import { endpoint } from '../define-endpoint.js';
import {
  flag,
  idText,
  limitedText,
  pageText,
  searched,
  secondsText,
  sourceId,
  typingStatus,
} from '../fields.js';
import { accountPath, agentOf, conversationOf, conversationPath } from './scope.js';
import { searching } from './searching.js';

const filter = {
  status: z
    .enum([...conversationStatuses, 'all'])
    .optional()
    .meta({ description: 'Without one those that are open; with q all' }),
  q: searched.optional(),
  inbox_id: idText.optional(),
  team_id: idText.optional(),
  'labels[]': z.array(limitedText(255)).max(100).optional().meta({ description: 'Any of them' }),
  source_id: sourceId.optional().meta({ description: 'The key of a contact in one inbox' }),
  conversation_type: z
    .enum(['unattended'], 'takes unattended alone: mentions and participants are not kept here')
    .optional()
    .meta({ description: 'Without a first reply, or waiting for another' }),
  updated_within: secondsText.optional().meta({ description: 'Changed at most so many seconds ago' }),
};
type Filter = z.infer<z.ZodObject<typeof filter>>;
const filterOf = ({ status, q, 'labels[]': labels, ...rest }: Filter) => ({
  status: status ?? (q ? 'all' : 'open'),
  q,
  inboxId: rest.inbox_id,
  teamId: rest.team_id,
  labels,
  sourceId: rest.source_id,
  unattended: rest.conversation_type === 'unattended',
  updatedWithin: rest.updated_within,
});
const assigneeTypes = ['me', 'unassigned', 'assigned', 'all'] as const;

const instant = z
  .number()
  .int()
  .min(0)
  .max(253_402_300_799)
  .transform((at) => new Date(at * 1000));

export const conversationEndpoints = [
  endpoint({
    methods: ['get'],
    path: `${accountPath}/conversations`,
    told: {
      name: 'listConversations',
      summary: 'Conversations, newest activity first unless asked otherwise, 25 a page',
      about:
        'A search looks through the words of both sides, in all states unless one is named, and tells the newest message that has them. With updated_within there are no pages: up to 1000 come at once. An agent sees the inboxes they belong to, an administrator all.',
      result: { json: conversationPage },
      refuses: [503],
    },
    query: z.object({
      ...filter,
      // As with the reference.
      assignee_type: z.enum(assigneeTypes).catch('all').default('all').meta({
        enum: undefined,
        description: 'me, unassigned, assigned or all; anything else means all',
      }),
      sort_by: z.enum(conversationSorts).default('last_activity_at_desc'),
      page: pageText,
    }),
    async answer(call) {
      const agent = await agentOf(call);
      const { assignee_type, page, sort_by: sort, ...rest } = call.query();
      const asked = filterOf(rest);
      const [meta, views] = await searching(call.core, asked.q, async (db) => [
        await countConversations(db, agent, asked),
        await listConversations(db, agent, asked, assignee_type, page, sort),
      ]);
      const payload = views.map((view) => listedConversation(call.core, view));
      return call.http.json({ data: { meta, payload } });
    },
  }),
  endpoint({
    methods: ['get'],
    path: `${accountPath}/conversations/meta`,
    told: {
      name: 'countConversations',
      summary: 'How many conversations there are',
      result: { json: z.strictObject({ meta: counts }) },
      refuses: [503],
    },
    query: z.object(filter),
    async answer(call) {
      const agent = await agentOf(call);
      const asked = filterOf(call.query());
      const count = (db: Queries) => countConversations(db, agent, asked);
      return call.http.json({ meta: await searching(call.core, asked.q, count) });
    },
  }),
  endpoint({
    methods: ['get'],
    path: conversationPath,
    told: {
      name: 'showConversation',
      summary: 'One conversation',
      result: { json: answered },
    },
    async answer(call) {
      const { conversation } = await conversationOf(call);
      return call.http.json(
        accountConversation(call.core, await viewConversation(call.core.db, conversation.id)),
      );
    },
  }),
  endpoint({
    methods: ['post'],
    path: `${conversationPath}/toggle_status`,
    told: {
      name: 'changeConversationStatus',
      summary: 'Sets the state of a conversation, or toggles it',
      about:
        'Without a status an open one is resolved and any other opened. An agent who opens one has it from then on.',
      result: { json: statusChange },
    },
    body: z.object({ status: z.enum(conversationStatuses).optional(), snoozed_until: instant.nullish() }),
    async answer(call) {
      const { agent, conversation } = await conversationOf(call);
      const { status: wish, snoozed_until: until } = await call.body();
      const after = await setStatusByAgent(call.core, conversation.id, agent, {
        status: wish,
        snoozedUntil: until ?? undefined,
      });
      return call.http.json({
        meta: {},
        payload: {
          success: true,
          conversation_id: after.display_id,
          current_status: after.status,
          snoozed_until: secondsOrNull(after.snoozed_until),
        },
      });
    },
  }),
  endpoint({
    methods: ['post'],
    path: `${conversationPath}/toggle_typing_status`,
    told: {
      name: 'typeInConversation',
      summary: 'Tells the others that the agent types',
      about: 'on and off; any other value is accepted and does nothing.',
      result: { empty: true },
    },
    body: z.object({ typing_status: typingStatus, is_private: flag.default(false) }),
    async answer(call) {
      const { agent, conversation } = await conversationOf(call);
      const { typing_status: wish, is_private: isPrivate } = await call.body();
      if (wish === 'on' || wish === 'off') {
        await typing(call.core, conversation.id, wish, { agent, isPrivate });
      }
      return call.http.body(null, 200);
    },
  }),
  endpoint({
    methods: ['post'],
    path: `${conversationPath}/update_last_seen`,
    told: {
      name: 'seeConversation',
      summary: 'Marks everything as seen by the agents',
      result: { json: answered },
    },
    async answer(call) {
      const { agent, conversation } = await conversationOf(call);
      await seenByAgent(call.core, conversation.id, agent);
      return call.http.json(
        accountConversation(call.core, await viewConversation(call.core.db, conversation.id)),
      );
    },
  }),
];

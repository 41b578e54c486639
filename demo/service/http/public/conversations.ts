/** P5–P10: a visitor's conversations, their end, typing and what was seen. */
import { z } from 'zod';
import { attributes } from '../../domain/attributes.js';
import { createConversation, resolveByContact, seenByContact, typing } from '../../domain/conversations.js';
import { publicConversation } from '../../domain/shapes-public.js';
import { publicConversation as answered } from '../answers/public.js';
import { endpoint } from '../define-endpoint.js';
import { typingStatus } from '../fields.js';
import { streamed } from '../streamed.js';
import { conversationsText, conversationText } from './conversation-text.js';
import { allConversations, contactOf, contactPath, conversationOf, conversationPath } from './scope.js';

export const conversationEndpoints = [
  endpoint({
    methods: ['get'],
    path: `${contactPath}/conversations`,
    told: {
      name: 'listPublicConversations',
      summary: 'All conversations of the contact, oldest first',
      result: { json: z.array(answered) },
    },
    async answer(call) {
      const scope = await contactOf(call);
      const all = allConversations(call.core.db, scope);
      return streamed(call.http, conversationsText(call.core, all, scope.contact));
    },
  }),
  endpoint({
    methods: ['post'],
    path: `${contactPath}/conversations`,
    told: {
      name: 'createPublicConversation',
      summary: 'Begins a conversation',
      about: 'It begins open. An inbox locked to one conversation gives the last one instead.',
      result: { json: answered },
    },
    body: z.object({ custom_attributes: attributes.nullish() }),
    async answer(call) {
      const { inbox, ...holder } = await contactOf(call);
      const { custom_attributes: given } = await call.body();
      const { conversation, isNew } = await createConversation(call.core, inbox, holder, given ?? {});
      const { core, http } = call;
      // Nothing is asked for after the commit: whoever is told to come again would make another one.
      if (isNew) return http.json({ ...publicConversation(conversation, holder.contact), messages: [] });
      return streamed(http, conversationText(core, conversation, holder.contact));
    },
  }),
  endpoint({
    methods: ['get'],
    path: conversationPath,
    told: {
      name: 'showPublicConversation',
      summary: 'Shows a conversation with its messages',
      result: { json: answered },
    },
    async answer(call) {
      const { conversation, contact } = await conversationOf(call);
      return streamed(call.http, conversationText(call.core, conversation, contact));
    },
  }),
  endpoint({
    methods: ['post'],
    path: `${conversationPath}/toggle_status`,
    told: {
      name: 'resolvePublicConversation',
      summary: 'Resolves a conversation',
      about: 'One way: a resolved conversation stays resolved until a message comes.',
      result: { json: answered },
    },
    async answer(call) {
      const { conversation, contact } = await conversationOf(call);
      const after = await resolveByContact(call.core, conversation.id, contact);
      return streamed(call.http, conversationText(call.core, after, contact));
    },
  }),
  endpoint({
    methods: ['post'],
    path: `${conversationPath}/toggle_typing`,
    told: {
      name: 'typeInPublicConversation',
      summary: 'Tells the agents that the contact types',
      about: 'on and off; any other value is accepted and does nothing.',
      result: { empty: true },
    },
    query: z.object({ typing_status: z.string().optional() }),
    body: z.object({ typing_status: typingStatus }),
    async answer(call) {
      const { conversation, contact } = await conversationOf(call);
      const status = (await call.body()).typing_status ?? call.query().typing_status;
      if (status === 'on' || status === 'off') await typing(call.core, conversation.id, status, { contact });
      return call.http.body(null, 200);
    },
  }),
  endpoint({
    methods: ['post'],
    path: `${conversationPath}/update_last_seen`,
    told: {
      name: 'seePublicConversation',
      summary: 'Marks everything as seen by the contact',
      result: { empty: true },
    },
    async answer(call) {
      const { conversation } = await conversationOf(call);
      await seenByContact(call.core, conversation.id);
      return call.http.body(null, 200);
    },
  }),
];

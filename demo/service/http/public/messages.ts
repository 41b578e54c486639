/** P11–P13: a visitor reads, writes, and answers interactive messages. */
import { z } from 'zod';
import { publicHistory } from '../../domain/history.js';
import { createMessage, submitValues } from '../../domain/messages.js';
import { publicMessage } from '../../domain/shapes-public.js';
import { publicMessage as answered } from '../answers/public.js';
import { endpoint } from '../define-endpoint.js';
import { content, echoId, idText } from '../fields.js';
import { withMessageBody } from '../message-body.js';
import { conversationIdOf } from './addressed.js';
import { conversationOf, conversationPath, messageOf } from './scope.js';
import { refuseLate, submitted } from './submitted.js';

const newMessage = z.object({ content: content.nullish(), echo_id: echoId });

export const messageEndpoints = [
  endpoint({
    methods: ['get'],
    path: `${conversationPath}/messages`,
    told: {
      name: 'listPublicMessages',
      summary: 'Messages, oldest first',
      about: 'The newest 20, or the 20 newest before a message.',
      result: { json: z.array(answered).max(20) },
    },
    query: z.object({ before: idText.optional() }),
    async answer(call) {
      const { conversation } = await conversationOf(call);
      const views = await publicHistory(call.core.db, conversation, call.query().before);
      return call.http.json(views.map((view) => publicMessage(call.core, view)));
    },
  }),
  endpoint({
    methods: ['post'],
    path: `${conversationPath}/messages`,
    told: {
      name: 'createPublicMessage',
      summary: 'Sends a message of the contact',
      about:
        'An echo_id that one sender repeats in a conversation is answered with what was stored first; somebody else’s is refused. Reopens a conversation that is resolved or asleep.',
      result: { json: answered },
      takesFiles: true,
    },
    body: newMessage,
    async answer({ core, http, ...call }) {
      const conversationId = await conversationIdOf({ core, ...call });
      const { view } = await withMessageBody(http, core, newMessage, [], (body, files) =>
        createMessage(core, conversationId, {
          type: 0,
          content: body.content ?? null,
          echoId: body.echo_id,
          sender: 'contact',
          files,
        }),
      );
      return http.json(publicMessage(core, view));
    },
  }),
  endpoint({
    methods: ['patch', 'put'],
    path: `${conversationPath}/messages/:message_id`,
    told: {
      name: 'answerPublicMessage',
      summary: 'Answers an interactive message',
      about:
        'Only name, title and value, none of them an object or a list, and csat_survey_response are kept. A survey takes answers for 14 days.',
      result: { json: answered },
    },
    body: z.object({ submitted_values: submitted }),
    async answer(call) {
      const { message } = await messageOf(call);
      const { submitted_values: values } = await call.body();
      refuseLate(message);
      return call.http.json(publicMessage(call.core, await submitValues(call.core, message, values)));
    },
  }),
];

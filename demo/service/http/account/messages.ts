/** The agents' side of a thread: read it, answer, leave a private note, delete. */
import { z } from 'zod';
import { anyMap } from '../../domain/attributes.js';
import { inboxesOf } from '../../domain/contact-list.js';
import { viewConversation } from '../../domain/conversations-view.js';
import { agentHistory } from '../../domain/history.js';
import { createMessage, deleteMessage } from '../../domain/messages.js';
import { accountMessage, messageListMeta } from '../../domain/shapes-account.js';
import { accountMessage as answered, messagePage } from '../answers/conversations.js';
import { endpoint } from '../define-endpoint.js';
import { content, echoId, flag, idText } from '../fields.js';
import { withMessageBody } from '../message-body.js';
import { listText, streamed } from '../streamed.js';
import { checkQuestion } from './question.js';
import { conversationOf, conversationPath, messageOf } from './scope.js';

const contentTypes = [
  'text',
  'input_text',
  'input_textarea',
  'input_email',
  'input_select',
  'cards',
  'form',
  'article',
  'input_csat',
] as const;

const newMessage = z.object({
  content: content.nullish(),
  private: flag.default(false),
  message_type: z.enum(['outgoing', 'incoming']).default('outgoing'),
  content_type: z.enum(contentTypes).default('text'),
  content_attributes: anyMap.default({}),
  echo_id: echoId,
});

export const messageEndpoints = [
  endpoint({
    methods: ['get'],
    path: `${conversationPath}/messages`,
    told: {
      name: 'listMessages',
      summary: 'Messages of a conversation, oldest first',
      about:
        'After a message up to 100; before one up to 20; between two up to 1000; otherwise the newest 20. Private notes and system lines are among them.',
      result: { json: messagePage },
    },
    query: z.object({ after: idText.optional(), before: idText.optional() }),
    async answer(call) {
      const { agent, conversation } = await conversationOf(call);
      const asked = call.query();
      const scene = await viewConversation(call.core.db, conversation.id);
      const inboxes = await inboxesOf(call.core.db, agent, [scene.contact]);
      const meta = messageListMeta(call.core, scene, inboxes.get(scene.contact.id) ?? []);
      const text = listText(
        `{"meta":${JSON.stringify(meta)},"payload":[`,
        agentHistory(call.core.db, conversation, asked),
        (view) => accountMessage(call.core, view, scene),
        ']}',
      );
      return streamed(call.http, text);
    },
  }),
  endpoint({
    methods: ['post'],
    path: `${conversationPath}/messages`,
    told: {
      name: 'createMessage',
      summary: 'Sends a message of an agent, or leaves a private note',
      about:
        'An echo_id that one sender repeats in a conversation is answered with what was stored first; somebody else’s is refused. An input_select needs items of title and value, cards need items with actions, and neither has other keys. Who quotes a message that is not in the conversation quotes none.',
      result: { json: answered },
      takesFiles: true,
    },
    body: newMessage,
    async answer(call) {
      const { core, http } = call;
      const { agent, conversation } = await conversationOf(call);
      let asked: string | undefined;
      const { view, context } = await withMessageBody(
        http,
        core,
        newMessage,
        ['content_attributes'],
        (body, files) => {
          asked = body.echo_id;
          checkQuestion(body);
          const incoming = body.message_type === 'incoming';
          return createMessage(core, conversation.id, {
            type: incoming ? 0 : 1,
            content: body.content ?? null,
            contentType: body.content_type,
            contentAttributes: body.content_attributes,
            private: body.private,
            echoId: body.echo_id,
            sender: incoming ? 'contact' : agent,
            files,
          });
        },
      );
      return http.json({
        ...accountMessage(core, view, context ?? (await viewConversation(core.db, conversation.id))),
        ...(asked === undefined ? {} : { echo_id: asked }),
      });
    },
  }),
  endpoint({
    methods: ['delete'],
    path: `${conversationPath}/messages/:message_id`,
    told: {
      name: 'deleteMessage',
      summary: 'Deletes the words and files of a message; a notice stays',
      result: { json: answered },
    },
    async answer(call) {
      const { agent, conversation, message } = await messageOf(call);
      const { view, keys } = await deleteMessage(call.core, message, agent);
      await call.core.uploads.discard(keys);
      const scene = await viewConversation(call.core.db, conversation.id);
      return call.http.json(accountMessage(call.core, view, scene));
    },
  }),
];

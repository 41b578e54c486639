/** Conversations with all their messages, however many those are. */
import type { Core } from '../../core.js';
import { publicMessages } from '../../domain/history.js';
import { publicConversation, publicMessage } from '../../domain/shapes-public.js';
import type { ContactRow, ConversationRow } from '../../store/rows.js';
import { listText } from '../streamed.js';

export const conversationText = (
  core: Core,
  conversation: ConversationRow,
  contact: ContactRow,
  before = '',
): AsyncGenerator<string> =>
  listText(
    `${before}${JSON.stringify(publicConversation(conversation, contact)).slice(0, -1)},"messages":[`,
    publicMessages(core.db, conversation),
    (view) => publicMessage(core, view),
    ']}',
  );

export async function* conversationsText(
  core: Core,
  conversations: AsyncIterable<ConversationRow>,
  contact: ContactRow,
): AsyncGenerator<string> {
  let before = '[';
  for await (const conversation of conversations) {
    yield* conversationText(core, conversation, contact, before);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

/** Conversations with all their messages (contract 4.5), however many those are. */
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
  conversations: readonly ConversationRow[],
  contact: ContactRow,
): AsyncGenerator<string> {
  for (const [n, conversation] of conversations.entries())
    yield* conversationText(core, conversation, contact, n === 0 ? '[' : ',');
  yield conversations.length === 0 ? '[]' : ']';
}

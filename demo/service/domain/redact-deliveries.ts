/**
 * What webhooks and rules have not been told yet of a message that is deleted they are told without its words. It does
 * not know why a message goes.
 */
import type { Queries } from '../store/database.js';
import type { MessageRow } from '../store/rows.js';
import { deliveryLane } from './webhook-events.js';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** The message itself, wherever it stands in what is told: a conversation tells its last one, too. */
function emptied(told: unknown, message: MessageRow): unknown {
  if (Array.isArray(told)) return told.map((one) => emptied(one, message));
  if (!isObject(told)) return told;
  const inner = Object.fromEntries(
    Object.entries(told).map(([name, value]) => [name, emptied(value, message)]),
  );
  if (told.id !== message.id || !('message_type' in told)) return inner;
  const { attachments: _gone, ...rest } = inner;
  const { content, content_type, content_attributes } = message;
  const words = 'processed_message_content' in rest ? { processed_message_content: content } : {};
  return { ...rest, ...words, content, content_type, content_attributes };
}

/** @param message as it is by now */
export async function redactDeliveries(tx: Queries, message: MessageRow): Promise<void> {
  const rows = await tx.query<{ id: number; body: string }>(
    `select id, body from webhook_deliveries
     where (state = 'waiting' or state = 'dead') and account_id = $1 and substring(lane from '[^/]*$') = $2
     order by id for update`,
    [message.account_id, deliveryLane(message.conversation_id)],
  );
  for (const { id, body } of rows) {
    const told = JSON.stringify(emptied(JSON.parse(body), message));
    if (told !== body) await tx.query('update webhook_deliveries set body = $2 where id = $1', [id, told]);
  }
}

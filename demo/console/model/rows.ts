/**
 * (messages, unsent entries, last seen) → what the thread shows: days, bubbles and notes between them. Pure; knows
 * no store and no clock. A bubble keeps its key from the first keystroke's send to the stored message.
 */
import { plainWords } from '../../../src/content/plain-words.js';
import type { Attachment, Message } from '../wire/schemas.js';

export interface Entry {
  echoId: string;
  conversationId: number;
  content: string;
  private: boolean;
  /** `text`, or the kind of a question. */
  contentType: string;
  attributes: Record<string, unknown>;
  /** Their bytes live in the page alone: a reload loses them. */
  fileNames: string[];
  state: 'sending' | 'failed';
  /** May have been carried out although nobody told us. */
  uncertain: boolean;
  /** Newest message id known when it was first sent; 0 for none. */
  afterId: number;
  /** Milliseconds by our clock. */
  createdAtMs: number;
  /** Why it failed, as a sentence. */
  problem: string;
  /** The `echoId` of the one that failed before it, and that it waits for; empty for none. */
  behind: string;
}

export interface Bubble {
  kind: 'bubble';
  key: string;
  side: 'visitor' | 'team';
  private: boolean;
  author: string;
  /** First of a group by one author. */
  first: boolean;
  /** Followed by another of its group that says the same time and state. */
  silent: boolean;
  text: string;
  /** Its marks are markdown: what the team writes, to visitors and to itself. */
  marked: boolean;
  /** The stored message; undefined while it is on its way. */
  message: Message | undefined;
  contentType: string;
  attributes: Record<string, unknown>;
  attachments: Attachment[];
  fileNames: readonly string[];
  atMs: number;
  /** What became of it, in one word; empty where there is nothing to say. */
  state: string;
  entry: Entry | undefined;
}
export type Row =
  | { kind: 'day'; key: string; atMs: number }
  | { kind: 'activity'; key: string; text: string; atMs: number }
  | Bubble;

const GROUP_MS = 5 * 60_000;

export function toRows(
  messages: readonly Message[],
  entries: readonly Entry[],
  contactSeenAt: number,
  me: number,
  visitor: string,
): Row[] {
  const rows: Row[] = [];
  let day = '';
  let last: Bubble | undefined;
  const push = (row: Row) => {
    const date = new Date(row.atMs).toDateString();
    if (date !== day) {
      day = date;
      last = undefined;
      rows.push({ kind: 'day', key: `day-${date}-${row.key}`, atMs: row.atMs });
    }
    if (row.kind === 'bubble') {
      row.first = !last || !together(last, row);
      if (last) last.silent = !row.first && last.state === row.state && sameMinute(last, row);
      last = row;
    } else last = undefined;
    rows.push(row);
  };

  for (const message of messages) {
    const key = message.echo_id || String(message.id);
    const atMs = message.created_at * 1000;
    const text = message.content ?? '';
    if (message.message_type === 2) push({ kind: 'activity', key, text, atMs });
    else
      push({
        kind: 'bubble',
        key,
        side: message.message_type === 0 ? 'visitor' : 'team',
        private: message.private,
        author: author(message, me, visitor),
        first: true,
        silent: false,
        text,
        marked: isMarked(message),
        message,
        contentType: message.content_type,
        attributes: message.content_attributes,
        attachments: message.attachments,
        fileNames: [],
        atMs,
        state: stateOf(message, contactSeenAt),
        entry: undefined,
      });
  }
  for (const entry of entries) {
    push({
      kind: 'bubble',
      key: entry.echoId,
      side: 'team',
      private: entry.private,
      author: 'You',
      first: true,
      silent: false,
      text: entry.content,
      marked: true,
      message: undefined,
      contentType: entry.contentType,
      attributes: entry.attributes,
      attachments: [],
      fileNames: entry.fileNames,
      atMs: entry.createdAtMs,
      state: entry.state === 'sending' ? 'Sending' : 'Not sent',
      entry,
    });
  }
  return rows;
}

export const isMarked = (message: Message): boolean =>
  message.message_type !== 0 && message.content_attributes.deleted !== true;

/** The beginning of the words without their marks, for one line. */
export const inShort = ({ text, marked }: Pick<Bubble, 'text' | 'marked'>, length: number): string => {
  const words = text.slice(0, 4 * length);
  return (marked ? plainWords(words) : words).trim().slice(0, length);
};

function together(a: Bubble, b: Bubble): boolean {
  return a.side === b.side && a.author === b.author && a.private === b.private && b.atMs - a.atMs < GROUP_MS;
}

const sameMinute = (a: Bubble, b: Bubble): boolean =>
  Math.floor(a.atMs / 60_000) === Math.floor(b.atMs / 60_000);

function author({ message_type, sender, sender_type }: Message, me: number, visitor: string): string {
  // As they are called now: nobody else writes so in their conversation, and a message keeps the name it came with.
  if (message_type === 0) return visitor;
  if (sender?.id === me && sender.type !== 'agent_bot') return 'You';
  const isLetGo = message_type === 1 && !sender && sender_type === 'User';
  return sender?.available_name || sender?.name || (isLetGo ? 'Former agent' : 'Automatic message');
}

function stateOf(message: Message, contactSeenAt: number): string {
  if (message.message_type === 0 || message.private) return '';
  if (message.status === 'failed') return 'Not delivered';
  if (message.status === 'read' || message.created_at <= contactSeenAt) return 'Seen';
  return message.status === 'delivered' ? 'Delivered' : 'Sent';
}

/** Adds and replaces by id, keeps the order of ids, never forgets what the socket or history alone tells. */
export function merge(known: readonly Message[], incoming: readonly Message[]): Message[] {
  const byId = new Map(known.map((message) => [message.id, message]));
  for (const message of incoming) {
    const old = byId.get(message.id);
    byId.set(message.id, {
      ...message,
      echo_id: message.echo_id || old?.echo_id,
      sender_type: message.sender_type || old?.sender_type,
    });
  }
  return [...byId.values()].sort((a, b) => a.id - b.id);
}

/**
 * The service as the wire contract describes it: what is stored, what each public route answers, and who hears of
 * it. `keepsNames` is our own service, which stores `echo_id` and answers a repeat with the stored message; without
 * it, the reference deployment, which forgets the name after one frame. It knows nothing of lines, faults or tabs.
 */
import type { Clock, Dice } from './clock.js';

export interface StoredMessage {
  id: number;
  conversationId: number;
  sourceId: string;
  mine: boolean;
  content: string;
  sizes: number[];
  /** The truth, for the checker: the reference deployment does not keep it. */
  echoId: string | undefined;
  committedAt: number;
  /** The assumption that was broken by the request which made this row. */
  breaks: string | undefined;
}

interface StoredConversation {
  id: number;
  sourceId: string;
  createdAt: number;
  deleted: boolean;
  messages: StoredMessage[];
}

export interface Call {
  method: string;
  path: string;
  body: Record<string, unknown>;
  sizes: number[];
}

export interface Answer {
  status: number;
  body: unknown;
}

const notFound: Answer = { status: 404, body: { status: 404, error: 'Not Found' } };
const PAGE = 20;

export class ServiceModel {
  readonly contacts = new Map<string, { id: number; token: string }>();
  readonly conversations = new Map<number, StoredConversation>();
  /** Every row that ever was, also of what is deleted now. */
  readonly rows: StoredMessage[] = [];
  stored: (message: StoredMessage) => void = () => {};
  #messageId = 1000;
  #otherId = 10;

  constructor(
    readonly clock: Clock,
    readonly dice: Dice,
    readonly keepsNames: boolean,
    /** Hears of each event for a contact's channel. */
    readonly publish: (token: string, event: string, data: unknown) => void,
  ) {}

  /** @param lagMs how far behind the copy is that answers a question */
  handle(call: Call, lagMs = 0, breaks?: string): Answer {
    const [, route = ''] = call.path.split('/public/api/v1/inboxes/inbox');
    const [path = '', query = ''] = route.split('?');
    const parts = path.split('/').filter(Boolean);
    if (parts[0] !== 'contacts') return { status: 200, body: { identifier: 'inbox', name: 'Inbox' } };
    const sourceId = parts[1];
    if (sourceId === undefined) return this.#createContact(String(call.body.source_id));
    const contact = this.contacts.get(sourceId);
    if (!contact) return notFound;
    if (parts[2] !== 'conversations') return { status: 200, body: this.#contactBody(sourceId) };
    if (parts[3] === undefined) {
      if (call.method === 'GET') return { status: 200, body: this.#conversationsOf(sourceId, lagMs) };
      return { status: 200, body: this.#createConversation(sourceId) };
    }
    const conversation = this.conversations.get(Number(parts[3]));
    if (!conversation || conversation.deleted || conversation.sourceId !== sourceId) return notFound;
    if (parts[4] !== 'messages') return { status: 200, body: '' };
    if (call.method === 'POST') return this.#createMessage(conversation, call, breaks);
    const before = Number(new URLSearchParams(query).get('before') ?? Number.POSITIVE_INFINITY);
    return { status: 200, body: this.#page(conversation, before, lagMs) };
  }

  #createContact(sourceId: string): Answer {
    if (!this.contacts.has(sourceId))
      this.contacts.set(sourceId, { id: this.#otherId++, token: `token-${sourceId}` });
    return { status: 200, body: this.#contactBody(sourceId) };
  }

  #contactBody(sourceId: string) {
    const { id, token } = this.contacts.get(sourceId) ?? { id: 0, token: '' };
    return {
      source_id: sourceId,
      pubsub_token: token,
      id,
      name: 'A visitor',
      email: null,
      phone_number: null,
    };
  }

  #createConversation(sourceId: string) {
    const id = this.#otherId++;
    this.conversations.set(id, { id, sourceId, createdAt: this.clock.now, deleted: false, messages: [] });
    return this.#conversationBody(id, []);
  }

  #conversationBody = (id: number, messages: StoredMessage[]) => ({
    id,
    status: 'open',
    contact_last_seen_at: 0,
    agent_last_seen_at: 0,
    messages: messages.map((message) => this.#messageBody(message)),
  });

  #conversationsOf(sourceId: string, lagMs: number) {
    const until = this.clock.now - lagMs;
    return this.of(sourceId)
      .filter((c) => c.createdAt <= until)
      .map((c) =>
        this.#conversationBody(
          c.id,
          c.messages.filter((m) => m.committedAt <= until),
        ),
      );
  }

  #page(conversation: StoredConversation, before: number, lagMs: number) {
    const until = this.clock.now - lagMs;
    const found: StoredMessage[] = [];
    for (let i = conversation.messages.length - 1; i >= 0 && found.length < PAGE; i--) {
      const message = conversation.messages[i];
      if (message && message.id < before && message.committedAt <= until) found.push(message);
    }
    return found.reverse().map((message) => this.#messageBody(message));
  }

  #createMessage(conversation: StoredConversation, call: Call, breaks: string | undefined): Answer {
    const echoId = String(call.body.echo_id);
    const stored = conversation.messages.find((message) => message.echoId === echoId);
    if (this.keepsNames && stored) return { status: 200, body: this.#messageBody(stored) };
    const message = this.#store(conversation, {
      mine: true,
      // What is stored is trimmed, as the reference deployment does.
      content: String(call.body.content ?? '').trim(),
      sizes: call.sizes,
      echoId,
      breaks,
    });
    return { status: 200, body: this.#messageBody(message) };
  }

  #store(
    conversation: StoredConversation,
    what: Pick<StoredMessage, 'mine' | 'content' | 'sizes' | 'echoId' | 'breaks'>,
  ): StoredMessage {
    this.#messageId += this.dice.among(1, 3);
    const message: StoredMessage = {
      ...what,
      id: this.#messageId,
      conversationId: conversation.id,
      sourceId: conversation.sourceId,
      committedAt: this.clock.now,
    };
    conversation.messages.push(message);
    this.rows.push(message);
    this.stored(message);
    this.publish(this.contacts.get(conversation.sourceId)?.token ?? '', 'message.created', {
      ...this.#messageBody(message),
      ...(message.mine ? { echo_id: message.echoId } : {}),
    });
    return message;
  }

  #messageBody(message: StoredMessage) {
    const { id, content, mine, conversationId, sizes, echoId } = message;
    return {
      id,
      content,
      message_type: mine ? 0 : 1,
      content_type: 'text',
      content_attributes: {},
      created_at: Math.floor(message.committedAt / 1000),
      conversation_id: conversationId,
      sender: mine ? { id: 1, type: 'contact' } : { id: 7, name: 'Grace', type: 'user' },
      ...(sizes.length
        ? { attachments: sizes.map((file_size, i) => ({ id: id * 10 + i, file_type: 'file', file_size })) }
        : {}),
      ...(this.keepsNames && mine ? { echo_id: echoId } : {}),
    };
  }

  /** The conversations of a contact that are there now. */
  of = (sourceId: string): StoredConversation[] =>
    [...this.conversations.values()].filter((c) => c.sourceId === sourceId && !c.deleted);

  isThere = (conversationId: number): boolean => this.conversations.get(conversationId)?.deleted === false;

  agentReplies(count: number): void {
    for (const conversation of this.conversations.values()) {
      if (conversation.deleted) continue;
      for (let i = 0; i < count; i++)
        this.#store(conversation, {
          mine: false,
          content: `answer ${i}`,
          sizes: [],
          echoId: undefined,
          breaks: undefined,
        });
    }
  }

  deleteConversations(): void {
    for (const conversation of this.conversations.values()) conversation.deleted = true;
  }

  deleteContacts(): void {
    this.deleteConversations();
    this.contacts.clear();
  }
}

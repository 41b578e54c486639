/**
 * The public client API, one function per operation. It knows paths and shapes, and nothing of stores or tabs.
 * @see "Public client API" in the service's /docs
 */
import type { Env } from '../env.js';
import type { Result } from '../errors.js';
import type { Scalar } from '../parley.js';
import { type Contact, contactSchema } from '../wire/contact.js';
import {
  type Conversation,
  conversationSchema,
  conversationsSchema,
  type Standing,
  standingSchema,
} from '../wire/conversation.js';
import { type Inbox, inboxSchema } from '../wire/inbox.js';
import { type Message, messageSchema, messagesSchema } from '../wire/message.js';
import { createHttp, REQUEST_LIMIT_MS } from './http.js';
import { SILENCE_MS, type Watched } from './upload.js';

export interface ContactFields {
  identifier?: string;
  identifier_hash?: string;
  name?: string;
  email?: string;
  phone_number?: string;
  avatar_url?: string;
  custom_attributes?: Record<string, Scalar>;
}

/** What a visitor answers to an interactive message. @see `answerPublicMessage` in /openapi.json */
export type SubmittedValues =
  | { name?: string; title?: string; value: string | boolean }[]
  | { csat_survey_response: { rating: number; feedback_message: string } };

export type InboxApi = ReturnType<typeof createInboxApi>;

/** A page of history holds at most this many messages. */
export const PAGE_SIZE = 20;

/** @param signal ends every request of this identity at once */
export function createInboxApi(env: Env, baseUrl: string, inboxIdentifier: string, signal: AbortSignal) {
  let echoKept = false;
  const http = createHttp(env, baseUrl, signal, (header) => {
    if (header('echo-id') === 'kept') echoKept = true;
  });
  const inbox = `/public/api/v1/inboxes/${encodeURIComponent(inboxIdentifier)}`;
  const contact = (sourceId: string) => `${inbox}/contacts/${encodeURIComponent(sourceId)}`;
  const conversation = (sourceId: string, id: number) => `${contact(sourceId)}/conversations/${id}`;

  return {
    /** True once the service has shown that a repeated `echo_id` is answered with the stored message. */
    echoKept: () => echoKept,

    /** @see GET /public/api/v1/inboxes/{inbox_identifier} */
    showInbox: (): Promise<Result<Inbox>> => http('GET', inbox, 'inbox', inboxSchema),

    /** Safe to repeat: a known `source_id` is answered with its contact. 401/500 when the identity is refused. */
    createContact: (sourceId: string, fields: ContactFields): Promise<Result<Contact>> =>
      http('POST', `${inbox}/contacts`, 'contacts', contactSchema, { ...fields, source_id: sourceId }),

    /** 404 when the service does not know the contact any more. */
    showContact: (sourceId: string): Promise<Result<Contact>> =>
      http('GET', contact(sourceId), 'contact', contactSchema),

    /**
     * Adds to what is known; a blank value changes nothing. Safe to repeat. What it answers differs from service to
     * service; nobody reads it. 422 when a value is refused.
     */
    updateContact: (sourceId: string, fields: ContactFields): Promise<Result<void>> =>
      http('PATCH', contact(sourceId), 'contact', undefined, { ...fields }),

    /** Every conversation with all its messages: large, so only before one is created, or when they are listed. */
    listConversations: (sourceId: string): Promise<Result<Conversation[]>> =>
      http('GET', `${contact(sourceId)}/conversations`, 'conversations', conversationsSchema),

    /** What has become of one conversation. The answer carries all its messages, so it is asked for seldom. */
    showConversation: (sourceId: string, id: number): Promise<Result<Standing>> =>
      http('GET', conversation(sourceId, id), 'conversation', standingSchema),

    /** The same, with all messages that the visitor may see. */
    readConversation: (sourceId: string, id: number): Promise<Result<Conversation>> =>
      http('GET', conversation(sourceId, id), 'conversation', conversationSchema),

    /** Not safe to repeat. 422 when an attribute is refused. */
    createConversation: (
      sourceId: string,
      attributes?: Record<string, Scalar>,
    ): Promise<Result<Conversation>> =>
      http(
        'POST',
        `${contact(sourceId)}/conversations`,
        'conversations',
        conversationSchema,
        attributes ? { custom_attributes: attributes } : {},
      ),

    /** Ends the conversation; one that has ended stays so. Only a message opens it again. */
    toggleStatus: (sourceId: string, id: number): Promise<Result<Standing>> =>
      http('POST', `${conversation(sourceId, id)}/toggle_status`, 'toggle_status', standingSchema, {}),

    /** Up to 20 messages, ascending, older than `before` or the newest. An empty array: there are no older ones. */
    listMessages: (sourceId: string, id: number, before?: number): Promise<Result<Message[]>> =>
      http(
        'GET',
        `${conversation(sourceId, id)}/messages${before === undefined ? '' : `?before=${before}`}`,
        'messages',
        messagesSchema,
      ),

    /**
     * Sends one message. Only the outbox calls this: a second call may be a second message.
     * @returns the message, or `network` · `unsent` files were cut off on their way · `http` 404 conversation is gone, 422 refused, 429 · `contract`
     */
    createMessage(
      sourceId: string,
      id: number,
      message: { echoId: string; content: string; files: readonly File[]; limitMs: number },
      watched?: Watched,
    ): Promise<Result<Message>> {
      const { echoId, content, files, limitMs } = message;
      let body: Record<string, unknown> | FormData = { content, echo_id: echoId };
      if (files.length) {
        body = new FormData();
        if (content) body.append('content', content);
        body.append('echo_id', echoId);
        // The header of a part cannot have what some systems let a name have.
        for (const file of files)
          body.append('attachments[]', file, file.name.replace(/\p{Cc}/gu, '') || 'file');
      }
      return http(
        'POST',
        `${conversation(sourceId, id)}/messages`,
        'messages',
        messageSchema,
        body,
        limitMs,
        watched,
      );
    },

    /** Answers an interactive message. Safe to repeat: `values` take the place of the ones before. 422 when too late. */
    updateMessage: (
      sourceId: string,
      id: number,
      messageId: number,
      values: SubmittedValues,
    ): Promise<Result<Message>> =>
      http('PATCH', `${conversation(sourceId, id)}/messages/${messageId}`, 'message', messageSchema, {
        submitted_values: values,
      }),

    /** Tells agents that the visitor is writing, or has stopped. Safe to repeat. The service never ends it by itself. */
    toggleTyping: (sourceId: string, id: number, typing: boolean): Promise<Result<void>> =>
      http('POST', `${conversation(sourceId, id)}/toggle_typing`, 'toggle_typing', undefined, {
        typing_status: typing ? 'on' : 'off',
      }),

    /** The visitor has seen all that is there by now. Safe to repeat. The service marks the messages as read. */
    updateLastSeen: (sourceId: string, id: number): Promise<Result<void>> =>
      http('POST', `${conversation(sourceId, id)}/update_last_seen`, 'update_last_seen', undefined, {}),
  };
}

/** Text within 20 s; files get a second more for every 32 KiB, the speed of a poor line. */
export const sendLimitMs = (bytes: number): number => REQUEST_LIMIT_MS + Math.ceil(bytes / 32_768) * 1000;

/** An upload that is watched is alive as long as it moves: what moves is recorded anew within this time. */
export const UPLOAD_LIMIT_MS = SILENCE_MS + REQUEST_LIMIT_MS + 10_000;

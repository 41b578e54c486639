/** Conversations and their messages, one function per operation. @see "Account API" in /docs */
import { mapped } from '../errors.js';
import * as wire from '../wire/schemas.js';
import type { Ask } from './call.js';

export const sorts = [
  'last_activity_at_desc',
  'created_at_desc',
  'created_at_asc',
  'priority_desc',
  'waiting_since_asc',
] as const;

export interface Filters {
  assignee: 'all' | 'me' | 'unassigned' | 'assigned';
  status: wire.Status | 'all';
  search: string;
  /** 0 for all. */
  inboxId: number;
  teamId: number;
  /** Empty for all. */
  label: string;
  sort: (typeof sorts)[number];
}

/** What an agent sends: plain words, files, or a question of some kind. */
export interface Outgoing {
  content: string;
  private: boolean;
  echo_id: string;
  content_type: string;
  content_attributes: Record<string, unknown>;
}

function formOf(message: Outgoing, files: readonly File[]): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(message)) {
    form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  for (const file of files) form.append('attachments[]', file);
  return form;
}

export function conversationApi(ask: Ask) {
  const root = '/conversations';
  const post = (id: number, verb: string, body: object) =>
    ask(wire.doneSchema, `${root}/${id}/${verb}`, { method: 'POST', body });
  const narrowed = ({ status, search, inboxId, teamId, label }: Filters) => ({
    // A search looks at every status.
    status: search ? undefined : status,
    q: search,
    inbox_id: inboxId || undefined,
    team_id: teamId || undefined,
    'labels[]': label ? [label] : [],
  });
  return {
    /** 25 a page. */
    conversations: async (filters: Filters, page: number) =>
      mapped(
        await ask(wire.conversationListSchema, root, {
          query: {
            ...narrowed(filters),
            assignee_type: filters.assignee,
            sort_by: filters.sort,
            page,
          },
        }),
        (value) => value.data.payload,
      ),
    counts: async (filters: Filters) =>
      mapped(
        await ask(wire.countsAnswerSchema, `${root}/meta`, { query: narrowed(filters) }),
        (value) => value.meta,
      ),
    conversation: (id: number) => ask(wire.conversationSchema, `${root}/${id}`),
    /** Oldest first; without bounds and with `before` the newest 20, with `after` the next 100. */
    messages: async (id: number, bounds: { before?: number | undefined; after?: number | undefined }) =>
      mapped(
        await ask(wire.messageListSchema, `${root}/${id}/messages`, { query: bounds }),
        (value) => value.payload,
      ),
    send: (id: number, message: Outgoing, files: readonly File[]) =>
      ask(wire.messageSchema, `${root}/${id}/messages`, {
        method: 'POST',
        body: files.length ? formOf(message, files) : message,
      }),
    deleteMessage: (id: number, messageId: number) =>
      ask(wire.messageSchema, `${root}/${id}/messages/${messageId}`, { method: 'DELETE' }),
    /** @param until Unix seconds, for `snoozed`; without it until the visitor writes */
    setStatus: async (id: number, status: wire.Status, until?: number) =>
      mapped(
        await ask(wire.toggledSchema, `${root}/${id}/toggle_status`, {
          method: 'POST',
          body: { status, ...(until !== undefined && { snoozed_until: until }) },
        }),
        (value) => value.payload.current_status,
      ),
    assign: (id: number, to: { assignee_id: number | null } | { team_id: number | null }) =>
      post(id, 'assignments', to),
    labelsOf: async (id: number) =>
      mapped(await ask(wire.labelsAnswerSchema, `${root}/${id}/labels`), ({ payload }) => payload),
    /** @param labels all of them */
    setLabels: (id: number, labels: readonly string[]) => post(id, 'labels', { labels }),
    setPriority: (id: number, priority: string | null) => post(id, 'toggle_priority', { priority }),
    mute: (id: number, on: boolean) => post(id, on ? 'mute' : 'unmute', {}),
    setAttributes: (id: number, custom_attributes: Record<string, unknown>) =>
      post(id, 'custom_attributes', { custom_attributes, merge: true }),
    removeAttributes: (id: number, keys: readonly string[]) =>
      post(id, 'destroy_custom_attributes', { custom_attributes: keys }),
    typing: (id: number, on: boolean, isPrivate: boolean) =>
      post(id, 'toggle_typing_status', { typing_status: on ? 'on' : 'off', is_private: isPrivate }),
    seen: (id: number) => post(id, 'update_last_seen', {}),
  };
}

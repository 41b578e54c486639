/** Contacts, one function per operation. @see "Account API" in /docs */
import * as z from 'zod';
import { making, mapped } from '../errors.js';
import { contactPageSchema } from '../wire/admin.js';
import { type Contact, contactSchema, conversationSchema, doneSchema } from '../wire/schemas.js';
import type { Ask } from './call.js';

export const contactSorts = ['name', 'email', 'phone_number', 'last_activity_at'] as const;
export type ContactSort = (typeof contactSorts)[number] | `-${(typeof contactSorts)[number]}`;

export interface ContactFields {
  name?: string;
  email?: string;
  phone_number?: string;
  identifier?: string;
  blocked?: boolean;
  custom_attributes?: Record<string, unknown>;
  additional_attributes?: Record<string, unknown>;
}

const one = z.object({ payload: contactSchema });
const changed = z.object({ payload: z.array(contactSchema).min(1) });
const created = z.object({ payload: z.object({ contact: contactSchema }) });

export function contactApi(ask: Ask) {
  return {
    /** 15 a page; all that can be told apart, or all that a search finds. */
    list: ({ search, sort, page }: { search: string; sort: ContactSort | ''; page: number }) =>
      ask(contactPageSchema, search ? '/contacts/search' : '/contacts', {
        query: { q: search, sort, page },
      }),
    show: async (id: number) => mapped(await ask(one, `/contacts/${id}`), ({ payload }) => payload),
    create: async (fields: ContactFields) =>
      mapped(
        making(await ask(created, '/contacts', { method: 'POST', body: fields })),
        ({ payload }) => payload.contact,
      ),
    change: async (id: number, fields: ContactFields) =>
      mapped(
        await ask(changed, `/contacts/${id}`, { method: 'PUT', body: fields }),
        ({ payload: [contact] }): Contact | undefined => contact,
      ),
    setAvatar: async (id: number, picture: File) => {
      const body = new FormData();
      body.append('avatar', picture);
      return mapped(
        await ask(changed, `/contacts/${id}`, { method: 'PUT', body }),
        ({ payload: [contact] }): Contact | undefined => contact,
      );
    },
    removeAttributes: async (id: number, keys: readonly string[]) =>
      mapped(
        await ask(one, `/contacts/${id}/destroy_custom_attributes`, {
          method: 'POST',
          body: { custom_attributes: keys },
        }),
        ({ payload }) => payload,
      ),
    /** For good, with all of theirs. */
    erase: (id: number) => ask(doneSchema, `/contacts/${id}`, { method: 'DELETE' }),
    /** The newest 20 that the agent may see. */
    conversations: async (id: number) =>
      mapped(
        await ask(z.object({ payload: z.array(conversationSchema) }), `/contacts/${id}/conversations`),
        ({ payload }) => payload,
      ),
  };
}

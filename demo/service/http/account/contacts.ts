/** The agents' contacts: list, search, one, and its change. */
import { z } from 'zod';
import type { Core } from '../../core.js';
import { addContact, changeContact, removeContactAttributes } from '../../domain/contact-changes.js';
import { contactSorts, inboxesOf, listContacts } from '../../domain/contact-list.js';
import { viewConversations } from '../../domain/conversations-view.js';
import { eraseContact } from '../../domain/erase.js';
import { accountContact, accountConversation, contactInbox } from '../../domain/shapes-account.js';
import type { AgentRow, ContactRow, ConversationRow } from '../../store/rows.js';
import { contactInbox as contactInboxAnswer, contactPage, contact as shape } from '../answers/account.js';
import { accountConversation as conversationAnswer } from '../answers/conversations.js';
import { id as anyId } from '../answers/parts.js';
import { endpoint } from '../define-endpoint.js';
import { flag, limitedText, pageText, rowId, shortText, someSearched, sourceId } from '../fields.js';
import { contactFields, withContactBody } from './contact-body.js';
import { accountPath, administratorOf, agentOf, inboxOf, rowOf, visible, visibleParams } from './scope.js';
import { searching } from './searching.js';

async function shapes(core: Core, agent: AgentRow, contacts: readonly ContactRow[]) {
  const inboxes = await inboxesOf(core.db, agent, contacts);
  return contacts.map((contact) => ({
    ...accountContact(core, contact),
    contact_inboxes: inboxes.get(contact.id) ?? [],
  }));
}

const paging = {
  sort: z.enum(contactSorts).optional(),
  page: pageText,
  include_contact_inboxes: flag.default(true),
  // Whoever asks for some would else be given all.
  'labels[]': z
    .array(limitedText(255))
    .refine((labels) => labels.length === 0, 'is not taken here: contacts have no labels')
    .optional()
    .meta({ maxItems: 0 }),
};

async function page(
  core: Core,
  agent: AgentRow,
  asked: z.infer<z.ZodObject<typeof paging>> & { q?: string },
) {
  const { count, contacts } = await searching(core, asked.q, (db) =>
    listContacts(db, agent.account_id, asked),
  );
  return {
    meta: { count, current_page: String(asked.page) },
    payload: asked.include_contact_inboxes
      ? await shapes(core, agent, contacts)
      : contacts.map((contact) => accountContact(core, contact)),
  };
}

const changedFields = z.object(contactFields);

export const contactEndpoints = [
  endpoint({
    methods: ['get'],
    path: `${accountPath}/contacts`,
    told: {
      name: 'listContacts',
      summary: 'Contacts that somebody could be told by, 15 a page',
      about:
        'Those with an identifier, an e-mail or a phone number. include_contact_inboxes=false leaves their keys out.',
      result: { json: contactPage },
    },
    query: z.object(paging),
    async answer(call) {
      const agent = await agentOf(call);
      return call.http.json(await page(call.core, agent, call.query()));
    },
  }),
  endpoint({
    methods: ['get'],
    path: `${accountPath}/contacts/search`,
    told: {
      name: 'searchContacts',
      summary: 'Contacts by name, e-mail, phone number or identifier, 15 a page',
      about:
        'Letters match in both cases, but for the identifier. Blanks around the words do not count. include_contact_inboxes=false leaves their keys out.',
      result: { json: contactPage },
      refuses: [503],
    },
    query: z.object({ q: someSearched, ...paging }),
    async answer(call) {
      const agent = await agentOf(call);
      return call.http.json(await page(call.core, agent, call.query()));
    },
  }),
  endpoint({
    methods: ['post'],
    path: `${accountPath}/contacts`,
    told: {
      name: 'createContact',
      summary: 'Makes a contact',
      about:
        'With an inbox, one the agent belongs to, the contact can be talked to there, under the source_id that is given or made.',
      result: {
        json: z.strictObject({
          payload: z.strictObject({ contact: shape, contact_inbox: contactInboxAnswer.nullable() }),
        }),
      },
    },
    body: z.object({
      ...contactFields,
      inbox_id: rowId.nullish(),
      source_id: sourceId.nullish(),
    }),
    async answer(call) {
      const { core } = call;
      const agent = await agentOf(call);
      const { account_id: accountId } = agent;
      const { inbox_id: inboxId, source_id: sourceId, ...fields } = await call.body();
      const inbox = typeof inboxId === 'number' ? await inboxOf(call, agent, inboxId) : undefined;
      const place = inbox && { inbox, sourceId: sourceId ?? crypto.randomUUID() };
      const { contact, pair } = await addContact(core, accountId, fields, place);
      const at = pair && inbox ? contactInbox(pair, inbox) : null;
      // Nothing is asked for after the commit: whoever is told to come again would make another one.
      const made = { ...accountContact(core, contact), contact_inboxes: at ? [at] : [] };
      return call.http.json({ payload: { contact: made, contact_inbox: at } });
    },
  }),
  endpoint({
    methods: ['get'],
    path: `${accountPath}/contacts/:id/conversations`,
    told: {
      name: 'listContactConversations',
      summary: 'The newest 20 conversations of a contact',
      about: 'An agent sees those of the inboxes they belong to, an administrator all.',
      result: { json: z.strictObject({ payload: z.array(conversationAnswer).max(20) }) },
    },
    async answer(call) {
      const agent = await agentOf(call);
      const { id } = await rowOf<ContactRow>(call, agent, 'contacts', 'id');
      const rows = await call.core.db.query<ConversationRow>(
        `select * from conversations where ${visible} and contact_id = $4
         order by last_activity_at desc, id desc limit 20`,
        [...visibleParams(agent), id],
      );
      const views = await viewConversations(call.core.db, rows);
      return call.http.json({ payload: views.map((view) => accountConversation(call.core, view)) });
    },
  }),
  endpoint({
    methods: ['get'],
    path: `${accountPath}/contacts/:id`,
    told: {
      name: 'showContact',
      summary: 'One contact',
      result: { json: z.strictObject({ payload: shape }) },
    },
    async answer(call) {
      const agent = await agentOf(call);
      const [payload] = await shapes(call.core, agent, [
        await rowOf<ContactRow>(call, agent, 'contacts', 'id'),
      ]);
      return call.http.json({ payload });
    },
  }),
  endpoint({
    methods: ['put', 'patch'],
    path: `${accountPath}/contacts/:id`,
    told: {
      name: 'updateContact',
      summary: 'Changes a contact',
      about:
        'Absent fields stay, null or blank ones are cleared, and the maps are merged. A form may bring a picture of up to 15 MB as avatar.',
      takesFiles: 'avatar',
      result: { json: z.strictObject({ id: anyId, payload: z.array(shape).length(1) }) },
    },
    body: changedFields,
    async answer(call) {
      const agent = await agentOf(call);
      const before = await rowOf<ContactRow>(call, agent, 'contacts', 'id');
      const after = await withContactBody(
        call.http,
        call.core,
        agent.account_id,
        changedFields,
        (fields, picture) => changeContact(call.core, before, fields, picture),
      );
      return call.http.json({ id: after.id, payload: await shapes(call.core, agent, [after]) });
    },
  }),
  endpoint({
    methods: ['delete'],
    path: `${accountPath}/contacts/:id`,
    told: {
      name: 'deleteContact',
      summary: 'Deletes a contact with all of their conversations, messages and files',
      about:
        'For good, as somebody may demand. Their keys open nothing any more, and what webhooks have not been told of them they are not told. A copy of the database from before still has all of it.',
      result: { empty: true },
      refuses: [403],
    },
    async answer(call) {
      const agent = await administratorOf(call);
      await eraseContact(call.core, await rowOf<ContactRow>(call, agent, 'contacts', 'id'));
      return call.http.body(null, 200);
    },
  }),
  endpoint({
    methods: ['post'],
    path: `${accountPath}/contacts/:id/destroy_custom_attributes`,
    told: {
      name: 'removeContactAttributes',
      summary: 'Removes attributes of a contact by their keys',
      result: { json: z.strictObject({ payload: shape }) },
    },
    body: z.object({ custom_attributes: z.array(shortText).max(1000) }),
    async answer(call) {
      const agent = await agentOf(call);
      const before = await rowOf<ContactRow>(call, agent, 'contacts', 'id');
      const { custom_attributes: keys } = await call.body();
      const after = await removeContactAttributes(call.core, before, keys);
      const [payload] = await shapes(call.core, agent, [after]);
      return call.http.json({ payload });
    },
  }),
];

/** P2–P4: a visitor makes, reads and changes the own contact. */
import { z } from 'zod';
import { attributes } from '../../domain/attributes.js';
import { createContact, showContact, updateContact } from '../../domain/contacts.js';
import { publicContact, publicPair } from '../../domain/shapes-public.js';
import { publicContactWithTokens, publicPair as shape } from '../answers/public.js';
import { endpoint } from '../define-endpoint.js';
import { avatarUrl, email, identifier, identifierHash, name, phoneNumber, sourceId } from '../fields.js';
import { contactOf, contactPath, inboxOf, inboxPath } from './scope.js';

const proof = { identifier, identifier_hash: identifierHash };
const fields = {
  name,
  email,
  phone_number: phoneNumber,
  avatar_url: avatarUrl,
  custom_attributes: attributes.nullish().transform((map) => map ?? undefined),
};

export const contactEndpoints = [
  endpoint({
    methods: ['post'],
    path: `${inboxPath}/contacts`,
    told: {
      name: 'createPublicContact',
      summary: 'Makes a contact, or finds the one who has it',
      about:
        'The key decides first: a known source_id gives its contact untouched. Otherwise a contact of the account with the same identifier is used, unless somebody has proven to be that one and this one has not: that makes another contact, until the proof comes. Where no identifier is given, one with the same e-mail or phone number that has no identifier; and only then is a new one made. Any other e-mail or phone number of somebody else is refused.',
      result: { json: shape },
      refuses: [401],
    },
    body: z.object({
      ...proof,
      ...fields,
      source_id: sourceId.nullish(),
    }),
    async answer(call) {
      const inbox = await inboxOf(call);
      const { pair, contact } = await createContact(call.core, inbox, await call.body());
      return call.http.json(publicPair(pair, contact));
    },
  }),
  endpoint({
    methods: ['get'],
    path: contactPath,
    told: {
      name: 'showPublicContact',
      summary: 'Shows the own contact, and takes a proof of identity',
      result: { json: shape },
      refuses: [401],
    },
    query: z.object(proof),
    async answer(call) {
      const { inbox, ...holder } = await contactOf(call);
      const { pair, contact } = await showContact(call.core, inbox, holder, call.query());
      return call.http.json(publicPair(pair, contact));
    },
  }),
  endpoint({
    methods: ['patch', 'put'],
    path: contactPath,
    told: {
      name: 'updatePublicContact',
      summary: 'Changes the own contact',
      about:
        'Blank values change nothing; attributes are merged. The e-mail or phone number of somebody known makes the two one contact: the id changes, the key and the token go on. Where one of them has an identifier, where others have a key to the one who asks, or where that one is blocked and the other is not, it is refused instead.',
      result: { json: publicContactWithTokens },
      refuses: [401],
    },
    body: z.object({ ...proof, ...fields }),
    async answer(call) {
      const { inbox, pair } = await contactOf(call);
      const after = await updateContact(call.core, inbox, pair.source_id, await call.body());
      // Both answers of the reference at once: the raw record, and the short form with its tokens.
      return call.http.json({ ...publicContact(after.contact), ...publicPair(after.pair, after.contact) });
    },
  }),
];

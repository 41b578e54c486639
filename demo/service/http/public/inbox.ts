/** P1: what a visitor may know of an inbox. */
import { publicInbox } from '../../domain/shapes-public.js';
import { publicInbox as shape } from '../answers/public.js';
import { endpoint } from '../define-endpoint.js';
import { inboxOf, inboxPath } from './scope.js';

export const inboxEndpoints = [
  endpoint({
    methods: ['get'],
    path: inboxPath,
    told: {
      name: 'showPublicInbox',
      summary: 'What a visitor may know of an inbox',
      result: { json: shape },
    },
    answer: async (call) => call.http.json(publicInbox(await inboxOf(call))),
  }),
];

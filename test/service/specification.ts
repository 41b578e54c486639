/**
 * The specification, line by line: every operation, parameter, limit and rule, each with the test that proves it;
 * its fields are in `specification-fields.ts`. `specification.test.ts` holds both against the tests, the description
 * and real answers.
 */
export interface OperationLine {
  name: string;
  method: 'get' | 'post' | 'put' | 'patch';
  path: string;
  query?: readonly string[];
  body?: readonly string[];
  /** File below test/service, and title. */
  proof: readonly [string, string];
}

const account = '/api/v1/accounts/{account_id}';
const visitor = '/public/api/v1/inboxes/{inbox_identifier}/contacts/{contact_identifier}/conversations';

export const operations: readonly OperationLine[] = [
  {
    name: '1. Team summary report',
    method: 'get',
    path: '/api/v2/accounts/{account_id}/summary_reports/team',
    query: ['since', 'until', 'business_hours'],
    proof: ['reporting.test.ts', 'a team sees its counts and averages, in plain or in working time'],
  },
  {
    name: '12. List reporting events',
    method: 'get',
    path: `${account}/reporting_events`,
    query: ['page', 'since', 'until', 'inbox_id', 'user_id', 'name'],
    proof: [
      'reporting.test.ts',
      'events are filtered by time, inbox, agent and name, newest first, 25 a page',
    ],
  },
  {
    name: '13. List automation rules',
    method: 'get',
    path: `${account}/automation_rules`,
    query: ['page'],
    proof: ['automation.test.ts', 'a rule is made, listed, shown, changed and deleted'],
  },
  {
    name: '15. Update webhook',
    method: 'patch',
    path: `${account}/webhooks/{webhook_id}`,
    body: ['url', 'name', 'subscriptions'],
    proof: [
      'webhooks.test.ts',
      'a webhook is made, listed, changed, deleted; its secret is told to whoever makes or changes it',
    ],
  },
  {
    name: '2. Update contact',
    method: 'put',
    path: `${account}/contacts/{id}`,
    body: 'name email blocked phone_number avatar_url identifier additional_attributes custom_attributes'.split(
      ' ',
    ),
    proof: [
      'account-contacts.test.ts',
      'an agent changes a contact; maps are merged, null clears, what is taken is refused',
    ],
  },
  {
    name: '3. Create conversation (public)',
    method: 'post',
    path: visitor,
    body: ['custom_attributes'],
    proof: ['public.test.ts', 'a conversation begins open and empty'],
  },
  {
    name: '4. Create message (public)',
    method: 'post',
    path: `${visitor}/{conversation_id}/messages`,
    body: ['content', 'echo_id'],
    proof: ['public.test.ts', 'a message is answered, kept and listed with its echo_id'],
  },
  {
    name: '5. Update conversation custom attributes',
    method: 'post',
    path: `${account}/conversations/{conversation_id}/custom_attributes`,
    body: ['custom_attributes', 'merge'],
    proof: ['attributes.test.ts', 'attributes of a conversation are replaced, or merged when asked'],
  },
  {
    name: '6. List conversations',
    method: 'get',
    path: `${account}/conversations`,
    query: ['assignee_type', 'status', 'q', 'page'],
    proof: ['account.test.ts', 'conversations are filtered by assignee, state, text and inbox, and counted'],
  },
  {
    name: '7. Conversation counts',
    method: 'get',
    path: `${account}/conversations/meta`,
    query: ['status', 'q'],
    proof: ['account.test.ts', 'conversations are filtered by assignee, state, text and inbox, and counted'],
  },
  {
    name: '8. List messages of a conversation',
    method: 'get',
    path: `${account}/conversations/{conversation_id}/messages`,
    query: ['after', 'before'],
    proof: ['account.test.ts', 'an agent answers, leaves a note, and reads after, before and between'],
  },
  {
    name: '9. List contacts',
    method: 'get',
    path: `${account}/contacts`,
    query: ['sort', 'page'],
    proof: ['account-contacts.test.ts', 'contacts are listed 15 a page in eight orders, searched, shown'],
  },
  {
    name: '10. Search contacts',
    method: 'get',
    path: `${account}/contacts/search`,
    query: ['q', 'sort', 'page'],
    proof: ['account-contacts.test.ts', 'contacts are listed 15 a page in eight orders, searched, shown'],
  },
  {
    name: '11. List inboxes',
    method: 'get',
    path: `${account}/inboxes`,
    proof: ['account.test.ts', 'the key for identity validation is for administrators'],
  },
  {
    name: '14. List custom attribute definitions',
    method: 'get',
    path: `${account}/custom_attribute_definitions`,
    query: ['attribute_model'],
    proof: ['account.test.ts', 'attribute definitions are kept by model'],
  },
];

type Rule = readonly [says: string, file: string, title: string];

const described = 'description.test.ts';
const here = 'specification.test.ts';

export const rules: readonly Rule[] = [
  [
    'Access to the team summary may be denied with 403 and the error body',
    'reporting.test.ts',
    'reports are for administrators: 403 with the specified body',
  ],
  [
    'Ten kinds of events can be subscribed; deliveries carry timestamp, signature and delivery id',
    'webhooks.test.ts',
    'all ten events arrive, signed, once each, with the observed bodies',
  ],
  [
    'custom_attributes must correspond to valid definitions',
    'attributes.test.ts',
    'nothing is written where one attribute is wrong: contact, conversation, by visitor or agent',
  ],
  [
    'Keys of custom attributes are removed by an operation of its own',
    'attributes.test.ts',
    'attributes are taken away by key',
  ],
  [
    'first_response, resolution and reply_time are recorded, with business hours beside them',
    'reporting.test.ts',
    'first response, replies and resolution are measured, with working hours beside them',
  ],
  [
    'Bodies are JSON; another type is refused',
    'bad-input.test.ts',
    'malformed JSON is 400, wrong types 415 and 422, too much 413',
  ],
  [
    'Account paths need the header api_access_token',
    'bad-input.test.ts',
    'no token and an unknown one are 401',
  ],
  [
    'Access follows the level of the user',
    'account.test.ts',
    'the key for identity validation is for administrators',
  ],
  [
    'Without a valid token the answer is an error body',
    'bad-input.test.ts',
    'no token and an unknown one are 401',
  ],
  [
    'The public family needs no credential header',
    'public.test.ts',
    'a contact is made without a word about it',
  ],
  [
    'inbox_identifier and contact_identifier address the resource',
    'bad-input.test.ts',
    "another contact's and another inbox's data is 404",
  ],
  ["Another account's data does not exist", 'bad-input.test.ts', "another account's data is 404"],
  [
    'Error bodies have description and errors of field, message and code',
    here,
    'every field of error is there, of its type',
  ],
  [
    'Every operation has an error answer of that body',
    described,
    'every operation is described: its name, parameters, body, answer and refusals',
  ],
  [
    'A resolved contact has an identifier, e-mail or phone number; only such are listed',
    'account-contacts.test.ts',
    'contacts are listed 15 a page in eight orders, searched, shown',
  ],
  [
    'A page of contacts has 15',
    'account-contacts.test.ts',
    'contacts are listed 15 a page in eight orders, searched, shown',
  ],
  [
    'sort is name, email, phone_number or last_activity_at, each also with a minus',
    described,
    'limits are told: lengths, ranges, choices and defaults',
  ],
  ['The default page is 1', described, 'limits are told: lengths, ranges, choices and defaults'],
  ['current_page of contacts is a string', here, 'every field of contact list meta is there, of its type'],
  ['availability_status online appears', 'cable.test.ts', 'presence shows the agents who are there'],
  [
    'A search for contacts matches name, identifier, e-mail and phone number',
    here,
    'a search finds a contact by each of four fields',
  ],
  [
    'avatar is the picture itself, sent as form data',
    'agents-view.test.ts',
    'a form changes a contact and brings a picture; what is no picture is refused, the one before goes',
  ],
  [
    'additional_attributes may hold city, country, country_code and created_at_ip',
    here,
    'a contact takes city, country, country_code and created_at_ip',
  ],
  ['A new public conversation is open', 'public.test.ts', 'a conversation begins open and empty'],
  [
    'content may be null',
    'public.test.ts',
    'a message may be without words, or 150,000 characters long, emoji counted as one',
  ],
  [
    'conversation_id of a message is the display id',
    here,
    'a conversation has one number wherever it is named',
  ],
  [
    'message_type is 0 to 3',
    described,
    'every operation is described: its name, parameters, body, answer and refusals',
  ],
  [
    'merge false replaces, merge true keeps other keys, the default is false',
    'attributes.test.ts',
    'attributes of a conversation are replaced, or merged when asked',
  ],
  [
    'The assignee filter takes me, unassigned, assigned and all',
    'account.test.ts',
    'conversations are filtered by assignee, state, text and inbox, and counted',
  ],
  [
    'The status filter takes the four states and all',
    here,
    'the status filter takes all, open, resolved, pending and snoozed',
  ],
  [
    'A search finds conversations with messages that contain the term',
    'account.test.ts',
    'conversations are filtered by assignee, state, text and inbox, and counted',
  ],
  [
    'After a message id up to 100, ascending',
    'account.test.ts',
    'an agent answers, leaves a note, and reads after, before and between',
  ],
  ['Before a message id up to 20, ascending', here, 'before a message there are up to 20, ascending'],
  ['attribute_model is required, 0 or 1', 'bad-input.test.ts', '%s refuses a bad field %#'],
  [
    'Versions are in the path, the description is 1.1.0',
    here,
    'the description has version 1.1.0, and every path its own',
  ],
  [
    'What cannot arise here is named in the description',
    here,
    'fields of kinds that cannot arise are described as such',
  ],
  [
    'Operations refuse what does not fit, with the specified body',
    'bad-generated.test.ts',
    'refuses 300 requests that do not fit, and writes nothing',
  ],
];

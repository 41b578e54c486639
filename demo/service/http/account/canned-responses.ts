/** Answers that agents give often, found by their short code. Every agent may write one. */
import { z } from 'zod';
import { likePattern } from '../../domain/conversation-list.js';
import { iso } from '../../domain/shapes-shared.js';
import { first, one } from '../../store/database.js';
import { refuseTaken } from '../../store/taken.js';
import { cannedResponse } from '../answers/organisation.js';
import { endpoint } from '../define-endpoint.js';
import { content, limitedText, title } from '../fields.js';
import { accountPath, agentOf, rowOf, still } from './scope.js';

interface CannedRow {
  id: number;
  account_id: number;
  short_code: string;
  content: string;
  created_at: Date;
  updated_at: Date;
}

const listPath = `${accountPath}/canned_responses`;
const itemPath = `${listPath}/:canned_response_id`;
const text = content.refine((words) => words.trim() !== '', {
  error: 'must not be blank',
  params: { code: 'required' },
});

const shape = (row: CannedRow) => ({
  ...row,
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
});

export const cannedResponseEndpoints = [
  endpoint({
    methods: ['get'],
    path: listPath,
    told: {
      name: 'listCannedResponses',
      summary: 'Answers that are ready to send',
      result: { json: z.array(cannedResponse) },
    },
    query: z.object({ search: limitedText(500).optional() }),
    async answer(call) {
      const agent = await agentOf(call);
      const { search } = call.query();
      const rows = await call.core.db.query<CannedRow>(
        `select * from canned_responses where account_id = $1
           and ($2::text is null or short_code ilike $2 or content ilike $2)
         order by short_code`,
        [agent.account_id, search ? likePattern(search) : null],
      );
      return call.http.json(rows.map(shape));
    },
  }),
  endpoint({
    methods: ['post'],
    path: listPath,
    told: {
      name: 'createCannedResponse',
      summary: 'Keeps an answer ready',
      result: { json: cannedResponse },
    },
    body: z.object({ short_code: title, content: text }),
    async answer(call) {
      const agent = await agentOf(call);
      const { short_code: code, content: words } = await call.body();
      const row = await refuseTaken('short_code', () =>
        one<CannedRow>(
          call.core.db,
          'insert into canned_responses (account_id, short_code, content) values ($1, $2, $3) returning *',
          [agent.account_id, code, words],
        ),
      );
      return call.http.json(shape(row));
    },
  }),
  endpoint({
    methods: ['patch', 'put'],
    path: itemPath,
    told: {
      name: 'changeCannedResponse',
      summary: 'Changes a ready answer',
      result: { json: cannedResponse },
    },
    body: z.object({ short_code: title.optional(), content: text.optional() }),
    async answer(call) {
      const agent = await agentOf(call);
      const { id } = await rowOf<CannedRow>(call, agent, 'canned_responses', 'canned_response_id');
      const { short_code: code, content: words } = await call.body();
      const row = refuseTaken('short_code', () =>
        first<CannedRow>(
          call.core.db,
          `update canned_responses set short_code = coalesce($2, short_code), content = coalesce($3, content),
             updated_at = now() where id = $1 returning *`,
          [id, code ?? null, words ?? null],
        ),
      );
      return call.http.json(shape(await still('canned_response_id', row)));
    },
  }),
  endpoint({
    methods: ['delete'],
    path: itemPath,
    told: {
      name: 'deleteCannedResponse',
      summary: 'Deletes a ready answer',
      result: { empty: true },
    },
    async answer(call) {
      const agent = await agentOf(call);
      const { id } = await rowOf<CannedRow>(call, agent, 'canned_responses', 'canned_response_id');
      await call.core.db.query('delete from canned_responses where id = $1', [id]);
      return call.http.body(null, 200);
    },
  }),
];

/** The labels an account offers. A conversation may bear others: a label is a word, not a row. */
import { z } from 'zod';
import { renameLabel } from '../../domain/labels.js';
import { first, one } from '../../store/database.js';
import { refuseTaken } from '../../store/taken.js';
import { label as labelAnswer } from '../answers/organisation.js';
import { endpoint } from '../define-endpoint.js';
import { flag, limitedText, title } from '../fields.js';
import { accountPath, administratorOf, agentOf, rowOf, still } from './scope.js';

interface LabelRow {
  id: number;
  title: string;
  description: string;
  color: string;
  show_on_sidebar: boolean;
}

const labelsPath = `${accountPath}/labels`;
const labelPath = `${labelsPath}/:label_id`;
const columns = 'id, title, description, color, show_on_sidebar';

const word = title
  .transform((text) => text.toLowerCase())
  .refine((text) => /^[\p{L}\p{N}_-]+$/u.test(text), {
    error: 'may have letters, digits, "-" and "_" only',
  });
const fields = {
  description: limitedText(1000).optional(),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'is not a colour such as #1f93ff')
    .optional(),
  show_on_sidebar: flag.optional(),
};

export const labelEndpoints = [
  endpoint({
    methods: ['get'],
    path: labelsPath,
    told: {
      name: 'listLabels',
      summary: 'The labels of the account, by title',
      result: { json: z.strictObject({ payload: z.array(labelAnswer) }) },
    },
    async answer(call) {
      const agent = await agentOf(call);
      const payload = await call.core.db.query<LabelRow>(
        `select ${columns} from labels where account_id = $1 order by title`,
        [agent.account_id],
      );
      return call.http.json({ payload });
    },
  }),
  endpoint({
    methods: ['post'],
    path: labelsPath,
    told: {
      name: 'createLabel',
      summary: 'Makes a label',
      result: { json: labelAnswer },
      refuses: [403],
    },
    body: z.object({ title: word, ...fields }),
    async answer(call) {
      const agent = await administratorOf(call);
      const body = await call.body();
      const label = await refuseTaken('title', () =>
        one<LabelRow>(
          call.core.db,
          `insert into labels (account_id, title, description, color, show_on_sidebar)
           values ($1, $2, $3, coalesce($4, '#1f93ff'), $5) returning ${columns}`,
          [
            agent.account_id,
            body.title,
            body.description ?? '',
            body.color ?? null,
            body.show_on_sidebar ?? true,
          ],
        ),
      );
      return call.http.json(label);
    },
  }),
  endpoint({
    methods: ['get'],
    path: labelPath,
    told: {
      name: 'showLabel',
      summary: 'One label',
      result: { json: labelAnswer },
    },
    async answer(call) {
      const { id } = await rowOf<LabelRow>(call, await agentOf(call), 'labels', 'label_id');
      const sql = `select ${columns} from labels where id = $1`;
      return call.http.json(await still('label_id', first<LabelRow>(call.core.db, sql, [id])));
    },
  }),
  endpoint({
    methods: ['patch', 'put'],
    path: labelPath,
    told: {
      name: 'changeLabel',
      summary: 'Changes a label',
      about: 'Another title is the word of all conversations that bear it and of all rules that name it.',
      result: { json: labelAnswer },
      refuses: [403],
    },
    body: z.object({ title: word.optional(), ...fields }),
    async answer(call) {
      const agent = await administratorOf(call);
      const { id } = await rowOf<LabelRow>(call, agent, 'labels', 'label_id');
      const body = await call.body();
      const label = refuseTaken('title', () =>
        call.core.db.transaction(async (tx) => {
          const held = 'select title from labels where id = $1 for update';
          const before = await first<Pick<LabelRow, 'title'>>(tx, held, [id]);
          const after = await first<LabelRow>(
            tx,
            `update labels set title = coalesce($2, title), description = coalesce($3, description),
               color = coalesce($4, color), show_on_sidebar = coalesce($5, show_on_sidebar)
             where id = $1 returning ${columns}`,
            [
              id,
              body.title ?? null,
              body.description ?? null,
              body.color ?? null,
              body.show_on_sidebar ?? null,
            ],
          );
          if (before && after && before.title !== after.title)
            await renameLabel(tx, agent.account_id, { from: before.title, to: after.title });
          return after;
        }),
      );
      return call.http.json(await still('label_id', label));
    },
  }),
  endpoint({
    methods: ['delete'],
    path: labelPath,
    told: {
      name: 'deleteLabel',
      summary: 'Deletes a label',
      result: { empty: true },
      refuses: [403],
    },
    async answer(call) {
      const { id } = await rowOf<LabelRow>(call, await administratorOf(call), 'labels', 'label_id');
      await call.core.db.query('delete from labels where id = $1', [id]);
      return call.http.body(null, 200);
    },
  }),
];

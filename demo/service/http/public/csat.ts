/** P14: the satisfaction survey of a conversation, by the conversation's uuid alone. */
import { z } from 'zod';
import type { Core } from '../../core.js';
import { submitValues } from '../../domain/messages.js';
import { seconds } from '../../domain/shapes-shared.js';
import { isSurvey } from '../../domain/templates.js';
import { notFound } from '../../errors.js';
import { first } from '../../store/database.js';
import type { ConversationRow, MessageRow } from '../../store/rows.js';
import { survey as surveyAnswer } from '../answers/organisation.js';
import { endpoint } from '../define-endpoint.js';
import type { Call } from '../endpoint.js';
import { refuseLate, submittedSurvey } from './submitted.js';

const path = '/public/api/v1/csat_survey/:conversation_uuid';
const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function conversationOf(call: Pick<Call<never, never>, 'core' | 'param'>): Promise<ConversationRow> {
  const uuid = call.param('conversation_uuid');
  const sql = 'select * from conversations where uuid = $1';
  const row = uuidForm.test(uuid) ? await first<ConversationRow>(call.core.db, sql, [uuid]) : undefined;
  if (!row) throw notFound('conversation_uuid');
  return row;
}

const noSurvey = () => notFound('conversation_uuid', 'This conversation has no survey');

async function surveyOf({ db }: Core, conversation: ConversationRow): Promise<MessageRow> {
  const message = await first<MessageRow>(
    db,
    `select * from messages where conversation_id = $1 and ${isSurvey} order by id desc limit 1`,
    [conversation.id],
  );
  if (!message) throw noSurvey();
  return message;
}

const values = z.object({ csat_survey_response: z.unknown() });
const attributes = z.object({ submitted_values: values });

function shape(conversation: ConversationRow, message: MessageRow) {
  const answered = attributes.safeParse(message.content_attributes);
  return {
    id: message.id,
    csat_survey_response: answered.data?.submitted_values.csat_survey_response ?? null,
    inbox_avatar_url: '',
    conversation_id: conversation.display_id,
    created_at: seconds(message.created_at),
  };
}

export const csatEndpoints = [
  endpoint({
    methods: ['get'],
    path,
    told: {
      name: 'showSurvey',
      summary: 'The survey of a conversation',
      result: { json: surveyAnswer },
    },
    async answer(call) {
      const conversation = await conversationOf(call);
      return call.http.json(shape(conversation, await surveyOf(call.core, conversation)));
    },
  }),
  endpoint({
    methods: ['patch', 'put'],
    path,
    told: {
      name: 'answerSurvey',
      summary: 'Answers the survey of a conversation',
      about: 'For 14 days.',
      result: { json: surveyAnswer },
    },
    body: z.object({ message: z.object({ submitted_values: submittedSurvey }) }),
    async answer(call) {
      const conversation = await conversationOf(call);
      const { message } = await call.body();
      const survey = await surveyOf(call.core, conversation);
      refuseLate(survey);
      const view = await submitValues(call.core, survey, message.submitted_values, noSurvey);
      return call.http.json(shape(conversation, view.message));
    },
  }),
];

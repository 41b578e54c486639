/**
 * What the visitor's page tells of itself: `webwidget_triggered`. The observed public family has no such route (its
 * widget family has); this one takes the same body, so that the tenth event of the specification can happen.
 */
import { z } from 'zod';
import { commit } from '../../core.js';
import { freeMap } from '../../domain/attributes.js';
import { viewConversation } from '../../domain/conversations-view.js';
import { hookWidget } from '../../domain/webhook-events.js';
import { first } from '../../store/database.js';
import type { ConversationRow } from '../../store/rows.js';
import { endpoint } from '../define-endpoint.js';
import { contactOf, contactPath } from './scope.js';

export const eventEndpoints = [
  endpoint({
    methods: ['post'],
    path: `${contactPath}/events`,
    told: {
      name: 'triggerWidget',
      summary: 'Tells that the widget was opened',
      about: 'For the event webwidget_triggered of webhooks. Parley itself does not tell it.',
      result: { empty: true },
    },
    body: z.object({
      name: z.literal('webwidget.triggered'),
      event_info: freeMap.default({}),
    }),
    async answer(call) {
      const visitor = await contactOf(call);
      const { event_info: info } = await call.body();
      await commit(call.core, `pair:${visitor.pair.id}`, async (change) => {
        const newest = await first<ConversationRow>(
          change.tx,
          'select * from conversations where contact_inbox_id = $1 order by id desc limit 1',
          [visitor.pair.id],
        );
        const current = newest && (await viewConversation(change.tx, newest.id));
        await hookWidget(change, visitor, current, info);
      });
      return call.http.body(null, 200);
    },
  }),
];

/** Wakes conversations whose snooze is over. Rows another process is waking are passed by. */
import { type Core, commit, conversationLane } from '../core.js';
import { moveTo } from '../domain/status.js';
import type { Log } from '../log.js';
import { first } from '../store/database.js';
import type { ConversationRow } from '../store/rows.js';
import { type Loop, startLoop } from './loop.js';

const due = `status = 'snoozed' and snoozed_until <= now()`;
const atOnce = 20;

export function startSnoozes(core: Core, everyMs: number, log: Log): Loop {
  const work = async () => {
    const rows = await core.db.query<{ id: number }>(
      `select id from conversations where ${due} order by snoozed_until limit ${atOnce}`,
    );
    for (const { id } of rows) {
      await commit(core, conversationLane(id), async (change) => {
        const sql = `select * from conversations where id = $1 and ${due} for update skip locked`;
        const asleep = await first<ConversationRow>(change.tx, sql, [id]);
        if (asleep) await moveTo(change, asleep, { status: 'open' }, { kind: 'time' });
      });
    }
    return rows.length === atOnce;
  };
  return startLoop('snoozes', work, everyMs, log);
}

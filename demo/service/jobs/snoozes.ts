/**
 * Wakes conversations whose snooze is over. One that somebody has is passed by: the others, of all accounts, do not wait
 * for it.
 */
import { type Core, commitNow, conversationLane } from '../core.js';
import { moveTo } from '../domain/status.js';
import { errorFacts, type Log } from '../log.js';
import { first } from '../store/database.js';
import type { ConversationRow } from '../store/rows.js';
import { type Loop, startLoop } from './loop.js';

const due = `status = 'snoozed' and snoozed_until <= now()`;
const atOnce = 20;

/** @returns whether it was woken: somebody may have it, or may have been quicker */
const wake = (core: Core, id: number): Promise<boolean> =>
  commitNow(core, async (change) => {
    const sql = `select * from conversations where id = $1 and ${due} for update skip locked`;
    const asleep = await first<ConversationRow>(change.tx, sql, [id]);
    if (asleep) await moveTo(change, asleep, { status: 'open' }, { kind: 'time' });
    return asleep !== undefined;
  });

export function startSnoozes(core: Core, everyMs: number, log: Log): Loop {
  let stopping = false;

  const attempt = (id: number) =>
    wake(core, id).catch((error: unknown) => {
      log.error({ job: 'snoozes', conversation: id, ...errorFacts(error) });
      return false;
    });
  /** @returns whether it was woken */
  const take = async (id: number) => {
    const lane = conversationLane(id);
    const busy = core.lanes.busy(lane);
    if (!busy) return core.lanes.inLane(lane, () => attempt(id));
    // Whoever is at it may be waiting for a row: the others do not wait with them.
    void busy.then(loop.wake);
    return false;
  };
  const work = async () => {
    const passedBy: number[] = [];
    for (let isDone = false; ; ) {
      const rows = await core.db.query<{ id: number }>(
        `select id from conversations where ${due} and id <> all($1::bigint[])
         order by snoozed_until limit ${atOnce}`,
        [passedBy],
      );
      for (const { id } of rows) {
        if (stopping) return false;
        if (await take(id)) isDone = true;
        else passedBy.push(id);
      }
      if (rows.length < atOnce) return isDone;
    }
  };
  const loop = startLoop('snoozes', work, everyMs, log);
  return {
    wake: loop.wake,
    stop() {
      stopping = true;
      return loop.stop();
    },
  };
}

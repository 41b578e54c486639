/**
 * Judges what waits for the rules. An event is taken, judged and acted on in one transaction, and leaves the queue
 * with it: a rule acts once or not at all. Of one conversation only the oldest is taken, so they act in its order. One
 * that somebody has is passed by: the others, of all accounts, do not wait for it.
 */
import { type Core, commitNow, conversationLane } from '../core.js';
import type { Changed } from '../domain/changes.js';
import { viewConversation } from '../domain/conversations-view.js';
import { viewMessages } from '../domain/messages-view.js';
import { act } from '../domain/rules/act.js';
import { factsOf } from '../domain/rules/facts.js';
import { judge as holds } from '../domain/rules/judge.js';
import type { RuleRow } from '../domain/rules/rule.js';
import { errorFacts, type Log } from '../log.js';
import { first, isLost, lockNotAvailable, sqlState } from '../store/database.js';
import type { MessageRow } from '../store/rows.js';
import { type Loop, startLoop } from './loop.js';

interface RuleEventRow {
  id: number;
  account_id: number;
  conversation_id: number;
  message_id: number | null;
  event_name: string;
  changed: Changed;
}

const atOnce = 20;
const mostAttempts = 5;
const pauseSeconds = 2;

const oldest = `run_at <= now() and not exists (select 1 from rule_events earlier
  where earlier.conversation_id = e.conversation_id and earlier.id < e.id)`;

const awaiting =
  'select * from automation_rules where account_id = $1 and event_name = $2 and active order by id';

interface Waiting {
  id: number;
  conversation_id: number;
}

/** @returns whether it was judged: somebody may have its conversation, or may have been quicker */
const judge = (core: Core, { id, conversation_id: conversationId }: Waiting): Promise<boolean> =>
  commitNow(core, async (change) => {
    const { tx } = change;
    const free = 'select 1 from conversations where id = $1 for update skip locked';
    if (!(await first(tx, free, [conversationId]))) return false;
    const event = await first<RuleEventRow>(
      tx,
      `select * from rule_events e where id = $1 and ${oldest} for update skip locked`,
      [id],
    );
    if (!event) return false;
    await tx.query('delete from rule_events where id = $1', [id]);
    const message =
      event.message_id === null
        ? undefined
        : await first<MessageRow>(tx, 'select * from messages where id = $1', [event.message_id]);
    for (const rule of await tx.query<RuleRow>(awaiting, [event.account_id, event.event_name])) {
      // Anew for each: an earlier rule may have changed what this one asks for.
      const scene = await viewConversation(tx, conversationId);
      if (!holds(rule.conditions, factsOf(scene, message, event.changed))) continue;
      const numbers = new Map([[conversationId, scene.conversation.display_id]]);
      const [view] = message ? await viewMessages(tx, [message], numbers) : [];
      await act({ ...change, ruleId: rule.id }, rule, { conversationId, message: view });
    }
    return true;
  });

/**
 * One that fails again and again would hold up its conversation for ever. That the database gives no answer, or that
 * somebody has a row, is no failure of it.
 * @returns whether it was given up
 */
async function postpone(core: Core, id: number, error: unknown): Promise<boolean> {
  const isOwn = !isLost(error) && sqlState(error) !== lockNotAvailable;
  await core.db.query(
    `update rule_events set attempts = attempts + $3,
       run_at = now() + make_interval(secs => $2 * (attempts + 1)) where id = $1`,
    [id, pauseSeconds, isOwn ? 1 : 0],
  );
  const gone = await core.db.query('delete from rule_events where id = $1 and attempts >= $2 returning id', [
    id,
    mostAttempts,
  ]);
  return gone.length > 0;
}

export function startRules(core: Core, everyMs: number, log: Log): Loop {
  let stopping = false;

  const attempt = async (event: Waiting) => {
    const tell = (error: unknown) => log.error({ job: 'rules', event: event.id, ...errorFacts(error) });
    try {
      return await judge(core, event);
    } catch (error) {
      tell(error);
      const isGivenUp = await postpone(core, event.id, error).catch(tell);
      if (isGivenUp) log.error({ job: 'rules', event: event.id, outcome: 'given up' });
      return false;
    }
  };
  /** @returns whether it was judged */
  const take = async (event: Waiting) => {
    const lane = conversationLane(event.conversation_id);
    const busy = core.lanes.busy(lane);
    if (!busy) return core.lanes.inLane(lane, () => attempt(event));
    // Whoever is at it may be waiting for a row: the others do not wait with them.
    void busy.then(loop.wake);
    return false;
  };
  const work = async () => {
    const passedBy: number[] = [];
    for (let isDone = false; ; ) {
      const rows = await core.db.query<Waiting>(
        `select id, conversation_id from rule_events e where ${oldest} and conversation_id <> all($1::bigint[])
         order by id limit ${atOnce}`,
        [passedBy],
      );
      for (const row of rows) {
        if (stopping) return false;
        if (await take(row)) isDone = true;
        else passedBy.push(row.conversation_id);
      }
      if (rows.length < atOnce) return isDone;
    }
  };
  const loop = startLoop('rules', work, everyMs, log);
  return {
    wake: loop.wake,
    stop() {
      stopping = true;
      return loop.stop();
    },
  };
}

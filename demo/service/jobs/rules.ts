/**
 * Judges what waits for the rules. An event is taken, judged and acted on in one transaction, and leaves the queue
 * with it: a rule acts once or not at all. Of one conversation only the oldest is taken, so they act in its order.
 */
import { type Core, commit, conversationLane } from '../core.js';
import type { Changed } from '../domain/changes.js';
import { viewConversation } from '../domain/conversations-view.js';
import { viewMessages } from '../domain/messages-view.js';
import { act } from '../domain/rules/act.js';
import { factsOf } from '../domain/rules/facts.js';
import { judge } from '../domain/rules/judge.js';
import type { RuleRow } from '../domain/rules/rule.js';
import { lockConversation } from '../domain/status.js';
import { errorFacts, type Log } from '../log.js';
import { first } from '../store/database.js';
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

async function judgeOne(core: Core, id: number, conversationId: number): Promise<void> {
  const sql =
    'select * from automation_rules where account_id = $1 and event_name = $2 and active order by id';
  await commit(core, conversationLane(conversationId), async (change) => {
    const { tx } = change;
    await lockConversation(change, conversationId);
    const event = await first<RuleEventRow>(
      tx,
      `select * from rule_events e where id = $1 and ${oldest} for update skip locked`,
      [id],
    );
    if (!event) return;
    await tx.query('delete from rule_events where id = $1', [id]);
    const message =
      event.message_id === null
        ? undefined
        : await first<MessageRow>(tx, 'select * from messages where id = $1', [event.message_id]);
    for (const rule of await tx.query<RuleRow>(sql, [event.account_id, event.event_name])) {
      // Anew for each: an earlier rule may have changed what this one asks for.
      const scene = await viewConversation(tx, conversationId);
      if (!judge(rule.conditions, factsOf(scene, message, event.changed))) continue;
      const numbers = new Map([[conversationId, scene.conversation.display_id]]);
      const [view] = message ? await viewMessages(tx, [message], numbers) : [];
      await act({ ...change, ruleId: rule.id }, rule, { conversationId, message: view });
    }
  });
}

/** One that fails again and again would hold up its conversation for ever. */
async function postpone(core: Core, id: number): Promise<void> {
  await core.db.query(
    `update rule_events set attempts = attempts + 1,
       run_at = now() + make_interval(secs => $2 * (attempts + 1)) where id = $1`,
    [id, pauseSeconds],
  );
  await core.db.query('delete from rule_events where id = $1 and attempts >= $2', [id, mostAttempts]);
}

export function startRules(core: Core, everyMs: number, log: Log): Loop {
  const work = async () => {
    const rows = await core.db.query<{ id: number; conversation_id: number }>(
      `select id, conversation_id from rule_events e where ${oldest} order by id limit ${atOnce}`,
    );
    for (const row of rows) {
      try {
        await judgeOne(core, row.id, row.conversation_id);
      } catch (error) {
        log.error({ job: 'rules', event: row.id, ...errorFacts(error) });
        await postpone(core, row.id);
      }
    }
    return rows.length > 0;
  };
  return startLoop('rules', work, everyMs, log);
}

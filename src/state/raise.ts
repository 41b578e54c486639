/**
 * More may be kept of the visitor than before: what there is goes along, and joins what others have kept there by then.
 * It does not know who allows it.
 */
import { LEVELS } from '../levels.js';
import { reunite } from '../model/ledger.js';
import type { PageEnv } from '../page-env.js';
import type { Level } from '../parley.js';
import { LEDGER, readLedger } from '../storage/ledger-db.js';
import type { Local } from '../storage/local.js';
import { HABITS, isTyped } from './facts.js';

/** What was wished on this page was wished last; what is known of the visitor is known better where they are kept. */
function joined(name: string, ours: unknown, theirs: unknown): unknown {
  if (name === LEDGER && theirs) return reunite(readLedger(theirs), readLedger(ours));
  if (theirs === undefined || HABITS.includes(name)) return ours;
  if (!isTyped(name) || ours === theirs) return theirs;
  return typeof ours === 'string' ? `${ours}\n${theirs}` : { ...Object(theirs), ...Object(ours) };
}

/** Never lowers. @returns whether it was less before */
export function raise({ keeping }: PageEnv, local: Local, to: Level): boolean {
  if (!keeping || LEVELS.indexOf(to) <= LEVELS.indexOf(keeping.level)) return false;
  const facts = local.all().map(({ name }) => [name, local.get(name)] as const);
  for (const [name] of facts) local.remove(name, true);
  keeping.level = to;
  // What cannot be read is nobody's fact.
  for (const [name, value] of facts)
    if (value !== undefined) local.set(name, joined(name, value, local.get(name)));
  // A window that is open elsewhere is not opened here for that.
  for (const { name } of local.all()) if (name !== 'open') local.hear(name);
  return true;
}

/** More may be kept of the visitor than before: what there is goes along. It does not know what it is, nor who allows it. */
import type { PageEnv } from '../page-env.js';
import type { Level } from '../parley.js';
import type { Local } from '../storage/local.js';

const LEVELS: readonly Level[] = ['memory', 'session', 'persistent'];

/** Never lowers. @returns whether it was less before */
export function raise({ keeping }: PageEnv, local: Local, to: Level): boolean {
  if (!keeping || LEVELS.indexOf(to) <= LEVELS.indexOf(keeping.level)) return false;
  const facts = local.all().map(({ name }) => [name, local.get(name)] as const);
  for (const [name] of facts) local.remove(name, true);
  keeping.level = to;
  // What cannot be read is nobody's fact.
  for (const [name, value] of facts) if (value !== undefined) local.set(name, value);
  return true;
}

/**
 * An account's patterns against anyone's words. Everybody waits while one is tried, so it has little time, and those of
 * an account have little together; one that explodes is refused where it is written, as far as can be told by trying.
 */
import { createContext, Script } from 'node:vm';

const mostMs = 100;

export function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}

// Code in a context of its own can be stopped; one context for all is made once only.
const apart = createContext({});
const script = new Script('new RegExp(pattern).test(text)');

/** @returns nothing when the time was over before it was told */
function found(pattern: string, text: string, endsAt: number): boolean | undefined {
  const timeout = Math.floor(endsAt - performance.now());
  if (timeout < 1) return undefined;
  Object.assign(apart, { pattern, text });
  try {
    const answer: unknown = script.runInContext(apart, { timeout });
    return answer === true;
  } catch {
    return undefined;
  }
}

/** A tenth of the time, for the patterns of one account. */
const accountMs = 1000;
const accountWindowMs = 10_000;

/** For what is not told in time none matches. */
export type Matches = (pattern: string, text: string) => boolean;

/** @returns makes what matches for one request of an account: its patterns have their time together */
export function createMatchers(): (accountId: number) => Matches {
  const spentBy = new Map<number, { since: number; ms: number }>();
  return (accountId) => {
    const startedAt = performance.now();
    const known = spentBy.get(accountId);
    const spent = known && startedAt - known.since < accountWindowMs ? known : { since: startedAt, ms: 0 };
    spentBy.set(accountId, spent);
    const endsAt = startedAt + mostMs;
    return (pattern, text) => {
      const before = performance.now();
      const answer = found(pattern, text, Math.min(endsAt, before + accountMs - spent.ms));
      spent.ms += performance.now() - before;
      return answer === true;
    };
  };
}

const longRun = 100;
/** For all letters together. */
const mostMsOfAll = 1000;
/** A machine that stood still for the whole time says nothing of a pattern: one that explodes does so each time. */
const mostTries = 3;

/** Tries long runs of one letter, for each that the pattern names and a few others, with an end that hardly fits. */
export function isSlow(pattern: string): boolean {
  const letters = [...new Set(`aA0 ${pattern}`)];
  const endsAt = performance.now() + mostMsOfAll;
  return letters.some((letter) => {
    const text = `${letter.repeat(longRun)}\n!${pattern}`;
    for (let tries = 0; tries < mostTries; tries += 1)
      if (found(pattern, text, Math.min(endsAt, performance.now() + mostMs)) !== undefined) return false;
    return true;
  });
}

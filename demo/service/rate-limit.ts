/**
 * Token buckets in memory: each key may do `perMinute` things a minute, and as many at once. The time is one that nobody
 * sets back.
 */
export interface RateLimit {
  /** @returns 0 when it may pass, else after how many seconds to come back */
  take(key: string): number;
  /** As `take`, but takes nothing. */
  wait(key: string): number;
}

interface Bucket {
  tokens: number;
  at: number;
}

const mostBuckets = 50_000;

export function rateLimit(perMinute: number, now = () => performance.now()): RateLimit {
  const buckets = new Map<string, Bucket>();
  const perMs = perMinute / 60_000;
  const left = (key: string, at: number) => {
    const old = buckets.get(key) ?? { tokens: perMinute, at };
    return Math.min(perMinute, old.tokens + (at - old.at) * perMs);
  };
  const secondsUntil = (tokens: number) =>
    tokens >= 1 ? 0 : Math.max(1, Math.ceil((1 - tokens) / perMs / 1000));
  return {
    take(key) {
      const at = now();
      const tokens = left(key, at);
      // Deleting first keeps the map in order of use, so the one forgotten is the one longest unseen.
      buckets.delete(key);
      buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at });
      if (buckets.size > mostBuckets) {
        const [longestUnseen] = buckets.keys();
        if (longestUnseen !== undefined) buckets.delete(longestUnseen);
      }
      return secondsUntil(tokens);
    },
    wait: (key) => secondsUntil(left(key, now())),
  };
}

/**
 * When to try the line again. Full jitter: the first try is anywhere in a window, later ones anywhere below a
 * growing cap, so that a million widgets which lost the service together do not come back together.
 * @see the simulation in test/, which reads these constants
 */
export interface Tier {
  /** The first delay is uniform in [0, firstMs]. */
  firstMs: number;
  /** Later windows double up to this. */
  capMs: number;
  /** No try comes sooner. */
  floorMs: number;
}

export const TIERS = {
  /** The window is open and the page visible. */
  open: { firstMs: 5_000, capMs: 60_000, floorMs: 0 },
  /** The page is visible, the window closed. */
  closed: { firstMs: 60_000, capMs: 300_000, floorMs: 0 },
  /** The page is hidden and words are waiting: the return of the page or of the network matters more. */
  hidden: { firstMs: 3_600_000, capMs: 3_600_000, floorMs: 1_800_000 },
} as const satisfies Record<string, Tier>;

/** So many times longer between tries, and between looks without a socket, where the owner wants it calm. */
export const CALM = 4;

/** @param failures how many attempts have failed since the line was last up (0: it was just lost) */
export function reconnectDelayMs(tier: Tier, failures: number, random: number): number {
  const windowMs = Math.min(tier.capMs, tier.firstMs * 2 ** Math.min(failures, 10));
  return tier.floorMs + random * (windowMs - tier.floorMs);
}

/** How often missed messages are fetched where no socket can be had: uniform in half to one and a half of it. */
export const POLL_MS = { open: 10_000, closed: 60_000, hidden: 3_600_000 } as const satisfies Record<
  keyof typeof TIERS,
  number
>;

/** What has come is looked for no sooner than this while the page rests, by one tab for all. */
export const GLANCE_MS = 15 * 60_000;

/** Killed while many write, and again: what was acknowledged is there. `test/long/kill.test.ts` does it fifty times. */
import { describe, test } from 'vitest';
import { killedOnEmbedded, killedOnPostgres } from '../support/kill-places.js';
import { hasPostgres } from '../support/processes.js';

const limitMs = 240_000;

describe('killed three times', () => {
  // At once: most of the time both wait for leases of the dead to run out.
  test.skipIf(!hasPostgres).concurrent('on PostgreSQL nothing is lost', () => killedOnPostgres(3), limitMs);
  test.concurrent('on the embedded database nothing is lost', () => killedOnEmbedded(3), limitMs);
});

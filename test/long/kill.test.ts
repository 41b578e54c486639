/** Fifty times `kill -9` at a random moment under load; every fifth time PostgreSQL is killed with the service. */
import { expect, test } from 'vitest';
import { killedOnEmbedded, killedOnPostgres } from '../support/kill-places.js';
import { hasPostgres } from '../support/processes.js';

const limitMs = 3_600_000;

test('there is a PostgreSQL to be killed', () => expect(hasPostgres).toBe(true));
test('fifty deaths on PostgreSQL lose nothing', () => killedOnPostgres(50), limitMs);
test('fifty deaths on the embedded database lose nothing', () => killedOnEmbedded(50), limitMs);

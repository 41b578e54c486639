/** Every operation against 300 requests that do not fit; in each test run those that are not specified get a hundred. */
import { describe, test } from 'vitest';
import { operations, useRefusals } from '../support/refusals.js';

const { refuses } = useRefusals();

describe.each(operations)('$name', (operation) => {
  test('refuses 300 requests that do not fit, and writes nothing', () => refuses(operation, 300));
});

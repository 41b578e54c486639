/** The times that the console draws: what an axis says is what it is. */
import { expect, test } from 'vitest';
import { span, spanSteps } from '../../demo/console/model/report.js';

const units: Record<string, number> = { s: 1, min: 60, h: 3600, d: 86_400 };

test('the lines of an axis of times are as far apart as they say', () => {
  for (const step of spanSteps) {
    for (let line = 0; line <= 6; line++) {
      const [value, unit = ''] = span(line * step).split(' ');
      expect(Number(value) * (units[unit] ?? 0)).toBe(line * step);
    }
  }
});

/** What axe objects to on a page, in both schemes, in words. */
import { readFile } from 'node:fs/promises';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { axePath } from './browser.js';

const findings = z.array(z.string());
const rules: RunOptions = { resultTypes: ['violations'] };

/**
 * @param state what the page shows now
 * @param place an expression: what is looked at
 * @param widths none leaves the page as wide as it is
 */
export async function objections(
  page: Page,
  state: string,
  place = 'document',
  widths: readonly number[] = [],
): Promise<string[]> {
  await page.evaluate(await readFile(axePath, 'utf8'));
  const all: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of widths.length ? widths : [undefined]) {
      if (width) await page.setViewportSize({ width, height: 800 });
      const found = await page.evaluate(`(async () => {
        const { violations } = await axe.run(${place}, ${JSON.stringify(rules)});
        return violations.flatMap(({ id, nodes }) =>
          nodes.map(({ target, failureSummary }) => id + ' at ' + JSON.stringify(target) + ' ' + failureSummary));
      })()`);
      all.push(
        ...findings.parse(found).map((words) => `${state}, ${colorScheme}, ${width ?? 'any'} px: ${words}`),
      );
    }
  }
  return all;
}

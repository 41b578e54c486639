/** What axe objects to on a page, in both schemes, in words. */
import { readFile } from 'node:fs/promises';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { axePath } from './browser.js';

const findings = z.array(z.string());
const rules: RunOptions = { resultTypes: ['violations', 'passes'] };
const axeSource = readFile(axePath, 'utf8');
/** As where all that is seen lies over something else. */
export const UNJUDGED = 'no contrast of the chat was judged';

/**
 * By expression, because a policy forbids script tags and the page's own scripts may be patched. axe lays its grid over
 * the body and judges no contrast of what hangs beside it, so the chat hangs there meanwhile.
 *
 * @param place an expression: what is looked at
 * @returns what axe objects to on the page as it is, in words
 */
export async function objectionsNow(page: Page, place = 'document'): Promise<string[]> {
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(await axeSource);
  const found = await page.evaluate(`(async () => {
    const host = document.querySelector('html > parley-chat');
    if (host) document.body.moveBefore(host, null);
    const { violations, passes } = await axe.run(${place}, ${JSON.stringify(rules)}).finally(() => {
      if (host) document.documentElement.moveBefore(host, null);
    });
    const isOurs = ({ target: [one] }) => Array.isArray(one);
    const isJudged = ({ id, nodes }) => id === 'color-contrast' && nodes.some(isOurs);
    const isShown = host?.shadowRoot?.querySelector('dialog[open]');
    return [
      ...violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => id + ' at ' + JSON.stringify(target) + ' ' + failureSummary)),
      ...(isShown && ![...violations, ...passes].some(isJudged) ? ['${UNJUDGED}'] : []),
    ];
  })()`);
  return findings.parse(found);
}

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
  const all: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of widths.length ? widths : [undefined]) {
      if (width) await page.setViewportSize({ width, height: 800 });
      const found = await objectionsNow(page, place);
      all.push(...found.map((words) => `${state}, ${colorScheme}, ${width ?? 'any'} px: ${words}`));
    }
  }
  return all;
}

/** The page of the published description, in a real browser: axe, both schemes, a narrow screen, no script. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { axePath, useBrowser } from '../support/browser.js';
import { startMs, startTestService, type TestService } from '../support/service.js';

const browser = await useBrowser();
let service: TestService;
beforeAll(async () => {
  service = await startTestService();
}, startMs);
afterAll(() => service.end());

const findings = z.array(z.string());

test('axe finds nothing in either scheme, and 320 px are enough', async () => {
  const page = await browser.newPage({ viewport: { width: 320, height: 700 } });
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') refused.push(message.text());
  });
  await page.goto(`${service.url}/docs`);
  expect(refused).toEqual([]);
  await page.evaluate(await readFile(axePath, 'utf8'));
  await page.locator('details').evaluateAll((all) => {
    for (const one of all) one.setAttribute('open', '');
  });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const found = await page.evaluate(`(async () => {
      const { violations } = await axe.run(document, { resultTypes: ['violations'] });
      return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' at ' + JSON.stringify(target)));
    })()`);
    expect(findings.parse(found), colorScheme).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(320);
  }
  await page.close();
});

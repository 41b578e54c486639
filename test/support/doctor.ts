/** What the doctor's panel says on a page, found as its reader finds it. */
import type { Page } from 'playwright-core';

export const slowMs = 60_000;

/** The panel, and what it says when all has been checked. */
export function doctor(page: Pick<Page, 'getByRole' | 'locator'>) {
  const panel = page.getByRole('dialog', { name: 'Parley doctor' });
  const report = async () => {
    await panel.getByText('The report as text').waitFor({ timeout: slowMs });
    return panel.locator('textarea').inputValue();
  };
  return { panel, report };
}

/** What the report says of each thing, without the facts below it. */
export const lines = (report: string) => report.split('\n').filter((line) => line.startsWith('['));

export const ailing = (report: string) => lines(report).filter((line) => !line.startsWith('[fine]'));

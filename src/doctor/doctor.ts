/**
 * Looks at a page on which a chat does not do what its owner expects, and says what to do. Fetched only for the query
 * `?parley-doctor`. It stores nothing, sends nothing anywhere but the questions to the service, and does not know how
 * the chat works inside.
 */
import type { Stage } from '../embed/stage.js';
import { examine, titles } from './examine.js';
import { type Level, worst } from './finding.js';
import { createPanel } from './panel.js';
import { watchPolicy } from './policy.js';
import { report, summary } from './report.js';
import { within } from './wait.js';

const LOADED_MS = 10_000;

/** Before that, what will lie over the chat may not be there. */
const loaded = () =>
  new Promise<void>((resolve) => {
    if (document.readyState === 'complete') resolve();
    else addEventListener('load', () => resolve(), { once: true });
  });

export async function openDoctor(stage: Stage): Promise<void> {
  // Another chat of this page has called already.
  if (document.querySelector('parley-doctor')) return;
  // What is shown between two checks is blocked then, and not every browser tells of it later.
  const watch = watchPolicy();
  const panel = createPanel(stage.options.nonce ?? '', () => void run(), watch.stop);
  async function run() {
    panel.begin(titles);
    try {
      await finish();
    } catch {
      panel.end('This page does not let the doctor finish. What is shown was found before.', 'problem', '');
    }
  }
  async function finish() {
    // A picture or a frame that never comes is waited for no longer.
    await within(LOADED_MS, loaded(), undefined);
    const examination = await examine(stage, watch, panel.host, (_, result) => panel.put(result));
    const all = examination.results.flatMap(({ findings }) => findings);
    const level: Level = worst(all);
    panel.end(summary(examination), level === 'unknown' ? 'ok' : level, report(examination));
  }
  await run();
}

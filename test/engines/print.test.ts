/** Printing in each engine: the frame of the conversation has come when it is printed, and goes afterwards. */
import { expect, test } from 'vitest';
import { english as en } from '../../src/text/english.js';
import { hostPage } from '../support/browser.js';
import { faultsHead, useEngineTab } from '../support/engine-tab.js';

const here = useEngineTab();

test('the conversation is printed, and its frame goes', async () => {
  const html = hostPage(here.service.url, { head: faultsHead });
  await here.tab.goto(here.service.url + (await here.service.page('print', html)));
  await here.tab.click('button', /^Open chat/);
  await expect.poll(async () => (await here.tab.texts('dialog', en.window)).length).toBe(1);
  await here.tab.fill(en.message, 'On paper, please');
  await here.tab.press('Enter');
  await expect.poll(() => here.tab.texts('log')).toEqual([expect.stringContaining('On paper, please')]);
  await here.tab.eval(() => {
    const { append } = Element.prototype;
    // What a printer gets: never before the frame has come.
    Element.prototype.append = function (...nodes) {
      const [frame] = nodes;
      if (!(frame instanceof HTMLIFrameElement)) return append.apply(this, nodes);
      const come = new Promise((resolve) => frame.addEventListener('load', resolve));
      append.apply(this, nodes);
      const view = frame.contentWindow;
      if (!view) return;
      view.print = () =>
        void come.then(() => {
          Object.assign(window, { testPrinted: frame.contentDocument?.body.textContent });
          view.dispatchEvent(new Event('afterprint'));
        });
    };
  });
  await here.tab.click('button', /^More/);
  await here.tab.click('menuitem', en.print);
  await expect
    .poll(() => here.tab.eval(() => Reflect.get(window, 'testPrinted') as unknown))
    .toContain('On paper, please');
  await expect
    .poll(() =>
      here.tab.eval(
        () => document.querySelector('parley-chat')?.shadowRoot?.querySelectorAll('iframe').length,
      ),
    )
    .toBe(0);
});

/** Pages that hold on to the visitor: dialogs, popovers, whole screens, traps of the focus, of keys and of wheels. */
import { expect } from 'vitest';
import { english as en } from '../../../src/text/english.js';
import { type HostilePage, html, script, type Visit } from './page.js';

const dialog =
  '<main><h1>A shop</h1></main><dialog id="news"><h2>Newsletter</h2><button id="no">No, thank you</button></dialog>';
const sent = (visit: Visit) =>
  visit.until('the words are sent', ({ bubbles }) => bubbles.includes(`${visit.words} · sent`));

/** Keys do not reach the chat; the pointer does. */
const byPointer: HostilePage['instead'] = {
  async keyboard({ tab, until, open }) {
    await tab.click('button', en.closeChat);
    await until('the button closes the window', ({ panel }) => panel === null);
    await open();
  },
  async send(visit) {
    await visit.press(visit.words);
    await sent(visit);
    expect(await visit.count(visit.words)).toBe(1);
  },
};

export const layers: HostilePage[] = [
  {
    name: 'modal-before',
    does: 'a modal dialog of the page is open from the beginning',
    page: (site) =>
      html(site, {
        body: dialog,
        end: script(`news.showModal(); no.onclick = function () { news.close(); };`),
      }),
    async before({ tab, glance, until }) {
      await until('the launcher is there', ({ launcher }) => launcher !== null);
      // The page's dialog makes all the rest of the page inert, us as well.
      const { launcher } = await glance();
      const hit = await tab.eval(
        (x, y) => document.elementFromPoint(x, y)?.localName,
        (launcher?.x ?? 0) + 30,
        (launcher?.y ?? 0) + 30,
      );
      expect(hit).not.toBe('parley-chat');
      await tab.click('button', 'No, thank you');
    },
    degrades:
      'While a modal dialog of yours is open, the button cannot be pressed, as nothing else can; your dialog may call `parley.open()`.',
  },
  {
    name: 'modal-meanwhile',
    does: 'a modal dialog comes up while the visitor writes',
    page: (site) =>
      html(site, {
        body: dialog,
        end: script(
          `no.onclick = function () { news.close(); }; window.addEventListener('interrupt', function () { news.showModal(); });`,
        ),
      }),
    instead: {
      async send(visit) {
        const { tab, until, words } = visit;
        await tab.type(words.slice(0, 5));
        await tab.eval(() => void window.dispatchEvent(new Event('interrupt')));
        await until('the page’s dialog has the focus', ({ focus }) => focus === '');
        await tab.click('button', 'No, thank you');
        await until(
          'what was typed is there',
          ({ draft, panel }) => draft === words.slice(0, 5) && panel !== null,
        );
        await visit.press(words);
        await sent(visit);
      },
    },
  },
  {
    name: 'popovers',
    does: 'an automatic popover and a manual one of the page are open',
    page: (site) =>
      html(site, {
        body: `<main><h1>A shop</h1></main><div id="auto" popover>Menu</div><div id="stays" popover="manual">Cookies</div>`,
        end: script('auto.showPopover(); stays.showPopover();'),
      }),
  },
  {
    name: 'whole-screen',
    does: 'an element of the page fills the screen, and is left again',
    page: (site) =>
      html(site, {
        body: '<main><h1>A shop</h1><div id="film"><button id="leave">Leave</button></div><button id="fill">Whole screen</button></main>',
        end: script(
          'fill.onclick = function () { film.requestFullscreen(); }; leave.onclick = function () { document.exitFullscreen(); };',
        ),
      }),
    async before({ tab }) {
      await tab.click('button', 'Whole screen');
      await expect
        .poll(() => tab.eval(() => document.fullscreenElement?.id), { timeout: 15_000 })
        .toBe('film');
      await tab.click('button', 'Leave');
      await expect
        .poll(() => tab.eval(() => document.fullscreenElement === null), { timeout: 15_000 })
        .toBe(true);
    },
    degrades: 'While an element of yours fills the screen the button is behind it.',
  },
  {
    name: 'focus-trap',
    does: 'every focus outside of a box of the page is pulled back into it',
    page: (site) =>
      html(site, {
        body: '<main><h1>A shop</h1><div id="box"><button>In the box</button></div></main>',
        end: script(`
      document.addEventListener('focusin', function (event) { if (!box.contains(event.target)) box.firstChild.focus(); }, true);`),
      }),
    instead: {
      // Closing gives the focus back to the launcher, and the page takes it from there.
      async keyboard({ tab, until, open }) {
        await tab.press('Escape');
        await until('Escape closes the window', ({ panel }) => panel === null);
        await open();
        await until('the composer has the focus', ({ focus }) => focus === 'field');
      },
    },
    degrades:
      'A page that pulls every focus back to itself has it once the window is closed; the window takes it by being modal.',
    moved: true,
  },
  {
    name: 'inert-body',
    does: 'the body and all that is in it is inert and hidden from ears, as with the modals of libraries',
    page: (site) =>
      html(site, {
        end: script(
          `addEventListener('load', function () { document.body.inert = true; document.body.setAttribute('aria-hidden', 'true'); });`,
        ),
      }),
  },
  {
    name: 'keys-stopped',
    does: 'the page stops every key in its capture phase, for itself alone',
    page: (site) =>
      html(site, {
        head: script(
          `['keydown', 'keypress', 'keyup'].forEach(function (type) { window.addEventListener(type, function (event) { event.stopImmediatePropagation(); }, true); });`,
        ),
      }),
    instead: byPointer,
    degrades:
      'A page that stops keys before they arrive stops those of the chat, too: Enter and Escape then do not send and close, the buttons do.',
  },
  {
    name: 'keys-swallowed',
    does: 'the page prevents what every key would do',
    page: (site) =>
      html(site, {
        head: script(
          `window.addEventListener('keydown', function (event) { event.stopImmediatePropagation(); event.preventDefault(); }, true);`,
        ),
      }),
    instead: byPointer,
    degrades:
      'A page that stops keys before they arrive stops those of the chat, too: Enter and Escape then do not send and close, the buttons do.',
  },
  {
    name: 'shortcuts',
    does: 'letters, the slash and Escape are shortcuts of the page',
    page: (site) =>
      html(site, {
        head: script(`
      document.onkeydown = function (event) {
        if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
        if (/^[a-z?/]$/i.test(event.key) || event.key === 'Escape' || event.key.indexOf('Arrow') === 0) { document.title = 'shortcut'; return false; }
      };
      document.addEventListener('keyup', function (event) { if (/^[a-z]$/i.test(event.key)) document.title = 'shortcut'; });
      document.oncontextmenu = document.onselectstart = document.ondragstart = function () { return false; };
      document.onkeypress = function (event) { return event.target.tagName === 'INPUT' || !/^[a-z]$/i.test(event.key); };
      document.addEventListener('copy', function (event) { event.preventDefault(); });`),
      }),
  },
  {
    name: 'wheel-hijacked',
    does: 'the page scrolls itself smoothly and prevents every wheel and every drag of a finger',
    page: (site) =>
      html(site, {
        head: script(
          `['wheel', 'touchmove', 'mousewheel'].forEach(function (type) { window.addEventListener(type, function (event) { event.preventDefault(); }, { passive: false }); });`,
        ),
      }),
    instead: {
      async pointer({ tab, open, until }) {
        await open();
        await until('the composer has the focus', ({ focus }) => focus === 'field');
        const prevented = () =>
          tab.eval(() => {
            // The thread comes after the composer.
            const inside = document
              .querySelector('parley-chat')
              ?.shadowRoot?.querySelector('dialog.panel .scroll-area');
            const all = { bubbles: true, composed: true, cancelable: true };
            return (
              inside &&
              ['wheel', 'touchmove', 'mousewheel'].filter(
                (type) => !inside.dispatchEvent(new Event(type, all)),
              )
            );
          });
        // What browsers sent before there was a standard, they no longer obey.
        await expect.poll(prevented).toEqual(['mousewheel']);
      },
    },
  },
  {
    name: 'pointer-stopped',
    does: 'the page stops clicks and pointers in its capture phase where they are not on its own elements',
    page: (site) =>
      html(site, {
        head: script(
          `['click', 'pointerdown', 'mousedown', 'touchstart', 'focus'].forEach(function (type) { document.addEventListener(type, function (event) { if (!document.body.contains(event.target)) { document.title = 'outside'; event.cancelBubble = false; } }, true); });`,
        ),
      }),
  },
];

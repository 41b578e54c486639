/** Pages on which nothing can be kept, or less than usual; and pages that nobody looks at. */
import { expect } from 'vitest';
import { english as en } from '../../../src/text/english.js';
import { forgets } from './frames.js';
import { type HostilePage, html, script, scripted, tagOf } from './page.js';

const kept =
  'Where the browser keeps nothing (a sandboxed frame without `allow-same-origin`, blocked storage) the conversation lasts as long as the page, and the window says so.';
const refuse = (name: string) =>
  `Object.defineProperty(window, '${name}', { get: function () { throw new DOMException('The operation is insecure.', 'SecurityError'); } });`;

/** Whether the window was open is forgotten; the conversation is not. */
const reopened: HostilePage['instead'] = {
  async reload(visit) {
    await visit.again();
    await visit.open();
    await visit.until(
      'the conversation is there',
      ({ bubbles }) => bubbles.join() === [`${visit.words} · sent`, visit.answer].join(),
    );
  },
};

export const keeping: HostilePage[] = [
  {
    name: 'no-databases',
    does: 'there is no IndexedDB',
    page: scripted(`Object.defineProperty(window, 'indexedDB', { value: undefined });`),
  },
  {
    name: 'databases-fail',
    does: 'IndexedDB never answers',
    page: scripted(`IDBFactory.prototype.open = function () { return {}; };`),
  },
  {
    name: 'no-local-storage',
    does: 'reading localStorage throws',
    page: scripted(refuse('localStorage')),
    instead: reopened,
  },
  {
    name: 'nothing-kept',
    does: 'localStorage, sessionStorage, IndexedDB, caches, locks and channels are refused',
    page: scripted(
      `${refuse('localStorage')}${refuse('sessionStorage')}${refuse('indexedDB')}${refuse('caches')} Object.defineProperty(navigator, 'locks', { get: function () { throw new DOMException('no', 'SecurityError'); } }); window.BroadcastChannel = function () { throw new DOMException('no', 'SecurityError'); };`,
    ),
    instead: { reload: forgets },
    degrades: kept,
  },
  {
    name: 'full',
    does: 'the disk is full',
    page: scripted(`
      Storage.prototype.setItem = function () { throw new DOMException('full', 'QuotaExceededError'); };
      var put = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = function () {
        var request = put.apply(this, arguments), transaction = this.transaction;
        Object.defineProperty(transaction, 'error', { value: new DOMException('full', 'QuotaExceededError') });
        queueMicrotask(function () { try { transaction.abort(); } catch (e) {} });
        return request;
      };`),
    instead: {
      async send({ tab, until, words, count }) {
        await tab.type(words);
        await tab.press('Enter');
        await until(
          'it says so, and gives the words back',
          ({ says, draft }) => says.includes(en.notStored) && draft === words,
        );
        expect(await count(words)).toBe(0);
        await tab.fill(en.message, '');
      },
      answer: async () => {},
      async reload(visit) {
        await visit.again();
        await visit.open();
      },
      attach: async () => {},
    },
    degrades:
      'Where the disk is full, what cannot be kept is not sent: the words stay in the field, and the window says so.',
  },
  {
    name: 'swept',
    does: 'the page empties localStorage and sessionStorage as it pleases',
    page: scripted(`setInterval(function () { localStorage.clear(); sessionStorage.clear(); }, 400);`),
    instead: reopened,
  },
  {
    name: 'plain-http',
    does: 'the page came without TLS, so that much is missing',
    plain: true,
    page: (site) => html(site),
  },
  {
    name: 'cookies-refused',
    does: 'cookies cannot be read, the visitor asks for privacy, and time stands at another zone',
    page: scripted(
      `Object.defineProperty(document, 'cookie', { get: function () { throw new DOMException('no', 'SecurityError'); } }); Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }); Object.defineProperty(navigator, 'languages', { value: undefined }); Object.defineProperty(navigator, 'onLine', { value: undefined });`,
    ),
  },
  {
    name: 'background',
    does: 'the visitor leaves for another tab while they wait, and timers run once in a second',
    page: scripted(`
      var hidden = false, timeout = setTimeout;
      Object.defineProperty(Document.prototype, 'visibilityState', { get: function () { return hidden ? 'hidden' : 'visible'; } });
      Object.defineProperty(Document.prototype, 'hidden', { get: function () { return hidden; } });
      Document.prototype.hasFocus = function () { return !hidden; };
      window.setTimeout = function (work, ms) { return timeout(work, hidden ? Math.max(ms || 0, 1000) : ms); };
      window.addEventListener('leave', function () { hidden = true; document.dispatchEvent(new Event('visibilitychange')); window.dispatchEvent(new Event('blur')); });`),
    instead: {
      async answer({ tab, usual }) {
        // A page that nobody looks at opens no line; it keeps the one that it has.
        await expect.poll(() => tab.eval(() => window.parley?.status().line)).toBe('live');
        await tab.eval(() => void window.dispatchEvent(new Event('leave')));
        await usual.answer();
      },
    },
  },
  {
    name: 'prerendered',
    does: 'the page was made ready before the visitor went there',
    page: (site) => ({
      body: `<!doctype html><html lang="en"><title>Before</title><link rel="icon" href="data:,"><script type="speculationrules">{"prerender":[{"urls":["${site.path}next"],"eagerness":"immediate"}]}</script><a href="${site.path}next">Next</a></html>`,
    }),
    files: (site) => ({
      next: html(site, {
        head: script(
          `document.documentElement.setAttribute('data-prerendered', String(document.prerendering === true || performance.getEntriesByType('navigation')[0].activationStart > 0));`,
        ),
      }),
    }),
    async before({ tab }) {
      if ((await tab.eval(() => document.title)) !== 'Before') return;
      await tab.click('link', 'Next');
    },
  },
  {
    name: 'wrong-clock',
    does: 'the clock is a year behind and jumps',
    page: scripted(
      `(function () { var now = Date.now; Date.now = function () { return now() - 31536e6 + (Math.floor(performance.now() / 1500) % 2) * 36e5; }; })();`,
    ),
  },
  {
    name: 'random-stuck',
    does: 'Math.random is seeded and says the same to everybody',
    page: scripted(`Math.random = function () { return 0.5; };`),
  },
  {
    name: 'tag-on-load',
    does: 'the tag waits for the visitor’s first move',
    page: (site) =>
      html(site, {
        tag: '',
        head: script(`
      addEventListener('load', function () { setTimeout(function () { var t = document.createElement('script'); t.src = '${site.service}/parley.js?v=3&utm=x#frag'; t.dataset.baseUrl = '${site.service}/'; t.dataset.inboxIdentifier = 'demo-inbox'; document.body.appendChild(t); }, 200); });`),
        body: `<p>${tagOf(site).length}</p>`,
      }),
  },
];

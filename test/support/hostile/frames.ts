/** Pages in frames that may do little, and pages whose service worker stands between them and the world. */
import { english as en } from '../../../src/text/english.js';
import { type HostilePage, html, script, type Visit } from './page.js';

const boxed = (sandbox: string | undefined): Pick<HostilePage, 'framed' | 'page' | 'files' | 'noise'> => ({
  framed: true,
  noise: /^warning: An iframe which has both/,
  page: (site) => ({
    body: `<!doctype html><html lang="en"><title>A frame</title><link rel="icon" href="data:,"><body style="margin:0"><iframe title="A shop" ${sandbox === undefined ? '' : `sandbox="${sandbox}"`} src="${site.path}frame" width="1240" height="860"></iframe></body></html>`,
  }),
  files: (site) => ({ frame: html(site) }),
});

const worker = (work: string): Pick<HostilePage, 'page' | 'files'> => ({
  page: (site) =>
    html(site, {
      // The worker first: what it answers is the point.
      tag: script(`
        navigator.serviceWorker.register('${site.path}worker.js').then(function () { return navigator.serviceWorker.ready; }).then(function () {
          return navigator.serviceWorker.controller || new Promise(function (done) { navigator.serviceWorker.oncontrollerchange = done; });
        }).then(function () {
          var tag = document.createElement('script'); tag.src = '${site.service}/parley.js';
          tag.setAttribute('data-base-url', '${site.service}'); tag.setAttribute('data-inbox-identifier', 'demo-inbox');
          document.head.appendChild(tag);
        });`),
    }),
  files: () => ({
    'worker.js': {
      headers: { 'content-type': 'text/javascript' },
      body: `self.addEventListener('install', function () { self.skipWaiting(); });
self.addEventListener('activate', function (event) { event.waitUntil(self.clients.claim()); });
${work}`,
    },
  }),
});

/** Nothing outlives the page: it says so, and begins anew. */
export const forgets = async (visit: Visit): Promise<void> => {
  await visit.until('it says that nothing is kept', ({ says }) => says.includes(en.notKept));
  await visit.again();
  await visit.open();
  await visit.until('it begins anew', ({ bubbles, panel }) => panel !== null && bubbles.length === 0);
};

export const frames: HostilePage[] = [
  { name: 'framed', does: 'the page is in a frame of another one', ...boxed(undefined) },
  {
    name: 'sandbox-scripts',
    does: 'the page is in a frame that may run scripts, and nothing else',
    ...boxed('allow-scripts'),
    instead: { reload: forgets },
    degrades:
      'Where the browser keeps nothing (a sandboxed frame without `allow-same-origin`, blocked storage) the conversation lasts as long as the page, and the window says so.',
    noise: /sandboxed/,
  },
  {
    name: 'sandbox-origin',
    does: 'the page is in a frame that may run scripts and has its origin, but sends no forms',
    ...boxed('allow-scripts allow-same-origin'),
  },
  {
    name: 'sandbox-wide',
    does: 'the page is in a frame that may do almost everything',
    ...boxed('allow-scripts allow-same-origin allow-forms allow-popups allow-modals allow-downloads'),
  },
  {
    name: 'worker-passes',
    does: 'a service worker fetches everything itself',
    ...worker(
      `self.addEventListener('fetch', function (event) { event.respondWith(fetch(event.request)); });`,
    ),
  },
  {
    name: 'worker-keeps',
    does: 'a service worker answers from its cache whatever it has answered before',
    ...worker(`self.addEventListener('fetch', function (event) {
      if (event.request.method !== 'GET') return;
      event.respondWith(caches.open('all').then(function (cache) {
        return cache.match(event.request).then(function (kept) { return kept || fetch(event.request).then(function (answer) { cache.put(event.request, answer.clone()); return answer; }); });
      }));
    });`),
    instead: {
      async reload(visit) {
        await visit.again();
        await visit.until('what was said first is there', ({ bubbles }) =>
          bubbles.includes(`${visit.words} · sent`),
        );
      },
    },
    degrades:
      'A service worker that answers from its cache what was asked of the service shows old messages; let those requests pass.',
  },
  {
    name: 'worker-fails',
    does: 'a service worker fails at every request that is not for its own origin',
    ...worker(`self.addEventListener('fetch', function (event) {
      var own = new URL(event.request.url).origin === location.origin || event.request.url.indexOf('/parley.js') > 0;
      if (!own) event.respondWith(Promise.reject(new Error('not mine')));
    });`),
    instead: notFetched(),
    noise: /Failed to load|net::ERR_FAILED|not mine|FetchEvent|modulepreload|dynamically imported/i,
    degrades:
      'Where the files cannot be fetched the button says so at each press, and the next press tries again.',
  },
];

/** The launcher is there, says that nothing came, and stays. */
export function notFetched(): NonNullable<HostilePage['instead']> {
  const nothing = async () => {};
  return {
    async pointer({ tab, until }) {
      await tab.click('button', /^Open chat/);
      await until('the launcher says so', ({ says, panel }) => says.includes(en.notLoaded) && panel === null);
      await tab.click('button', /^Open chat/);
      await until('and once more', ({ says, focus }) => says.includes(en.notLoaded) && focus === 'launcher');
    },
    keyboard: nothing,
    send: nothing,
    answer: nothing,
    async reload(visit) {
      await visit.again();
      await visit.until('the launcher is there again', ({ launcher }) => launcher !== null);
    },
    attach: nothing,
    pick: nothing,
  };
}

/** Pages with policies: of content, of origins, of permissions, of referrers. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { english as en } from '../../../src/text/english.js';
import { forgets, notFetched } from './frames.js';
import { type HostilePage, html, monitor, type Site, tagOf } from './page.js';

const hash = (text: string | Buffer) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
const launcher = () => readFileSync(fileURLToPath(new URL('../../../dist/cdn/parley.js', import.meta.url)));
const sockets = (site: Site) => site.service.replace('http', 'ws');

/** @param policy the directives, for this site */
const policed = (policy: (site: Site) => string, tag?: (site: Site) => string) => (site: Site) => ({
  ...html(site, tag ? { tag: tag(site) } : {}),
  headers: { 'content-security-policy': policy(site) },
});
const nonced = (site: Site) => tagOf(site, ' nonce="{{nonce}}"');

export const policies: HostilePage[] = [
  {
    name: 'policy-nonce',
    does: 'scripts need a nonce, styles are forbidden, and types are trusted by nobody',
    page: policed(
      (site) =>
        `default-src 'none'; script-src 'nonce-{{nonce}}' 'strict-dynamic'; style-src 'none'; connect-src ${site.service} ${sockets(site)}; img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
      nonced,
    ),
  },
  {
    name: 'policy-hash',
    does: 'scripts need a hash, and bring their own',
    page: policed(
      (site) =>
        `default-src 'none'; script-src '${hash(monitor)}' '${hash(launcher())}' 'strict-dynamic'; style-src 'none'; connect-src ${site.service} ${sockets(site)}; img-src data:; require-trusted-types-for 'script'`,
      (site) => tagOf(site, ` integrity="${hash(launcher())}" crossorigin`),
    ),
  },
  {
    name: 'policy-hosts',
    does: 'scripts come from named hosts, and nothing else comes from anywhere',
    page: policed(
      (site) =>
        `default-src 'none'; script-src ${site.service} 'nonce-{{nonce}}'; connect-src ${site.service} ${sockets(site)}; img-src data:; require-trusted-types-for 'script'; trusted-types`,
    ),
  },
  {
    name: 'policy-no-line',
    does: 'the policy forgets the service among those that may be asked',
    page: policed(
      (site) => `script-src ${site.service} 'nonce-{{nonce}}'; connect-src 'self'; img-src data:`,
    ),
    noise: /Content Security Policy|violates|Refused|fetch|Parley: your policy must allow/i,
    instead: {
      async send({ tab, until, words }) {
        await tab.type(words);
        await tab.press('Enter');
        await until('it says that there is no connection', ({ says }) => says.includes(en.down));
        await until('and keeps the words', ({ bubbles }) =>
          bubbles.some((one) => one.startsWith(words) && !one.endsWith('sent')),
        );
      },
      answer: async () => {},
      async reload(visit) {
        expect(visit.outer.heard()).toContainEqual(
          expect.stringMatching(/^warning: Parley: your policy must allow http:\S+ in connect-src/),
        );
        await visit.again();
        await visit.until('the words are kept', ({ bubbles }) =>
          bubbles.some((one) => one.startsWith(visit.words)),
        );
      },
      attach: async () => {},
    },
    degrades:
      'A policy whose `connect-src` lacks the service looks like a line that is down: words are kept, and sent once it is mended; the console says what to allow.',
  },
  {
    name: 'policy-no-files',
    does: 'the policy allows the tag alone, and none of the files beside it',
    page: policed(
      (site) =>
        `script-src ${site.service}/parley.js 'nonce-{{nonce}}'; connect-src ${site.service} ${sockets(site)}; img-src data:`,
    ),
    noise: /Content Security Policy|violates|Refused|dynamically imported|Parley: your policy must allow/i,
    instead: notFetched(),
    degrades:
      'Where the files cannot be fetched the button says so at each press, and the next press tries again.',
  },
  {
    name: 'policy-sandbox',
    does: 'the policy puts the whole page into a sandbox',
    page: policed(() => `sandbox allow-scripts`),
    instead: { reload: forgets },
    noise: /sandboxed/,
    degrades:
      'Where the browser keeps nothing (a sandboxed frame without `allow-same-origin`, blocked storage) the conversation lasts as long as the page, and the window says so.',
  },
  {
    name: 'isolated',
    does: 'the page is isolated from all other origins',
    page: (site) => ({
      ...html(site),
      headers: {
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-embedder-policy': 'require-corp',
        'cross-origin-resource-policy': 'same-origin',
        'origin-agent-cluster': '?1',
      },
    }),
  },
  {
    name: 'permissions',
    does: 'every permission is refused',
    page: (site) => ({
      ...html(site),
      headers: {
        'permissions-policy':
          'microphone=(), camera=(), geolocation=(), clipboard-read=(), clipboard-write=(), autoplay=(), fullscreen=(), sync-xhr=(), web-share=(), unload=(), accelerometer=(), display-capture=()',
        'document-policy': 'force-load-at-top',
      },
    }),
    noise: /permissions policy|Unrecognized feature|Document-Policy/i,
  },
  {
    name: 'no-referrer',
    does: 'the page tells nobody where it is',
    page: (site) => ({
      ...html(site, {
        head: '<meta name="referrer" content="no-referrer"><meta http-equiv="x-dns-prefetch-control" content="off"><meta name="format-detection" content="telephone=no">',
      }),
      headers: {
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      },
    }),
  },
  {
    name: 'framed-to-death',
    does: 'a page that leaves frames, and forbids to be one',
    page: (site) => ({
      ...html(site, {
        head: '<script nonce="{{nonce}}">if (top !== self) top.location = self.location;</script>',
      }),
      headers: { 'content-security-policy': "frame-ancestors 'none'; upgrade-insecure-requests" },
    }),
  },
];

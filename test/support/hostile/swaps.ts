/** Pages that put other content, other bodies and other documents in the place of what is there; and how the tag gets onto them. */
import { expect } from 'vitest';
import { english as en } from '../../../src/text/english.js';
import { type HostilePage, html, script, tagOf } from './page.js';

const loaded = (work: string) => script(`addEventListener('load', function () { ${work} });`);

/** There is no chat to do it with. */
const nothing = async () => {};

export const swaps: HostilePage[] = [
  {
    name: 'body-replaced',
    does: 'the body is replaced by another one, again and again, as Turbo does it',
    page: (site) =>
      html(site, {
        head: loaded(`
      var left = 8, swap = function () {
        var body = document.createElement('body'); body.innerHTML = '<main><h1>A shop</h1><p>Page ' + left + '</p></main>';
        if (left % 2) document.body = body; else document.documentElement.replaceChild(body, document.body);
        if (--left) setTimeout(swap, 150);
      }; swap();`),
      }),
  },
  {
    name: 'head-swept',
    does: 'the head is merged with another one: unknown links, scripts and styles are thrown out',
    page: (site) =>
      html(site, {
        head: script(`
      new MutationObserver(function (changes) { changes.forEach(function (change) { change.addedNodes.forEach(function (node) {
        if (node.nodeType === 1 && node.localName === 'link') node.remove();
      }); }); }).observe(document.head, { childList: true });`),
      }),
  },
  {
    name: 'root-rewritten',
    does: 'the inside of the root is written anew while the visitor writes',
    page: (site) =>
      html(site, {
        head: script(`window.addEventListener('rewrite', function () {
          document.documentElement.innerHTML = '<head><title>B shop</title></head><body><main><h1>Another page</h1></main></body>';
        });`),
      }),
    instead: {
      async send({ tab, until, usual }) {
        await tab.type('half a sentence');
        await until('the draft is there', ({ draft }) => draft === 'half a sentence');
        await tab.eval(() => void window.dispatchEvent(new Event('rewrite')));
        await until(
          'the chat is back as it was',
          ({ hosts, panel, draft }) => hosts === 1 && panel !== null && draft === 'half a sentence',
        );
        await tab.fill(en.message, '');
        await usual.send();
      },
    },
  },
  {
    name: 'document-written',
    does: 'another document, with the tag in it, is written over the first one, once the chat is destroyed',
    degrades:
      'A page that writes another document over itself calls `parley.destroy()` before, because the browser takes every listener away with the first one.',
    page: (site) =>
      html(site, {
        head: script(`addEventListener('load', function () {
          setTimeout(function () {
            if (window.parley) parley.destroy();
            document.open();
            document.write(${JSON.stringify(`<!doctype html><html lang="en" data-written><head><title>B shop</title>${tagOf(site)}</head><body><h1>Another page</h1></body></html>`).replaceAll('</script>', '<\\/script>')});
            document.close();
          }, 100);
        });`),
      }),
    async before({ tab, until }) {
      const written = () => tab.eval(() => document.documentElement.hasAttribute('data-written'));
      await expect.poll(written, { timeout: 15_000 }).toBe(true);
      await until('the chat is there', ({ launcher }) => launcher !== null);
    },
  },
  {
    name: 'remover',
    does: 'an observer removes every element it does not know, at once and always',
    page: (site) =>
      html(site, {
        head: script(`
      var removed = 0;
      new MutationObserver(function (changes) { changes.forEach(function (change) { change.addedNodes.forEach(function (node) {
        if (node.nodeType === 1 && (node.localName.indexOf('-') > 0 || node instanceof HTMLUnknownElement)) { removed++; document.documentElement.setAttribute('data-removed', removed); node.remove(); }
      }); }); }).observe(document, { childList: true, subtree: true });`),
      }),
    instead: {
      async pointer({ tab, until }) {
        const removed = () => tab.eval(() => Number(document.documentElement.getAttribute('data-removed')));
        // It comes some moments after its calls are there.
        await expect.poll(removed).toBeGreaterThan(0);
        await until('the chat has been there', ({ hosts, global }) => global && hosts === 0);
        const before = await removed();
        await tab.eval(() => new Promise((done) => requestIdleCallback(() => setTimeout(done))));
        expect(await removed()).toBe(before);
        expect(before).toBeLessThan(20);
      },
      keyboard: nothing,
      send: nothing,
      answer: nothing,
      reload: ({ again }) => again(),
      attach: nothing,
      pick: nothing,
    },
    degrades: 'Where a page removes every element it does not know, the chat stays away.',
  },
  {
    name: 'late-tag',
    does: 'a tag manager puts the tag into a page that is long complete',
    page: (site) =>
      html(site, {
        tag: '',
        head: loaded(`
      setTimeout(function () {
        var tag = document.createElement('script'); tag.async = true; tag.src = '${site.service}/parley.js';
        tag.setAttribute('data-base-url', '${site.service}'); tag.setAttribute('data-inbox-identifier', 'demo-inbox');
        var first = document.getElementsByTagName('script')[0]; first.parentNode.insertBefore(tag, first);
      }, 300);`),
      }),
  },
  {
    name: 'tag-in-the-body',
    does: 'the tag stands in the body, deferred, and takes itself out once it has loaded',
    page: (site) =>
      html(site, {
        tag: '',
        body: `<main><h1>A shop</h1></main>${tagOf(site).replace('async', 'defer onload="this.remove()"')}`,
      }),
  },
  {
    name: 'tag-twice',
    does: 'the tag is there twice, and a copy of it comes later',
    noise: /^warning: Parley: remove the second tag/,
    page: (site) =>
      html(site, {
        tag: tagOf(site) + tagOf(site),
        head: loaded(`
      setTimeout(function () {
        var one = document.querySelector('script[data-inbox-identifier]'), copy = document.createElement('script');
        for (var i = 0; i < one.attributes.length; i++) copy.setAttribute(one.attributes[i].name, one.attributes[i].value);
        document.head.appendChild(copy); document.head.appendChild(one.cloneNode(true));
      }, 300);`),
      }),
  },
];

/** Pages whose elements carry the names of what scripts lean on, and documents of another kind. */
import { type HostilePage, html, monitor, script, tagOf } from './page.js';

const field = (name: string) => `<input name="${name}" id="${name}">`;

export const names: HostilePage[] = [
  {
    name: 'clobbered',
    does: 'forms and pictures are called parley, body, head, currentScript and the like',
    page: (site) =>
      html(site, {
        body: `<main><h1>A shop</h1>
<form id="parley" name="parley">${['open', 'close', 'toggle', 'mount'].map(field).join('')}</form>
${['body', 'head', 'activeElement', 'scripts', 'title', 'cookie', 'visibilityState', 'hidden', 'location', 'fonts', 'implementation', 'readyState'].map((name) => `<img name="${name}" alt="" src="data:,">`).join('')}
${['currentScript', 'fetch', 'localStorage', 'indexedDB', 'navigator', 'crypto', 'performance', 'history', 'customElements', 'visualViewport', 'matchMedia', 'chat', 'window', 'self', 'top', 'parent', 'frames'].map((id) => `<a id="${id}" name="${id}">${id}</a>`).join(' ')}
</main>`,
        // The tag comes after them.
        tag: '',
        end: tagOf(site),
      }),
    noise: /data:,/,
  },
  { name: 'quirks', does: 'the page has no doctype', page: (site) => html(site, { doctype: '' }) },
  {
    name: 'frameset-doctype',
    does: 'the page is almost standard, with tables and fonts',
    page: (site) =>
      html(site, {
        doctype:
          '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">',
        body: '<center><font size=7 color=red><table width="100%" border=1 cellpadding=9><tr><td nowrap><h1>A shop</h1></table></font></center>',
      }),
  },
  {
    name: 'xhtml',
    does: 'the page is XHTML, served as XML',
    page: (site) => ({
      headers: { 'content-type': 'application/xhtml+xml; charset=utf-8' },
      body: `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en" lang="en"><head><title>A shop</title>
<link rel="icon" href="data:,"/>
<script>${monitor}</script>
${tagOf(site).replace('async', 'async="async"')}
</head><body><h1>A shop</h1><p>Lamps, mugs and blankets.</p></body></html>`,
    }),
    instead: {
      // The drivers know an input by its name in capitals; names of XML have none.
      async attach({ tab, until, press }) {
        await tab.eval(() => {
          const input = document.querySelector('parley-chat')?.shadowRoot?.querySelector('input[type=file]');
          const chosen = new DataTransfer();
          chosen.items.add(new File(['boots, hats'], 'xhtml.txt', { type: 'text/plain' }));
          if (input instanceof HTMLInputElement) input.files = chosen.files;
          input?.dispatchEvent(new Event('change', { bubbles: true }));
        });
        await until('the file is in the tray', ({ text }) => text.includes('xhtml.txt'));
        await press('File on xhtml');
        await until('it is sent', ({ bubbles }) => bubbles.includes('File on xhtml · sent'));
      },
    },
  },
  {
    name: 'base-href',
    does: 'a base leads every relative address elsewhere',
    page: (site) => html(site, { head: `<base href="https://elsewhere.invalid/deep/folder/">` }),
  },
  {
    name: 'base-target',
    does: 'a base opens every link and form in another window',
    page: (site) => html(site, { head: '<base target="_blank">' }),
  },
  {
    name: 'foreign-language',
    does: 'the language of the page is none, twice, and no tag at all',
    page: (site) => html(site, { lang: 'x-klingon_!!', root: 'xml:lang="de"' }),
  },
  {
    name: 'translated',
    does: 'the page is translated by a machine, which puts every text into an element of its own',
    page: (site) =>
      html(site, {
        head: script(`
      function translate(node) {
        if (node.nodeType === 3 && node.data.trim() && node.parentNode && node.parentNode.localName !== 'font' && !/script|style|textarea/i.test(node.parentNode.localName)) {
          var font = document.createElement('font'); node.parentNode.replaceChild(font, node); font.appendChild(node);
        } else for (var i = 0; i < node.childNodes.length; i++) translate(node.childNodes[i]);
      }
      new MutationObserver(function (changes) { changes.forEach(function (c) { c.addedNodes.forEach(translate); }); }).observe(document, { childList: true, subtree: true });`),
      }),
  },
];

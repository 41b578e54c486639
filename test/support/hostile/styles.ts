/** Pages whose style sheets reach for everything, and whose root or body is no ordinary one. */
import { expect } from 'vitest';
import { type HostilePage, html, style, styled } from './page.js';

/** The window is there and can be used, wherever the page's own geometry has put the launcher. */
export const styles: HostilePage[] = [
  {
    name: 'unset',
    does: 'every element is unset, with importance',
    page: styled('* { all: unset !important } head, head *, script { display: none !important }'),
  },
  {
    name: 'undefined-hidden',
    does: 'elements that nobody has defined are not displayed, and ours by name neither',
    page: styled(
      ':not(:defined), parley-chat, html > :not(head, body) { display: none !important; visibility: hidden !important; opacity: 0 !important; transform: scale(0) !important; clip-path: inset(50%) !important; content-visibility: hidden !important }',
    ),
  },
  {
    name: 'root-625',
    does: 'the root has 62.5 % of the letters’ size',
    page: styled('html { font-size: 62.5% } body { font-size: 1.6rem }'),
  },
  {
    name: 'root-huge',
    does: 'the root has letters of 48 px, with importance on everything',
    page: styled(
      'html, html * { font-size: 48px !important; line-height: 3 !important; letter-spacing: 4px !important; word-spacing: 20px !important; text-transform: uppercase !important }',
    ),
  },
  {
    name: 'everything-forced',
    does: 'display, position, float, margin, sizes and events of every element are forced',
    page: styled(
      '* { display: block !important; position: relative !important; float: left !important; margin: 9px !important; padding: 7px !important; max-width: 50px !important; pointer-events: none !important; user-select: none !important; transition: all 4s !important; filter: invert(1) !important; box-sizing: content-box !important } head, head * { display: none !important }',
    ),
    moved: true,
  },
  {
    name: 'rtl',
    does: 'the page is written from right to left',
    page: styled('body { text-align: right }', { dir: 'rtl' }),
  },
  {
    name: 'vertical',
    does: 'the page is written from top to bottom',
    page: styled('html { writing-mode: vertical-rl; text-orientation: upright }'),
  },
  {
    name: 'body-transformed',
    does: 'the body is transformed, filtered and clips, in a root that clips, too',
    page: styled(
      'html { height: 100%; overflow: hidden } body { height: 100%; margin: 0; overflow: hidden; transform: translateZ(0); filter: saturate(0.9); perspective: 500px; will-change: transform }',
    ),
  },
  {
    name: 'root-transformed',
    does: 'the root itself is transformed, so that nothing stands still in the view',
    page: styled('html { transform: translateZ(0) }'),
    moved: true,
    instead: {
      async pointer({ glance, open }) {
        // At the end of the page: the visitor scrolls there.
        const beyond = async () => {
          const { launcher, view } = await glance();
          return launcher ? launcher.y + launcher.height - view.height : 0;
        };
        await expect.poll(beyond).toBeGreaterThan(0);
        await open();
      },
    },
    degrades:
      'Where the root element itself is transformed, filtered or contained, nothing is fixed to the view: the button stands at the end of the page.',
  },
  {
    name: 'body-contained',
    does: 'the body is contained as strictly as can be',
    page: styled(
      'body { contain: strict; height: 100vh; width: 100vw; margin: 0; content-visibility: auto; container-type: size }',
    ),
  },
  { name: 'zoomed', does: 'the body is zoomed, and the root a little', page: styled('body { zoom: 1.7 }') },
  {
    name: 'locked',
    does: 'the page is locked in place as modals of frameworks do it',
    page: styled(
      'html { overflow: hidden !important; scrollbar-gutter: stable; touch-action: none } body { position: fixed; top: -300px; width: 100%; overflow-y: scroll; pointer-events: none; user-select: none }',
    ),
  },
  {
    name: 'flicker',
    does: 'the page hides itself until a script that measures has come',
    page: (site) =>
      html(site, {
        root: 'class="wait"',
        head: `${style('.wait { opacity: 0 !important; visibility: hidden !important }')}<script nonce="{{nonce}}">setTimeout(function () { document.documentElement.className = ''; }, 300)</script>`,
      }),
  },
  {
    name: 'highest',
    does: 'a bar with the highest z-index there is lies over the page',
    page: (site) =>
      html(site, {
        head: style(
          '.bar { position: fixed; inset: auto 0 0; height: 40px; background: #ff0; z-index: 2147483647; opacity: 0.9; pointer-events: none }',
        ),
        end: '<div class="bar">Winter sale</div>',
      }),
  },
  {
    name: 'layers-of-css',
    does: 'everything is in cascade layers, and those are important',
    page: styled(
      '@layer reset, all; @layer all { * { color: red !important; border-radius: 0 !important } } @layer reset { *, ::before, ::after { margin: 0 !important; inset: auto !important } } @property --accent { syntax: "<color>"; inherits: true; initial-value: red } @property --line { syntax: "*"; inherits: true }',
    ),
  },
  {
    name: 'printed',
    does: 'the page prints itself, and looks like paper on the screen',
    page: (site) =>
      html(site, {
        head: '<style media="print">* { display: none !important }</style><style>@page { size: A4 } body { width: 21cm; margin: auto; columns: 2 }</style><script nonce="{{nonce}}">window.print = function () {}; addEventListener("load", function () { window.print(); dispatchEvent(new Event("beforeprint")); dispatchEvent(new Event("afterprint")); })</script>',
      }),
  },
];

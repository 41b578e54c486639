/** Pages whose scripts came first and changed what every later script stands on. */
import {
  json2,
  measured,
  mootools,
  oldFetch,
  oldPromise,
  prototype16,
  socketWrapped,
  xhrProxy,
  zone,
} from './old-libraries.js';
import { type HostilePage, scripted } from './page.js';

const freeze = (which: string) => `[${which}].forEach(function (one) { Object.freeze(one); });`;

export const scripts: HostilePage[] = [
  {
    name: 'prototype-1-6',
    does: 'Prototype 1.6 with its toJSON, map, reduce, bind and Element methods',
    page: scripted(prototype16),
  },
  {
    name: 'mootools',
    does: 'MooTools, whose Array.from, Event and Element take the place of the browser’s',
    page: scripted(mootools),
  },
  { name: 'old-fetch', does: 'fetch is a polyfill over XMLHttpRequest', page: scripted(oldFetch) },
  {
    name: 'measured',
    does: 'fetch, XMLHttpRequest, pushState and addEventListener are wrapped by those who measure',
    page: scripted(measured),
  },
  {
    name: 'xhr-facade',
    does: 'XMLHttpRequest is a plain object that stands before the real one',
    page: scripted(xhrProxy),
  },
  { name: 'socket-proxy', does: 'WebSocket returns a proxy of the real one', page: scripted(socketWrapped) },
  {
    name: 'socket-refused',
    does: 'WebSocket throws, whatever it is asked',
    page: scripted(`window.WebSocket = function () { throw new Error('no sockets here'); };`),
    degrades:
      'Without WebSocket answers come by asking: within half a minute while the window is open, within three minutes while it is closed, and about every twenty minutes in a page that has long been hidden; `calm` takes four times as long while it is seen.',
  },
  {
    name: 'zone',
    does: 'timers return objects, promises are a library’s own, as zone.js has it',
    page: scripted(zone),
  },
  {
    name: 'old-promise',
    does: 'Promise is a library without finally, allSettled and any',
    page: scripted(oldPromise),
  },
  { name: 'json2', does: 'JSON is json2.js of 2007', page: scripted(json2) },
  {
    name: 'slow-timers',
    does: 'no timer runs sooner than a second, as in a page behind others',
    page: scripted(
      `(function () { var native = setTimeout; window.setTimeout = function (work, ms) { var args = [].slice.call(arguments); args[1] = Math.max(1000, ms || 0); return native.apply(window, args); }; })();`,
    ),
  },
  {
    name: 'no-frames',
    does: 'requestAnimationFrame and requestIdleCallback never call, as in a page that is not drawn',
    page: scripted(
      `window.requestAnimationFrame = function () { return 1; }; window.requestIdleCallback = function () { return 1; };`,
    ),
  },
  {
    name: 'console-broken',
    does: 'every method of the console throws',
    page: scripted(
      `['log', 'warn', 'error', 'info', 'debug'].forEach(function (n) { console[n] = function () { throw new Error('no console'); }; });`,
    ),
  },
  {
    name: 'object-polluted',
    does: 'Object.prototype has enumerable members with the names that options have',
    page: scripted(`
      ['inherits', 'extend', 'keys', 'each', 'clone', 'mode', 'body', 'headers', 'method', 'nonce', 'once', 'capture', 'passive', 'is', 'key', 'ref', 'options', 'detail', 'files', 'type', 'id', 'name', 'status', 'children', 'style', 'fields', 'reason', 'identifier']
        .forEach(function (name) { Object.prototype[name] = function () { return name; }; });`),
  },
  {
    name: 'array-polluted',
    does: 'Array.prototype has enumerable members, and a find, flat, includes and at of another time',
    page: scripted(`
      Array.prototype.remove = function (x) { var i = this.indexOf(x); if (i >= 0) this.splice(i, 1); return this; };
      Array.prototype.unique = function () { return this.filter(function (x, i, all) { return all.indexOf(x) === i; }); };
      Array.prototype.isArray = true;
      Array.prototype.flat = function () { return [].concat.apply([], this); };
      Array.prototype.find = function (f) { for (var i = 0; i < this.length; i++) if (f(this[i])) return this[i]; };
      Array.prototype.includes = function (x) { return this.indexOf(x) !== -1; };
      Array.prototype.at = function (i) { return this[i < 0 ? this.length + i : i]; };
      Array.prototype.max = function () { return Math.max.apply(Math, this); };
      String.prototype.trim = function () { return this.replace(/^\\s+|\\s+$/g, ''); };
      String.prototype.format = function () { return this; };
      Number.prototype.format = function () { return String(this); };
      Date.prototype.format = function () { return String(this); };`),
  },
  {
    name: 'elements-polluted',
    does: 'Node, Element and Event prototypes have enumerable members, and some of theirs are wrapped',
    page: scripted(`
      [Node, Element, HTMLElement, Event, EventTarget].forEach(function (owner) {
        ['getStyle', 'on', 'off', 'trigger', 'css', 'attr', 'data', 'val', 'props', 'state', 'context', 'render', 'base'].forEach(function (name) { owner.prototype[name] = function () { return this; }; });
      });
      ['appendChild', 'insertBefore', 'removeChild'].forEach(function (name) {
        var native = Node.prototype[name];
        Node.prototype[name] = function (child) { if (!(child instanceof Node)) throw new TypeError(name); return native.apply(this, arguments); };
      });
      var set = Element.prototype.setAttribute;
      Element.prototype.setAttribute = function (name, value) { return set.call(this, String(name), String(value)); };`),
  },
  {
    name: 'frozen',
    does: 'the prototypes of objects, arrays, functions, errors and promises are frozen',
    page: scripted(
      freeze(
        'Object.prototype, Array.prototype, Function.prototype, Error.prototype, Promise.prototype, Map.prototype, Set.prototype, RegExp.prototype, Date.prototype, String.prototype',
      ),
    ),
  },
  {
    name: 'locked-down',
    does: 'all intrinsics are frozen through and through, as SES does it',
    page: scripted(`
      (function () {
        var seen = new Set();
        function harden(value) {
          if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
          seen.add(value);
          Object.freeze(value);
          Reflect.ownKeys(value).forEach(function (key) { var d = Object.getOwnPropertyDescriptor(value, key); harden(d.value); harden(d.get); harden(d.set); });
          harden(Object.getPrototypeOf(value));
        }
        delete Error.captureStackTrace; delete Error.stackTraceLimit; delete RegExp.input;
        [Object, Function, Array, String, Number, Boolean, Symbol, Error, TypeError, RangeError, SyntaxError, Promise, Map, Set, WeakMap, WeakSet, RegExp, Date, JSON, Reflect, Proxy, ArrayBuffer, Uint8Array, Math,
          (function* () {}).constructor, (async function () {}).constructor, [][Symbol.iterator]().constructor].forEach(harden);
        harden(Object.getPrototypeOf([][Symbol.iterator]()));
        harden(Object.getPrototypeOf(function* () {}));
        harden(Object.getPrototypeOf(async function () {}));
      })();`),
  },
  {
    name: 'module-globals',
    does: 'define.amd, module, exports, require and process stand in the page',
    page: scripted(`
      window.define = function () { throw new Error('an anonymous define'); }; window.define.amd = {};
      window.module = { exports: {} }; window.exports = window.module.exports;
      window.require = function () { throw new Error('no such module'); };
      window.process = { env: {}, versions: { node: '20' }, browser: false }; window.global = window; window.Buffer = function () {};`),
  },
  {
    name: 'old-polyfills',
    does: 'Object.assign, entries, URL, Symbol helpers and the observers are old polyfills',
    page: scripted(`
      Object.assign = function (to) { for (var i = 1; i < arguments.length; i++) for (var n in arguments[i]) if (Object.prototype.hasOwnProperty.call(arguments[i], n)) to[n] = arguments[i][n]; return to; };
      Object.entries = function (o) { var r = []; for (var n in o) if (Object.prototype.hasOwnProperty.call(o, n)) r.push([n, o[n]]); return r; };
      Object.values = function (o) { return Object.entries(o).map(function (e) { return e[1]; }); };
      Object.fromEntries = function (list) { var o = {}; Array.prototype.slice.call(list).forEach(function (e) { o[e[0]] = e[1]; }); return o; };
      String.prototype.replaceAll = function (a, b) { return this.split(a).join(b); };
      Array.prototype.flatMap = function (f) { return [].concat.apply([], this.map(f)); };
      NodeList.prototype.forEach = Array.prototype.forEach;
      Element.prototype.closest = function (s) { var e = this; do { if (e.matches(s)) return e; e = e.parentElement; } while (e); return null; };
      Element.prototype.remove = function () { if (this.parentNode) this.parentNode.removeChild(this); };
      Element.prototype.append = function () { for (var i = 0; i < arguments.length; i++) this.appendChild(arguments[i] instanceof Node ? arguments[i] : document.createTextNode(String(arguments[i]))); };
      (function () { var native = Element.prototype.toggleAttribute; Element.prototype.toggleAttribute = function (n, on) { return native.call(this, n, on === undefined ? !this.hasAttribute(n) : !!on); }; })();
      delete window.BroadcastChannel; delete window.IntersectionObserver;
      Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });`),
  },
  {
    name: 'dollar',
    does: 'jQuery, Dojo and lodash have left their short names, and the page its own chat',
    page: scripted(`
      var $ = function () { return $; }, jQuery = $, _ = { noConflict: function () {} }, dojo = {}, goog = {}, Polymer = {}, angular = {}, h = 1, render = 2, options = 3, chat = {}, app = {}, store = {}, name = 'shop', status = 'ok', event2 = 1;
      window.__PREACT_DEVTOOLS__ = { attachPreact: function () { throw new Error('not yours'); } };
      window.nanostoresGlobal = { epoch: 'none' };`),
  },
  {
    name: 'registry',
    does: 'createElement and the registry of elements are a library’s, which throws at names it does not know',
    page: scripted(`
      (function () {
        var define = customElements.define.bind(customElements), get = customElements.get.bind(customElements), made = document.createElement;
        customElements.define = function (name, made, options) { if (get(name)) throw new Error('twice'); return define(name, made, options); };
        customElements.get = function (name) { return get(name); };
        Document.prototype.createElement = function (name, options) {
          var element = made.call(this, name, options);
          if (String(name).indexOf('-') > 0) element.setAttribute('data-upgraded', '');
          return element;
        };
        document.createElement = Document.prototype.createElement;
        var ns = Document.prototype.createElementNS;
        Document.prototype.createElementNS = function (space, name, options) { return options === undefined ? ns.call(this, space, name) : ns.call(this, space, name, options); };
      })();`),
  },
  {
    name: 'shadow-patched',
    does: 'attachShadow is wrapped and puts a style and an observer of its own into every root',
    page: scripted(`
      (function () {
        var attach = Element.prototype.attachShadow;
        Element.prototype.attachShadow = function (init) {
          var root = attach.call(this, init);
          var style = document.createElement('style');
          style.className = 'night-reader';
          style.textContent = ':host { --night: 1 } * { transition: none }';
          root.insertBefore(style, root.firstChild);
          new MutationObserver(function () { if (style.parentNode !== root) root.insertBefore(style, root.firstChild); }).observe(root, { childList: true });
          return root;
        };
        Object.defineProperty(Element.prototype, 'attachShadow', { writable: false });
      })();`),
  },
  {
    name: 'little-intl',
    does: 'Intl knows no language by name, and neither lists nor spans of time',
    page: scripted(`
      delete Intl.RelativeTimeFormat; delete Intl.ListFormat; delete Intl.DisplayNames; delete Intl.Segmenter; delete Intl.DurationFormat;
      ['DateTimeFormat', 'NumberFormat', 'PluralRules'].forEach(function (name) {
        var Native = Intl[name];
        Intl[name] = function (locale, options) {
          return new Native('en-US', options);
        };
        Intl[name].supportedLocalesOf = function () { return []; };
      });`),
  },
  {
    name: 'no-constructed-sheets',
    does: 'style sheets cannot be constructed, as in browsers of some years ago',
    page: scripted(
      `delete Document.prototype.adoptedStyleSheets; delete ShadowRoot.prototype.adoptedStyleSheets; CSSStyleSheet.prototype.replaceSync = undefined; window.CSSStyleSheet = function () { throw new TypeError('Illegal constructor'); };`,
    ),
  },
  {
    name: 'no-popover',
    does: 'there are neither popovers nor visual viewports',
    page: scripted(
      `delete HTMLElement.prototype.showPopover; delete HTMLElement.prototype.hidePopover; delete HTMLElement.prototype.togglePopover; Object.defineProperty(window, 'visualViewport', { value: null });`,
    ),
  },
  {
    name: 'late-thief',
    does: 'fetch, XMLHttpRequest, sockets, chance and time are replaced by ones that throw, once the chat is there',
    page: scripted(`
      window.addEventListener('steal', function () {
        var no = function () { throw new Error('stolen'); };
        window.fetch = window.WebSocket = window.XMLHttpRequest = window.BroadcastChannel = no;
        Math.random = Date.now = no;
      });`),
    instead: {
      async send({ tab, usual }) {
        await tab.eval(() => void window.dispatchEvent(new Event('steal')));
        await usual.send();
      },
    },
  },
];

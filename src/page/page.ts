/**
 * The chat as a page of its own, for links and for web views: without a launcher, open at once, in the visitor's
 * language. Options come from the page itself, from its address and from an app around it. It does not know what they
 * mean, nor how an app talks.
 */
import later from 'virtual:parley-page';
import type { Bridge } from '../bridge/bridge.js';
import { hasHost, isAlone, portOfApp } from '../bridge/host.js';
import type { Need } from '../bridge/messages.js';
import { kept, mount } from '../embed/mount.js';
import { readOptions } from '../embed/options.js';
import { createSeat } from '../embed/seat.js';
import { createOpener } from '../loader.js';
import type { Parley } from '../parley.js';
import { readAddress, without } from './address.js';
import { fillView } from './view.js';

const tag = document.currentScript;
if (tag instanceof HTMLScriptElement) void start(tag);

async function start({ src, dataset }: HTMLScriptElement): Promise<void> {
  const root = document.documentElement;
  const place = document.querySelector<HTMLElement>('#chat');
  if (!place) return;
  fillView(place);
  // What the visitor writes here is about the page that led here.
  place.dataset.cameFrom = document.referrer;
  const base = new URL('..', src).href;
  const { search, pathname } = window.location;
  const address = readAddress(search);
  const port = address.bridge === 'port' && isAlone() ? portOfApp() : undefined;
  if (address.refused.length) {
    console.warn(
      `Parley: ${address.refused.map((name) => `"${name}"`).join(', ')} must not stand in an address, which others can read: an app hands it over by the bridge, with "identify".`,
    );
    history.replaceState(history.state, '', pathname + without(search, address.refused));
  }

  const seat = createSeat();
  let chat: Parley | undefined;
  /** What an app asks for before there is a chat waits for it. */
  const waiting: ((chat: Parley) => void)[] = [];
  let bridge: Bridge | undefined;
  let named: string | undefined;
  let watch: MutationObserver | undefined;

  function begin(options: Readonly<Record<string, unknown>>): string {
    // Whoever owns the page has the last word over a link, and an app over the page it shows.
    const all: Record<string, unknown> = {
      baseUrl: window.location.origin,
      ...address.options,
      ...dataset,
      ...options,
    };
    // There is no launcher to hide, and a page that shows nothing looks broken.
    if (all.outsideHours === 'hide') all.outsideHours = 'say';
    chat?.destroy();
    // The visitor's own languages, in their order; the page says its language once it is spoken.
    if (!all.locale) root.removeAttribute('lang');
    root.dataset.scheme = `${all.scheme ?? 'auto'}`;
    // An app that waits for leave is no failure either. Whoever has written before has given it.
    root.dataset.state = all.connect === 'allow' && !kept(readOptions(all).scope) ? 'waiting' : 'begun';
    chat = seat(all, (calls) => {
      const mounted = mount({ ...all, inside: place }, base, undefined, undefined, calls);
      const { allow } = mounted;
      mounted.allow = async (level) => {
        const answer = await allow(level);
        if (answer.ok && root.dataset.state === 'waiting') root.dataset.state = 'begun';
        return answer;
      };
      return mounted;
    });
    chat.on('open', () => {
      root.dataset.state = 'open';
      speak(typeof all.title === 'string' ? all.title : undefined, all.locale !== undefined);
    });
    chat.on('close', () => {
      // A frame whose window could not be fetched is none: the way elsewhere is shown again.
      const { shadowRoot } = document.querySelector('parley-chat') ?? {};
      if (!shadowRoot?.querySelector('dialog [role=status]')) root.dataset.state = 'begun';
    });
    bridge?.follow(chat);
    for (const go of waiting.splice(0)) go(chat);
    return readOptions(all).wrong;
  }

  /**
   * The page has the title, the language and the direction of the chat in it.
   * @param chosen nobody asks the page for its language
   */
  function speak(title: string | undefined, chosen: boolean) {
    const { shadowRoot } = document.querySelector('parley-chat') ?? {};
    const look = () => {
      // What comes before the window does not know which language there is, and the window asks the page for it.
      const early = !chosen && shadowRoot?.querySelector('.close[lang]');
      const spoken = !early && shadowRoot?.querySelector<HTMLElement>('.root[lang]');
      const label = shadowRoot?.querySelector('dialog')?.getAttribute('aria-label');
      if (spoken) {
        root.lang = spoken.lang;
        root.dir = spoken.dir;
      }
      // What the window says itself has no language of its own.
      const name = shadowRoot?.querySelector('h2[lang]')?.textContent || title?.trim() || label;
      // Once: before it may stand how many messages are new.
      if (name && name !== named) document.title = named = name;
    };
    look();
    watch?.disconnect();
    watch = new MutationObserver(look);
    if (shadowRoot)
      watch.observe(shadowRoot, {
        subtree: true,
        childList: true,
        attributeFilter: ['lang', 'dir'],
      });
  }

  // Files that did not come may come now; a browser remembers those that failed for as long as the page lives.
  window.addEventListener('online', () => {
    const { state } = root.dataset;
    if (state !== 'open' && state !== 'waiting') window.location.reload();
  });
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, disposition }) => {
    if (effectiveDirective !== 'connect-src' || disposition === 'report') return;
    const [host] = blockedURI.match(/^\w+:\/\/[^/]+/) ?? [blockedURI];
    console.warn(`Parley: the policy at the top of chat.html must allow ${host} in connect-src.`);
  });

  const inApp = address.bridge === 'app';
  if (!port && !hasHost(inApp)) {
    // Nothing is on its way that a visitor could wait for.
    if (begin({})) root.dataset.state = 'failed';
    return;
  }
  root.dataset.app = address.close ? 'close' : '';
  const known = { ...address.options, ...dataset };
  const needs: Need[] = [];
  if (!('inboxIdentifier' in known)) needs.push('options');
  if (address.keep || !isKept()) needs.push('kept');
  const open = createOpener<typeof import('../bridge/bridge.js')>(later.bridge, base, '');
  try {
    const { createBridge } = await open();
    bridge = createBridge(port, inApp, needs, {
      chat: () => new Promise((resolve) => (chat ? resolve(chat) : void waiting.push(resolve))),
      begin,
    });
    // An app that takes its time is no failure of ours.
    if (needs.length) root.dataset.state = 'waiting';
    bridge.begin();
  } catch {
    root.dataset.state = 'failed';
  }
}

/** Whether the web view lets anything be kept. */
function isKept(): boolean {
  try {
    const key = 'parley:kept';
    localStorage.setItem(key, '');
    localStorage.removeItem(key);
    return true;
  } catch {
    return false;
  }
}

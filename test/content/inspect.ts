/**
 * Looks over what a page has become: whether anything ran, was tried, or stands in the widget that nobody put there.
 * Knows which elements and attributes a message may consist of.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type HostileService, INBOX } from './hostile-service.js';

declare global {
  interface Window {
    testRan: string[];
    testBroken: string[];
    alert(): void;
  }
}

export interface Watched {
  page: Page;
  context: BrowserContext;
  console: string[];
  errors: string[];
  /** Requests to anywhere but the service; all of them are refused. */
  abroad: string[];
  dialogs: string[];
  /** Pages that opened by themselves. */
  popups: string[];
}

/** A fresh profile on the service's own blank page, with every way to run something watched. */
export async function watched(browser: Browser, service: HostileService): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await context.addInitScript(() => {
    window.testRan = [];
    window.testBroken = [];
    for (const name of ['alert', 'confirm', 'prompt', 'print', 'open'] as const)
      Object.assign(window, { [name]: () => void window.testRan.push(name) });
    addEventListener('securitypolicyviolation', (event) => {
      window.testBroken.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
  await context.route(
    (url) => url.origin !== service.url,
    (route) => {
      seen.abroad.push(route.request().url());
      return route.abort();
    },
  );
  const page = await context.newPage();
  const seen: Watched = { page, context, console: [], errors: [], abroad: [], dialogs: [], popups: [] };
  page.on('console', (line) => {
    // Pictures from abroad are refused by the test itself.
    if (!line.text().startsWith('Failed to load resource')) seen.console.push(line.text());
  });
  page.on('pageerror', (error) => void seen.errors.push(String(error)));
  page.on('popup', (popup) => void seen.popups.push(popup.url()));
  page.on('dialog', (dialog) => {
    seen.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto(`${service.url}/blank`);
  return seen;
}

export interface Kept {
  /** What the visitor typed and did not send. */
  draft?: unknown;
  ledger?: unknown;
}

export const ledger = (outbox: unknown[]): Record<string, unknown> => ({
  version: 1,
  generation: 0,
  sourceId: 'visitor-1',
  conversationId: 1,
  outbox,
  claims: [],
});

/** A returning visitor, whose window stood open, comes to the page. */
export async function visit(page: Page, service: HostileService, kept: Kept = {}): Promise<void> {
  await page.goto(`${service.url}/blank`);
  await page.evaluate(
    async ({ scope, draft, book }) => {
      localStorage.clear();
      localStorage.setItem(scope, JSON.stringify({ version: 1, generation: 0, sourceId: 'visitor-1' }));
      localStorage.setItem(`${scope}:open`, 'true');
      if (draft !== undefined) localStorage.setItem(`${scope}:draft`, JSON.stringify(draft));
      await new Promise<void>((resolve, reject) => {
        const request = indexedDB.open(scope, 1);
        request.onupgradeneeded = () => {
          request.result.createObjectStore('ledger');
          request.result.createObjectStore('files');
        };
        request.onerror = () => reject(request.error);
        request.onsuccess = () => {
          const transaction = request.result.transaction('ledger', 'readwrite');
          transaction.objectStore('ledger').put(book, 'ledger');
          transaction.oncomplete = () => {
            request.result.close();
            resolve();
          };
          transaction.onabort = () => reject(transaction.error);
        };
      });
    },
    { scope: service.scope, draft: kept.draft, book: kept.ledger ?? ledger([]) },
  );
  await page.goto(`${service.url}/`);
  // The field is there before the window is, which says what its words are in.
  await page.locator('parley-chat .close:not([lang])').waitFor({ state: 'attached' });
}

/** Waits until the widget listens to the socket. */
export async function listening(service: HostileService, page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('parley-chat')?.shadowRoot?.querySelector('.rows'));
  while (!service.listeners()) await page.evaluate(() => new Promise((next) => requestAnimationFrame(next)));
}

/** Waits until words stand in one of these elements of the chat: the newest first, because there may be a thousand. */
export const shows = (page: Page, words: string, within = '.rows .content') =>
  page.waitForFunction(
    ({ words, within }) => {
      const all = document.querySelector('parley-chat')?.shadowRoot?.querySelectorAll(within) ?? [];
      return [...all].reverse().some(({ textContent }) => textContent?.includes(words));
    },
    { words, within },
  );

export interface Report {
  /** Whatever was run. */
  ran: string[];
  /** What the page's policy would have stopped. */
  broken: string[];
  /** Elements, attributes and addresses that have no business in a message, or outside of messages since `before`. */
  strangers: string[];
  /** Globals and elements of the page that are new. */
  outside: string[];
}

/** @param usual what stands around the messages of a harmless conversation, as `inspect` itself reports it */
export const inspect = (page: Page, usual: readonly string[] = []): Promise<Report> =>
  page.evaluate(
    ({ usual, inbox }) => {
      const allowed: Record<string, string[]> = {
        li: ['class', 'dir'],
        div: ['class', 'part', 'dir', 'title'],
        p: ['class', 'dir'],
        span: ['class', 'dir', 'aria-hidden', 'data-id', 'style'],
        bdi: ['class', 'aria-hidden'],
        time: ['datetime'],
        button: ['type', 'class', 'tabindex', 'aria-label', 'title'],
        img: ['src', 'alt', 'width', 'height', 'referrerpolicy'],
        a: ['class', 'href', 'target', 'rel', 'download', 'aria-haspopup'],
        small: ['dir'],
        svg: 'viewBox width height fill stroke stroke-width stroke-linecap stroke-linejoin aria-hidden focusable'.split(
          ' ',
        ),
        path: ['d'],
        strong: [],
        em: [],
        del: [],
        code: [],
        pre: ['dir'],
        blockquote: ['dir'],
        figure: ['dir', 'aria-label', 'tabindex'],
        table: [],
        tr: [],
        th: ['align'],
        td: ['align'],
        ul: ['class', 'dir'],
        ol: ['dir', 'start'],
      };
      const values: Record<string, RegExp> = {
        class: /^[a-z -]*$/,
        style: /^(--hue: ?\d{1,3};)?$/,
        dir: /^(auto|ltr)$/,
        start: /^\d{1,9}$/,
        width: /^\d{1,4}$/,
        height: /^\d{1,4}$/,
        download: /^$/,
        href: /^(https?:\/\/[^@\s/?#]+[/?#]\S*|mailto:[^\s]+@[^\s]+|tel:[+\d().-]+)$/i,
        src: /^https?:\/\/[^@\s/?#]+[/?#]\S*$/,
        target: /^_blank$/,
        rel: /^noopener noreferrer nofollow ugc$/,
        referrerpolicy: /^no-referrer$/,
      };
      const strangers: string[] = [];
      const around = new Set<string>();
      const root = document.querySelector('parley-chat')?.shadowRoot;
      for (const element of root?.querySelectorAll('*') ?? []) {
        const name = element.localName;
        const message = element.closest('.rows')?.contains(element) && !element.matches('.rows');
        if (message && !allowed[name]) strangers.push(`<${name}>`);
        if (!message) around.add(`<${name}>`);
        for (const { name: attribute, value } of element.attributes) {
          if (!message) around.add(`${name}[${attribute}]`);
          else if (allowed[name] && !allowed[name].includes(attribute))
            strangers.push(`${name}[${attribute}]`);
          if (
            attribute.startsWith('on') ||
            (!['alt', 'aria-label'].includes(attribute) && /^\s*(javascript|data|vbscript):/i.test(value))
          )
            strangers.push(`${name}[${attribute}=${value.slice(0, 40)}]`);
          if (message && values[attribute]?.test(value) === false)
            strangers.push(`${name}[${attribute}=${value.slice(0, 80)}]`);
        }
      }
      strangers.push(...[...around].filter((one) => usual.length && !usual.includes(one)));
      const frame = document.createElement('iframe');
      frame.hidden = true;
      document.body.append(frame);
      const plain = new Set(Object.getOwnPropertyNames(frame.contentWindow ?? {}));
      frame.remove();
      // The stores' and the schemas' libraries keep a global each.
      const ours = /^(parley|test\w+|__playwright.*|__pw.*|\d+)$/;
      return {
        ran: window.testRan,
        broken: window.testBroken,
        strangers: usual.length ? strangers : [...around],
        outside: [
          ...Object.getOwnPropertyNames(window).filter((name) => !plain.has(name) && !ours.test(name)),
          ...[...document.querySelectorAll('html > *, head > *, body *')]
            .map((element) => element.localName)
            .filter(
              (name) =>
                !['head', 'body', 'parley-chat', 'meta', 'title', 'link', 'script', 'h1'].includes(name),
            ),
          ...[...document.scripts]
            .map((script) => script.dataset.inboxIdentifier)
            .filter((id) => id !== inbox),
        ].map(String),
      };
    },
    { usual: [...usual], inbox: INBOX },
  );

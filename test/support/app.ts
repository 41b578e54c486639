/**
 * An app around a page: the objects that each kind of web view puts into it, and what the app hears and says through
 * them, in the form in which that kind of web view passes it on. It knows nothing of the chat.
 */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { z } from 'zod';

export const shapes = [
  'Android, addJavascriptInterface',
  'Android, addWebMessageListener',
  'Android, a port',
  'iOS',
  'React Native',
  'Flutter, a channel',
  'Flutter, a handler',
] as const;
export type Shape = (typeof shapes)[number];

const messageSchema = z.looseObject({ parley: z.number(), type: z.string() });
export type AppMessage = z.infer<typeof messageSchema>;

export interface App {
  heard: AppMessage[];
  /** Whether everything came as this web view passes it: `string`, or `object`. */
  forms: Set<string>;
  of(type: string): AppMessage[];
  /** Waits for the first message of a type, or for one that fits. */
  hear(type: string, fits?: (message: AppMessage) => boolean): Promise<AppMessage>;
  /** Whatever it is, as this web view passes it on. */
  say(message: unknown): Promise<void>;
  /** What the app does with what it hears. */
  answer(type: string, work: (message: AppMessage) => unknown): void;
}

declare global {
  interface Window {
    toApp(form: string, text: string): void;
    fromApp(text: string): void;
  }
}

/** Before the page is loaded. */
export async function wrapInApp(page: Page, shape: Shape): Promise<App> {
  const answers = new Map<string, (message: AppMessage) => unknown>();
  const app: App = {
    heard: [],
    forms: new Set(),
    of: (type) => app.heard.filter((message) => message.type === type),
    async hear(type, fits = () => true) {
      const find = () => app.of(type).find(fits);
      await expect
        .poll(() => find() ?? app.heard, { timeout: 30_000, message: `${type} is heard` })
        .toMatchObject({ type });
      return find() ?? { parley: 0, type };
    },
    say: (message) =>
      page.evaluate(
        (text) => window.fromApp(text),
        typeof message === 'string' ? message : JSON.stringify(message),
      ),
    answer: (type, work) => void answers.set(type, work),
  };
  await page.exposeFunction('toApp', (form: string, text: string) => {
    const message = messageSchema.parse(JSON.parse(text));
    app.forms.add(form);
    app.heard.push(message);
    const said = answers.get(message.type)?.(message);
    if (said) void app.say(said);
  });
  await page.addInitScript((shape: Shape) => {
    const asText = (text: unknown) => {
      if (typeof text !== 'string') throw new TypeError('This web view passes text alone.');
      window.toApp('string', text);
    };
    // A script that the app runs in the page.
    const byScript = (text: string) => {
      window.parleyBridge?.receive(JSON.parse(text));
    };
    window.fromApp = byScript;
    switch (shape) {
      case 'Android, addJavascriptInterface':
        Object.assign(window, { ParleyNative: { postMessage: asText } });
        window.fromApp = (text) => window.parleyBridge?.receive(text);
        break;
      case 'Android, addWebMessageListener': {
        const listener = Object.assign(new EventTarget(), { postMessage: asText });
        Object.assign(window, { ParleyNative: listener });
        window.fromApp = (data) => listener.dispatchEvent(new MessageEvent('message', { data }));
        break;
      }
      case 'Android, a port':
        // As soon as the page is loaded, and no message has been said yet.
        window.addEventListener('load', () => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = ({ data }) => asText(data);
          window.fromApp = (text) => port1.postMessage(text);
          window.dispatchEvent(new MessageEvent('message', { data: '', ports: [port2] }));
        });
        break;
      case 'iOS':
        Object.assign(window, {
          webkit: {
            messageHandlers: {
              parley: {
                postMessage: (message: unknown) =>
                  window.toApp(typeof message, JSON.stringify(structuredClone(message))),
              },
            },
          },
        });
        break;
      case 'React Native':
        Object.assign(window, { ReactNativeWebView: { postMessage: asText } });
        window.fromApp = (data) => document.dispatchEvent(new MessageEvent('message', { data }));
        break;
      case 'Flutter, a channel':
        Object.assign(window, { Parley: { postMessage: asText } });
        break;
      case 'Flutter, a handler': {
        const own = {
          callHandler(this: unknown, name: string, message: unknown) {
            if (this !== own || name !== 'parley') throw new TypeError('No such handler.');
            window.toApp(typeof message, JSON.stringify(message));
            return Promise.resolve(null);
          },
        };
        Object.assign(window, { flutter_inappwebview: own });
      }
    }
  }, shape);
  return app;
}

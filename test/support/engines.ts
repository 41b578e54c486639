/**
 * A visitor in any of the three engines, with the same few verbs: Playwright's pages for Chromium and for Firefox
 * as it comes from its maker (through BiDi), the W3C driver for WebKit. Elements go by role and accessible name.
 */
import { type BrowserContext, chromium, type Frame, firefox, type Page } from 'playwright-core';
import { engines, howToGet, switches } from '../system.mjs';
import type { Actor, Name, Profile, Role, Size } from './actor.js';
import { launchWebKit } from './webkit.js';

export type EngineName = 'chromium' | 'firefox' | 'webkit';
declare module 'vitest' {
  interface ProvidedContext {
    engine: EngineName;
  }
}

export interface Engine {
  /** Nothing kept from before, in a page of this size. In WebKit there is one at a time. */
  newProfile(size?: Size): Promise<Profile>;
  stop(): Promise<void>;
}

const LIMIT_MS = 30_000;

/** @param more switches of Chromium */
export async function launchEngine(name: EngineName, more: readonly string[] = []): Promise<Engine> {
  const found = engines();
  if (name === 'webkit') {
    if (!found.webkit) throw new Error(howToGet.webkit);
    return launchWebKit(found.webkit);
  }
  const executablePath = found[name];
  if (!executablePath) throw new Error(howToGet[name]);
  const browser =
    name === 'firefox'
      ? await firefox.launch({ channel: 'moz-firefox', executablePath })
      : await chromium.launch({ executablePath, args: [...switches, ...more] });
  return {
    async newProfile(viewport = { width: 1280, height: 900 }) {
      const context = await browser.newContext({ viewport });
      context.setDefaultTimeout(LIMIT_MS);
      return profileOf(context);
    },
    stop: () => browser.close(),
  };
}

const profileOf = (context: BrowserContext): Profile => ({
  async newTab() {
    const page = await context.newPage();
    const heard: string[] = [];
    page.on('console', (line) => void heard.push(`${line.type()}: ${line.text()}`));
    page.on('pageerror', (error) => void heard.push(String(error)));
    return actorOf(page, page.mainFrame(), heard);
  },
  close: () => context.close(),
});

function actorOf(page: Page, frame: Frame, heard: readonly string[]): Actor {
  const find = (role: Role, name?: Name) =>
    frame.getByRole(role, name === undefined ? {} : { name, exact: true });
  return {
    goto: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    click: (role, name) => find(role, name).first().click(),
    fill: (name, text) => find('textbox', name).first().fill(text),
    press: (key) => page.keyboard.press(key),
    type: (text) => page.keyboard.type(text),
    attach: (path) => frame.locator('input[type=file]').setInputFiles(path),
    texts: async (role, name) => (await find(role, name).allInnerTexts()).map((text) => text.trim()),
    // As text, because the test's own build may have touched the function.
    eval: (work, ...args) => frame.evaluate(`(${work}).apply(null, ${JSON.stringify(args)})`),
    async frame() {
      const element = await frame.waitForSelector('iframe');
      const inner = await element.contentFrame();
      if (!inner) throw new Error('the frame has no content');
      return actorOf(page, inner, heard);
    },
    heard: () => heard,
    close: () => page.close(),
  };
}

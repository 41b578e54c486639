/**
 * WebKitGTK through its own driver: the few commands of W3C WebDriver that the journeys need, over fetch, on a display
 * of its own. Elements are found by role and accessible name, through open shadow roots. One session at a time; a
 * session is a fresh profile. Commands of several tabs go one after the other, because the driver has one current tab.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Actor, Name, Press, Profile, Role, Size } from './actor.js';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

export interface WebKitPaths {
  driver: string;
  browser: string;
  display: string;
}

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
type ElementId = Record<typeof ELEMENT, string>;
const KEYS: Record<Press, readonly string[]> = {
  ArrowDown: ['\uE015'],
  ArrowLeft: ['\uE012'],
  ArrowRight: ['\uE014'],
  ArrowUp: ['\uE013'],
  Enter: ['\uE007'],
  Escape: ['\uE00C'],
  'Shift+Tab': ['\uE008', '\uE004'],
  Space: [' '],
  Tab: ['\uE004'],
};
const COMMAND_LIMIT_MS = 30_000;
const BEGIN_LIMIT_MS = 15_000;

export async function launchWebKit(paths: WebKitPaths) {
  const children: ChildProcess[] = [];
  const stop = () => {
    for (const child of children.reverse()) child.kill();
  };
  process.once('exit', stop);

  // The display says its own number, on the pipe that is its standard output.
  const screen = spawn(
    paths.display,
    ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  children.push(screen);
  const number = await new Promise<string>((resolve, reject) => {
    createInterface(screen.stdout).once('line', resolve);
    screen.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)));
    screen.once('error', reject);
  });

  const port = await freePort();
  const driver = spawn(paths.driver, [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: `:${number}`, NO_AT_BRIDGE: '1', GDK_BACKEND: 'x11' },
  });
  children.push(driver);
  const call = createCaller(`http://127.0.0.1:${port}`);
  await eventually('the WebKit driver answers', async () => {
    await call('GET', '/status');
    return true;
  });

  return {
    newProfile: (size?: Size) => startSession(call, paths.browser, size),
    async stop() {
      process.off('exit', stop);
      const ended = children.map((child) => new Promise((resolve) => child.once('exit', resolve)));
      stop();
      await Promise.all(ended);
    },
  };
}

type Call = <T>(method: string, path: string, body?: unknown, limitMs?: number) => Promise<T>;

const createCaller =
  (base: string): Call =>
  async <T>(method: string, path: string, body?: unknown, limitMs = COMMAND_LIMIT_MS) => {
    const response = await fetch(base + path, {
      method,
      signal: AbortSignal.timeout(limitMs),
      ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
    });
    const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
    if (!response.ok) throw new Error(`WebKit, ${method} ${path}: ${value.error} ${value.message ?? ''}`);
    return value;
  };

async function startSession(call: Call, binary: string, size?: Size): Promise<Profile> {
  const capabilities = {
    alwaysMatch: { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } },
  };
  const begin = () => call<{ sessionId: string }>('POST', '/session', { capabilities }, BEGIN_LIMIT_MS);
  // A busy machine's driver may never hear from the browser that it has started.
  const { sessionId } = await begin().catch(begin);
  const command: Call = (method, path, body) => call(method, `/session/${sessionId}${path}`, body);
  let last: Promise<unknown> = Promise.resolve();
  let current = '';

  /** Alone, with this tab (and the frame in it) as the driver's current one. */
  function inTab<T>(handle: string, framed: boolean, work: () => Promise<T>): Promise<T> {
    const place = `${handle} ${framed}`;
    const run = last.then(async () => {
      if (current !== place) {
        current = '';
        await command('POST', '/window', { handle });
        await command('POST', '/frame', { id: framed ? 0 : null });
        current = place;
      }
      return work();
    });
    last = run.catch(() => {
      current = '';
    });
    return run;
  }

  function actorOf(handle: string, framed = false): Actor {
    const alone = <T>(work: () => Promise<T>) => inTab(handle, framed, work);
    const evaluate = <T>(work: string, args: unknown[]) =>
      command<T>('POST', '/execute/sync', { script: `return (${work}).apply(null, arguments)`, args });
    const find = (role: Role, name?: Name) =>
      evaluate<ElementId[]>(`(...all) => (${findInPage})(...all)`, [
        role,
        name instanceof RegExp ? { source: name.source, flags: name.flags } : (name ?? null),
      ]);
    /** Finds it and does it, again until both succeed: the page may be rendering. */
    const act = (role: Role, name: Name, work: (path: string, element: ElementId) => Promise<unknown>) =>
      eventually(`${role} ${name}`, () =>
        alone(async () => {
          const [element] = await find(role, name);
          if (!element) return false;
          await work(`/element/${element[ELEMENT]}`, element);
          return true;
        }),
      );
    const strike = (actions: { type: string; value: string }[]): Promise<void> =>
      command('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
    const type = (text: string) =>
      strike([...text].flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value }))));
    const chord = (keys: readonly string[]) =>
      strike([
        ...keys.map((value) => ({ type: 'keyDown', value })),
        ...keys.toReversed().map((value) => ({ type: 'keyUp', value })),
      ]);
    /** The driver forgets where a frame lies in its page: its own click and focus miss there. */
    async function point(element: ElementId) {
      const inner = await evaluate<Point>(String(middleOf), [element]);
      await command('POST', '/frame', { id: null });
      const outer = await evaluate<Point>(String(frameCorner), []);
      const actions = [
        { type: 'pointerMove', x: Math.round(outer.x + inner.x), y: Math.round(outer.y + inner.y) },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ];
      await command('POST', '/actions', { actions: [{ type: 'pointer', id: 'mouse', actions }] });
      await command('POST', '/frame', { id: 0 });
    }
    /** Something may float over it, or an edge hide most of it: a visitor would scroll, and do it again. */
    async function inSight(element: ElementId, work: () => Promise<unknown>) {
      try {
        await work();
      } catch (error) {
        await evaluate('(one) => one.scrollIntoView({ block: "center" })', [element]);
        throw error;
      }
    }
    const actor: Actor = {
      goto: (url) => alone(() => command('POST', '/url', { url })),
      reload: () => alone(() => command('POST', '/refresh')),
      click: (role, name) =>
        act(role, name, async (path, element) => {
          if (framed) return point(element);
          await inSight(element, () => command('POST', `${path}/click`));
        }),
      fill: (name, text) =>
        act('textbox', name, async (path, element) => {
          if (!framed) {
            await inSight(element, () => command('POST', `${path}/clear`));
            // The driver takes no empty text, and has taken the focus away.
            return text
              ? command('POST', `${path}/value`, { text })
              : evaluate('(one) => one.focus()', [element]);
          }
          await point(element);
          await evaluate('(one) => one.select()', [element]);
          return type(text);
        }),
      press: (key) => alone(() => chord(KEYS[key])),
      type: (text) => alone(() => type(text)),
      attach: (path) =>
        eventually('there is a picker of files', () =>
          alone(async () => {
            const picker = await evaluate<ElementId | null>(String(filePicker), []);
            if (picker) await command('POST', `/element/${picker[ELEMENT]}/value`, { text: path });
            return picker !== null;
          }),
        ),
      texts: (role, name) =>
        alone(async () => {
          const all = await find(role, name);
          return evaluate<string[]>('(...all) => all.map((one) => one.innerText.trim())', all);
        }),
      eval: (work, ...args) => alone(() => evaluate(String(work), args)),
      frame: async () => actorOf(handle, true),
      heard: () => [],
      close: () =>
        alone(async () => {
          current = '';
          await command('DELETE', '/window');
        }),
    };
    return actor;
  }

  let unused: string | undefined = await command<string>('GET', '/window');
  // Its window, with the bars around the page, is never narrower than 447 pixels.
  if (size) await command('POST', '/window/rect', { width: size.width, height: size.height });
  return {
    async newTab() {
      const own = unused;
      unused = undefined;
      if (own) return actorOf(own);
      const opened = last.then(() => command<{ handle: string }>('POST', '/window/new', { type: 'tab' }));
      last = opened;
      return actorOf((await opened).handle);
    },
    async close() {
      await last;
      await command('DELETE', '');
    },
  };
}

interface Point {
  x: number;
  y: number;
}

/** Runs in the frame. */
function middleOf(element: Element): Point {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}

/** Runs in the page: where the content of its frame begins. */
function frameCorner(): Point {
  const frame = document.querySelector('iframe');
  frame?.scrollIntoView({ block: 'end' });
  const { x = 0, y = 0 } = frame?.getBoundingClientRect() ?? {};
  return { x: x + (frame?.clientLeft ?? 0), y: y + (frame?.clientTop ?? 0) };
}

/** Runs in the page. */
function filePicker(): Element | null | undefined {
  return document.querySelector('parley-chat')?.shadowRoot?.querySelector('input[type=file]');
}

/** Runs in the page: every visible element of this role and name, in tree order, in open shadow roots, too. */
function findInPage(role: string, name: string | { source: string; flags: string } | null): Element[] {
  const tags: Record<string, string> = {
    A: 'link',
    BUTTON: 'button',
    DIALOG: 'dialog',
    H1: 'heading',
    H2: 'heading',
    H3: 'heading',
    IMG: 'img',
    INPUT: 'textbox',
    LI: 'listitem',
    SELECT: 'combobox',
    TEXTAREA: 'textbox',
  };
  const inputs: Record<string, string> = { checkbox: 'checkbox', radio: 'radio', search: 'searchbox' };
  const roleOf = (element: Element) =>
    element.getAttribute('role') ??
    ((element instanceof HTMLInputElement && inputs[element.type]) || tags[element.tagName]);
  const named = new Set(['link', 'button', 'heading', 'menuitem', 'menuitemcheckbox']);
  const labels = (element: Element) =>
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
      ? element.labels
      : null;
  const nameOf = (element: Element) =>
    element.getAttribute('aria-label') ??
    element.getAttribute('alt') ??
    labels(element)?.[0]?.textContent ??
    (named.has(role) ? element.textContent || element.querySelector('img')?.alt : undefined) ??
    '';
  const fits = (element: Element) => {
    if (roleOf(element) !== role) return false;
    if (!element.checkVisibility({ visibilityProperty: true })) return false;
    if (element.closest('[inert], [aria-hidden=true]')) return false;
    if (name === null) return true;
    const called = nameOf(element).trim();
    return typeof name === 'string' ? called === name : new RegExp(name.source, name.flags).test(called);
  };
  const walk = (root: Document | ShadowRoot): Element[] =>
    [...root.querySelectorAll('*')].flatMap((element) => [
      ...(fits(element) ? [element] : []),
      ...(element.shadowRoot ? walk(element.shadowRoot) : []),
    ]);
  return walk(document);
}

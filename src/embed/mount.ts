/**
 * Door 1: the launcher, the owner's calls, and the way to the rest. Nothing is fetched and nothing is kept until the
 * visitor wants to chat or has chatted before, or the owner asks for something that cannot wait. It knows that there
 * is a stage behind it, and not what happens there.
 */
import { createOpener, FETCHED } from '../loader.js';
import type { Failure, Outcome, Parley } from '../parley.js';
import { LEAVING } from '../state/facts.js';
import { launcherEn } from '../text/en-launcher.js';
import type { Call, Waiting } from './calls.js';
import { type Behind, doors as behind } from './doors.js';
import type { Ear, Hall } from './hall.js';
import { createLauncher, type Launcher } from './launcher.js';
import { type Given, readOptions } from './options.js';
import type { Stage } from './stage.js';

/**
 * Accent, corner, offsets, `zIndex`, pages, `inside`, what begins with launcher or outreach, and hours: these want more
 * than a button in its usual place, and the owner's own file sees to them. In `options-table.ts` they are `placed`. What
 * others write on a tag (`data-ot-ignore`, `data-optimized`, `data-lazy`) does not want it.
 */
export const PLACED = /\b(ac|inside|launcher|o[fu]|p[aho]|z)/;
/** The page comes first. */
const QUIET_MS = 500;
const FRAME_MS = 50;
/** Nobody types sooner after a click. */
const HOLD_MS = 100;
const AGAIN_MS = 5_000;

const done: Outcome = { ok: true };
const no = (kind: Failure['kind'], message: string) => ({ ok: false as const, error: { kind, message } });

/** What is kept under this name, in this browser or this tab: under the scope alone there is something of whoever has written. */
export const kept = (key: string): unknown => {
  try {
    return localStorage[key] ?? sessionStorage[key];
  } catch {}
};

/**
 * @param base where the script came from; the other doors lie beside it
 * @param gone called when the chat is destroyed
 * @param host what the chat lies in; if it is on the page already, it stays where it is
 * @param waiting calls that wait for the visitor, and outlive this chat where another one takes its place
 */
export function mount(
  given: Given,
  base: string,
  gone?: (launcher: Launcher) => void,
  host: HTMLElement = document.createElement('parley-chat'),
  waiting: Waiting = [],
): Parley {
  const options = readOptions(given);
  const { nonce = '', connect, scope, wrong } = options;
  const openFront = createOpener<Behind['front']>(behind.front, base, nonce);
  const ears = new Set<Ear>();
  const placed = PLACED.test(`${Object.keys(options)}`) || /parley-d/.test(location.search);
  let over: Outcome | undefined;
  let stage: Stage | undefined;
  let meeting: Promise<Stage> | undefined;
  let wanted: boolean | undefined;
  /** How often our files have not come: each time they are waited for a little longer. */
  let tries = 0;

  /** Asked for once: the answer to a second import comes a frame later. */
  const meet = () =>
    (meeting ??= openFront().then(
      (front) => {
        if (over) throw over;
        stage = front.createStage(options, launcher, behind, base, hall);
        return stage;
      },
      (error: unknown) => {
        meeting = undefined;
        throw error;
      },
    ));

  const intend = () => {
    // Read and made ready by the time of the press.
    meet().then(
      (met) => met.prepare(),
      () => 0,
    );
  };

  async function enter(): Promise<Stage> {
    if (over) throw over;
    launcher.attach();
    const met = await meet();
    met.tell();
    return met;
  }

  /** @param clicks of a pointer; a key and a program have none */
  async function open(asked: boolean, clicks = 0): Promise<Outcome> {
    if (over) return over;
    wanted = true;
    try {
      const entered = enter();
      if (asked && !stage) {
        intend();
        // What is typed next is for us, and by touch a keyboard comes only with the press itself. A hand on the mouse
        // is not on the keys, and what it waits for is nearly there.
        if (!clicks || navigator.maxTouchPoints) launcher.hold();
        else setTimeout(() => wanted && !stage && launcher.hold(), HOLD_MS);
      }
      return await (await entered).show(asked);
    } catch {
      launcher.failed(asked && wanted);
      wanted = undefined;
      return missed();
    }
  }

  /** The second half of a press asks for what the first one did. */
  let meant = true;
  const press = (clicks: number) => {
    if (clicks < 2) meant = !wanted;
    return meant ? open(true, clicks) : parley.close();
  };

  /** Our files did not come: who could tell it to those who listen is in one of them. */
  function missed(): Outcome {
    hall.entered = stage;
    if (over) return over;
    for (const { event, hear } of ears) if (event === 'error') queueMicrotask(() => hear(lost.error));
    return lost;
  }

  /** What the owner's own file does. @param waits for the visitor, and is done then; 0: now, and what waits goes on waiting */
  const late =
    (name: Call, waits?: boolean | 0) =>
    async (given?: unknown): Promise<Outcome> => {
      // A proof of identity is asked about at once.
      if (waits && !wanted && !hall.entered && !over && !(given as { hash?: unknown } | undefined)?.hash) {
        waiting.push([name, given]);
        return done;
      }
      hall.entered ||= waits ?? 1;
      try {
        return await (await (await enter()).owner()).ask[name](given);
      } catch {
        return missed();
      }
    };

  /** Noted at once, because the page may go before it is done: then the next one does it, and shows nothing of before. */
  const leave = (name: 'reset' | 'forget') => () => {
    const note = (storage: Storage) => {
      if (`${Object.keys(storage)}`.includes(scope)) storage[`${scope}:${LEAVING}`] = `"${name}"`;
    };
    // Nobody leaves a chat that is no more.
    try {
      if (!over) {
        note(localStorage);
        note(sessionStorage);
      }
    } catch {}
    return late(name)();
  };

  /** A visitor who has written before hears of answers; one who left the window open finds it open. */
  function begin() {
    // After the page's own first frame, which has enough to do. Not by frames: a page that nobody sees has none.
    setTimeout(() => over || launcher.attach(), FRAME_MS);
    const known = connect === 'load' || kept(scope);
    const listen = (): unknown =>
      enter().then(
        (entered) => known && entered.listen(),
        () => over || setTimeout(listen, AGAIN_MS * ++tries),
      );
    launcher.host.hidden = hall.hidden || placed;
    if (placed) listen();
    else {
      if (kept(`${scope}:open`) === 'true') void open(false);
      // One that was open and is closed at once still has somebody to hear.
      if (known) setTimeout(listen, QUIET_MS);
    }
  }

  // In the order that compresses best.
  const parley: Parley = {
    hide() {
      void parley.close();
      wanted = undefined;
      launcher.host.hidden = hall.hidden = true;
    },
    async close() {
      wanted = false;
      stage?.hide();
      return over || done;
    },
    allow(level) {
      // A consent tool may hand over anything where there is no consent.
      if (over === unasked && /^(memory|session|persistent)$/.test(level)) {
        over = undefined;
        begin();
      }
      return late('allow', true)(level);
    },
    draft: late('draft', true),
    reset: leave('reset'),
    unread: () => stage?.unread() ?? 0,
    setTheme: late('setTheme', 0),
    perf: late('perf', 0),
    show() {
      hall.hidden = false;
      if (!over) launcher.host.hidden = placed;
    },
    reachOut: late('reachOut', 0),
    destroy() {
      over = destroyed;
      wanted = false;
      stage = stage?.destroy();
      unwatch();
      ears.clear();
      gone?.(launcher);
      launcher.destroy();
    },
    on(event, hear) {
      const ear: Ear = { event, hear: hear as Ear['hear'] };
      // Nobody hears of a chat that is no more.
      if (over !== destroyed) ears.add(ear);
      if (event === 'ready') queueMicrotask(() => ears.has(ear) && (hear as Ear['hear'])());
      stage?.tell();
      return () => ears.delete(ear);
    },
    identify: late('identify', true),
    push: (work) => queueMicrotask(() => work(parley)),
    setLocale: late('setLocale', true),
    forget: leave('forget'),
    toggle: () => press(0),
    off(event, hear) {
      for (const ear of ears) if (ear.event === event && ear.hear === hear) ears.delete(ear);
    },
    setAttributes: late('setAttributes', true),
    send: late('send'),
    open: () => open(true),
    status: () => stage?.status() ?? { open: false, line: 'idle', storage: 'memory' },
  };
  const hall: Hall = { ears, wanted: () => wanted, open, press, hidden: false, placed, parley, waiting };
  const launcher = createLauncher(
    host,
    nonce,
    ({ detail }) => void press(detail),
    intend,
    () => stage?.back(),
  );

  // Nobody else can say why our files do not come.
  const blocked = (event: SecurityPolicyViolationEvent) => {
    // Where nothing is fetched the file may be the owner's own, but the service is ours, and so is its socket.
    const ours = FETCHED ? new URL(FETCHED, base).href : options.baseUrl.replace(/^http/, '');
    // What is only reported is not blocked.
    if (event.disposition === 'report' || !(event.blockedURI + event.sourceFile).includes(ours)) return;
    unwatch();
    // Not the whole address: what follows the host may be a visitor's key.
    console.warn(
      `Parley: your policy must allow ${event.blockedURI.split('/', 3).join('/')} in ${event.effectiveDirective}.`,
    );
  };
  const unwatch = () => document.removeEventListener('securitypolicyviolation', blocked);

  const lost = no('notLoaded', launcherEn.notLoaded);
  const destroyed = no('destroyed', 'Destroyed.');
  const unasked = no('consent', "Call allow('persistent') first.");
  if (wrong) {
    over = no('wrong', wrong);
    console.warn(`Parley: ${wrong}`);
  } else {
    document.addEventListener('securitypolicyviolation', blocked);
    if (connect === 'allow' && !kept(scope)) over = unasked;
    else begin();
  }
  return parley;
}

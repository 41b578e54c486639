/**
 * A chat that takes the place of another one, because an option changed that can be had only from the beginning: what
 * calls have said of the visitor and of the chat's look, and were told `ok`, holds for the next one, too. It does not
 * know who mounts, nor why anew.
 */
import { LEVELS } from '../levels.js';
import type { Attributes, Events, Failure, Level, Outcome, Parley, Theme, Who } from '../parley.js';
import type { Waiting } from './calls.js';
import type { Launcher } from './launcher.js';

type Given = Readonly<Record<string, unknown>>;

/** What holds until something else is said, or until the visitor leaves. */
interface Said {
  identify?: Who;
  contact?: Attributes['contact'];
  setLocale?: string;
  setTheme?: Theme;
  /** Raised, and never lowered. */
  allow?: Level;
  hidden?: boolean;
}

const highest = (one: Level, other: Level | undefined) =>
  other && LEVELS.indexOf(other) > LEVELS.indexOf(one) ? other : one;

/** After these it may still be done, or is done later. */
const OPEN: readonly Failure['kind'][] = ['destroyed', 'network', 'notLoaded', 'begun'];

/** @returns mounts the first chat, and each next one once the one before it is destroyed */
export function createSeat() {
  let before: Given | undefined;
  let said: Said = {};
  let waiting: Waiting = [];

  /** Of what was typed before there was a field nobody else knows. */
  function keep(launcher: Launcher) {
    const typed = launcher.sent + launcher.catcher.value;
    launcher.sent = launcher.catcher.value = '';
    if (typed) waiting.push(['typed', typed]);
  }

  return (given: Given, mountNow: (waiting: Waiting, gone: typeof keep) => Parley): Parley => {
    if (before?.baseUrl !== given.baseUrl || before?.inboxIdentifier !== given.inboxIdentifier) {
      said = {};
      waiting = [];
    }
    if (before?.locale !== given.locale) delete said.setLocale;
    // What an option says by now, no call before has said.
    for (const token of ['accent', 'scheme'] as const)
      if (before?.[token] !== given[token]) {
        const { [token]: _, ...rest } = said.setTheme ?? {};
        said.setTheme = rest;
      }
    before = given;
    const waits = waiting.map(([name]) => name);
    const chat = mountNow(waiting, keep);
    if (said.allow) void chat.allow(said.allow);
    if (said.hidden) chat.hide();
    if (said.setLocale !== undefined && !waits.includes('setLocale')) void chat.setLocale(said.setLocale);
    if (Object.keys(said.setTheme ?? {}).length) void chat.setTheme({ ...said.setTheme });
    if (said.identify && !waits.includes('identify')) void chat.identify(said.identify);
    if (said.contact && !waits.includes('setAttributes')) void chat.setAttributes({ contact: said.contact });

    function note<N extends keyof Said>(name: N, value: Said[N], outcome: Promise<Outcome>) {
      const old = said[name];
      said[name] = value;
      return outcome.then((answer) => {
        if (answer.ok || said[name] !== value) return answer;
        const { kind } = answer.error;
        // A field of theirs may be refused, and who they are stands.
        if (!OPEN.includes(kind) && (name !== 'identify' || kind !== 'service')) said[name] = old;
        return answer;
      });
    }
    /** How many calls name somebody just now. */
    let naming = 0;
    let watched = false;
    const forget = () => {
      delete said.identify;
      delete said.contact;
    };
    /** Whoever leaves by the window or in another tab, or is another one there, is not named again by a chat to come. */
    function watch() {
      if (watched) return;
      watched = true;
      chat.on('identify', ({ identifier }: Events['identify']) => {
        if (!naming && (identifier === undefined || identifier !== said.identify?.identifier)) forget();
      });
    }
    if (said.identify || said.contact) watch();
    function leave(outcome: Promise<Outcome>) {
      forget();
      return outcome;
    }
    /** There may be another one by now, in the same place. */
    let over = false;
    const seated: Parley = {
      ...chat,
      // The owner's own file hears of these.
      close: () => chat.close(),
      on: (event, hear) => chat.on(event, hear),
      destroy() {
        if (over) return;
        over = true;
        chat.destroy();
      },
      push: (work) => queueMicrotask(() => work(seated)),
      async identify(who) {
        watch();
        naming++;
        const answer = await note('identify', who, chat.identify(who));
        naming--;
        // Who was refused is nobody, whoever they were before; and somebody else may be here, whom no call here has named.
        if (!answer.ok && (answer.error.kind === 'refused' || answer.error.kind === 'gone') && !naming)
          forget();
        return answer;
      },
      setAttributes(about) {
        watch();
        // What is nothing takes nothing back.
        const more = Object.entries(about?.contact ?? {}).filter(
          ([, one]) => one !== null && one !== undefined,
        );
        return note('contact', { ...said.contact, ...Object.fromEntries(more) }, chat.setAttributes(about));
      },
      setLocale: (tag) => note('setLocale', tag, chat.setLocale(tag)),
      setTheme: (theme) => note('setTheme', { ...said.setTheme, ...theme }, chat.setTheme(theme)),
      allow: (level) => note('allow', highest(level, said.allow), chat.allow(level)),
      hide() {
        if (over) return;
        said.hidden = true;
        chat.hide();
      },
      show() {
        if (over) return;
        said.hidden = false;
        chat.show();
      },
      reset: () => leave(chat.reset()),
      forget: () => leave(chat.forget()),
    };
    return seated;
  };
}

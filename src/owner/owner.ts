/**
 * What an owner asks of a chat beyond opening and closing it, the events that the owner hears, and the sentences
 * that say what to write. Fetched only when one of these is wanted. It does not know how the chat does it.
 */
import doctors from 'virtual:parley-doctor';
import type { Asked, Owner } from '../embed/calls.js';
import type { Stage } from '../embed/stage.js';
import type { ChatError, FieldError, Result } from '../errors.js';
import { eventNames } from '../event-names.js';
import { OVERDUE } from '../model/lost.js';
import type { RowState } from '../model/transcript.js';
import type { Events, Failure, Outcome } from '../parley.js';
import { attributesOf, levelOf, localeOf, strangersOf, textOf, themeOf, whoOf } from './arguments.js';
import { explain, wrongOptions } from './explain.js';
import { followHours } from './hours.js';
import { createInvite } from './invite.js';
import { contrast, dress, place } from './look.js';
import { followPages } from './pages.js';
import { measure } from './perf.js';
import { quoted } from './quoted.js';
import { createVeils } from './veils.js';

type Doctor = typeof import('../doctor/doctor.js');

async function callDoctor(stage: Stage): Promise<void> {
  const { base, createOpener, options } = stage;
  const open = createOpener<Doctor>(doctors.doctor, base, options.nonce ?? '');
  const { openDoctor } = await open();
  return openDoctor(stage);
}

const DONE: Outcome = { ok: true };

export function createOwner(stage: Stage): Owner {
  const { front, hall, listen, own, options } = stage;
  const { chat } = front;
  const wrong = wrongOptions(options, stage.launcher.root);
  // A wrong one counts as not written.
  const right = Object.fromEntries(Object.entries(options).filter(([name]) => !wrong.includes(name)));
  const veil = createVeils(stage, right);
  place(stage, right, veil);
  if (right.pages) own(followPages(right.pages, (away) => veil('pages', away)));
  if (options.outsideHours === 'hide') own(followHours(stage, (away) => veil('hours', away)));
  explain(wrong, options);
  // Who asks for the doctor hears from the browser when its file does not come.
  if (/[?&]parley-doctor/.test(location.search)) void callDoctor(stage);
  // Left open on another page, and not yet shown here: it may have to wait until it may be seen.
  if (chat.$open.get() && !stage.shell) {
    if (hall.wanted() === false) chat.setOpen(false);
    else if (stage.launcher.host.hidden) front.$open.set(false);
    else void hall.open(false).then(({ ok }) => ok || front.$open.set(false));
  }

  const aloud = right.debug === '' || `${right.debug}` === 'true';
  // Whoever listens for it has heard it without us.
  if (aloud) console.debug('Parley:', 'ready', '');

  const invite = createInvite(stage, right, aloud);

  function emit<E extends keyof Events>(event: E, detail: Events[E]) {
    // Where the owner asks for it. None of them has words or keys, and one says who it is.
    if (aloud) console.debug('Parley:', event, event === 'identify' ? '' : (detail ?? ''));
    // One of them may take another away.
    for (const ear of [...hall.ears]) {
      if (ear.event !== event || !hall.ears.has(ear)) continue;
      try {
        ear.hear(detail);
      } catch (error) {
        // Theirs, and not ours to swallow.
        reportError(error);
      }
    }
  }

  function failed(kind: Failure['kind'], message: string): Outcome {
    const error = { kind, message };
    emit('error', error);
    return { ok: false, error };
  }

  /** A wrong argument is answered like a wrong option. */
  function mistaken(message: string): Outcome {
    console.warn(`Parley: ${message}`);
    return failed('wrong', message);
  }

  const { on } = hall.parley;
  /** @returns whether it can hear */
  const check = (event: unknown, hear: unknown) => {
    if (!eventNames.some((one) => one === event))
      mistaken(`there is no event "${String(event)}": listen for ${quoted(eventNames)}.`);
    const hears = typeof hear === 'function';
    if (!hears) mistaken('on() needs a function, like on("open", () => {}).');
    return hears;
  };
  const early = [...hall.ears];
  // First: they would be told of their own mistake.
  for (const ear of early) if (typeof ear.hear !== 'function') hall.ears.delete(ear);
  for (const { event, hear } of early) check(event, hear);
  hall.parley.on = (event, hear) => (check(event, hear) ? on(event, hear) : () => {});

  const said = (result: Result<unknown>, proven = false): Outcome =>
    result.ok ? DONE : failed(...reason(result.error, proven));

  // What was so before we came is news, too.
  let opened = false;
  const tellOpen = (is: boolean) => {
    const was = opened;
    // First: whoever hears of it may end the chat, which tells it, too.
    opened = is;
    if (is !== was) emit(is ? 'open' : 'close', undefined);
  };
  // With its chat the window is gone, too.
  own(() => tellOpen(false));
  let told = '';
  const tellStatus = () => {
    const status = stage.status();
    const now = `${status.open} ${status.line} ${status.storage} ${status.trouble}`;
    if (now !== told) emit('status', status);
    told = now;
  };
  let unread = 0;
  own(chat.$open.subscribe(tellOpen));
  for (const store of [chat.$open, chat.$line, chat.$troubles]) own(store.subscribe(tellStatus));
  own(
    chat.$news.subscribe(({ length }) => {
      if (length !== unread) emit('unread', length);
      unread = length;
    }),
  );
  // Whoever shows the number beside a button of theirs shows it no more.
  own(() => unread && emit('unread', 0));
  own(
    chat.onArrival(({ id, conversation_id }) =>
      emit('message', { id, from: 'team', conversation: conversation_id ?? front.$home.get() }),
    ),
  );
  let home = '';
  const tellHome = () => {
    const id = front.$home.get();
    const detail = { id, status: id === undefined ? undefined : chat.$status.get() };
    const now = `${id} ${detail.status}`;
    if (now !== home && (home || id !== undefined)) emit('conversation', detail);
    home = now;
  };
  own(front.$home.subscribe(tellHome));
  own(chat.$status.subscribe(tellHome));
  own(front.$objection.listen((no) => no && void failed(...reason(no.error, no.proof === true))));
  own(front.$letIn.listen((who) => who && emit('identify', who)));
  own(
    chat.$action.listen(
      (pressed) => pressed && emit('action', { ...pressed, conversation: front.$home.get() }),
    ),
  );
  // A message of the visitor: it waited, and now it has a number, or was refused.
  let pending = new Map<string, RowState>();
  own(
    chat.$rows.subscribe((rows = []) => {
      const still = new Map<string, RowState>();
      for (const { key, mine, message, entry, state } of rows) {
        if (!mine) continue;
        const before = pending.get(key);
        if (!message) still.set(key, state);
        else if (before)
          emit('message', { id: message.id, from: 'visitor', conversation: front.$home.get() });
        // Of one that a page before this one has told of nothing more is said.
        if (state === 'failed' && before && before !== state && entry?.status !== OVERDUE)
          void failed('service', refusal(entry?.status));
      }
      pending = still;
      // The first message raises what may be kept.
      tellStatus();
    }),
  );

  const ended = new Promise<Outcome>((resolve) =>
    own(() => resolve({ ok: false, error: { kind: 'destroyed', message: 'Destroyed.' } })),
  );
  /** What only the engine can do. Where it does not come, that is told at once, and done when it does. */
  const answered = (result: Promise<Result<unknown>>, proven?: boolean): Promise<Outcome> =>
    Promise.race([
      result.then((answer) => said(answer, proven)),
      ended,
      listen().then((came) =>
        came
          ? ended
          : failed('notLoaded', 'The chat could not be loaded. It is tried again, and then this is done.'),
      ),
    ]);

  /** Words that wait for the engine: what is asked for after them is asked for after them. */
  let sending: Promise<unknown> | undefined;
  const asked = (result: () => Promise<Result<unknown>>, proven?: boolean): Promise<Outcome> =>
    answered(sending ? sending.then(result) : result(), proven);

  /** Who the visitor is, has been said: what belongs to whoever comes waits until they are there. */
  let turning = false;
  const turn: typeof asked = (...work) => {
    turning = true;
    return asked(...work);
  };

  const turned = async () => {
    if (!turning) return;
    await sending;
    if (await listen()) await Promise.race([chat.turned(), ended]);
  };

  const { host } = stage.launcher;
  const worn = new Set<string>();
  // A written element outlives its chat, and has a style of its own.
  own(() => dress(host, Object.fromEntries([...worn].map((token) => [token, '']))));

  const ask: Asked = {
    async send(text) {
      const words = textOf(text);
      if (!words?.trim()) return mistaken('send() needs some words, like send("Hello").');
      // Not later: whoever is told of a failure may send it once more.
      const came = Promise.race([listen(), ended]);
      sending = came;
      const here = await came;
      if (sending === came) sending = undefined;
      return here ? answered(chat.send(words.trim())) : failed('notLoaded', 'The chat could not be loaded.');
    },
    async draft(text) {
      const words = textOf(text);
      if (words === undefined) return mistaken('draft() needs some words, like draft("My order is late").');
      await turned();
      chat.setDraft(words);
      return DONE;
    },
    async reachOut(text) {
      const words = textOf(text)?.trim();
      if (!words) return mistaken('reachOut() needs some words, like reachOut("Can we help?").');
      const error = await invite.call(words);
      if (!error) return DONE;
      return error.kind === 'notLoaded' ? failed(error.kind, error.message) : { ok: false, error };
    },
    async typed(words) {
      await turned();
      chat.setDraft(`${chat.$draft.get()}${words}`);
      return DONE;
    },
    async identify(given) {
      const who = whoOf(given);
      if (typeof who === 'string') return mistaken(who);
      for (const { said } of strangersOf(given)) mistaken(said);
      const proven = who.identifier_hash !== undefined;
      const named = async () => {
        const answer = await chat.identify(who);
        if (answer.ok && proven) emit('identify', { identifier: who.identifier });
        return answer;
      };
      return turn(named, proven);
    },
    async setAttributes(given) {
      const about = attributesOf(given);
      if (typeof about === 'string') return mistaken(about);
      const { contact, conversation } = about;
      const outcome = await asked(async () => {
        // Both at once: of the same visitor, whoever is named meanwhile.
        const told = await Promise.all([
          contact && chat.describe({ custom_attributes: contact }),
          conversation && chat.tellAbout({ contact: {}, conversation }, Object.keys(conversation), []),
        ]);
        return told.find((one) => one?.ok === false) ?? { ok: true, value: undefined };
      });
      if (!outcome.ok || !conversation || front.$home.get() === undefined) return outcome;
      return failed('begun', 'The conversation has begun: its attributes go with the next one.');
    },
    async setLocale(tag) {
      const locale = localeOf(tag);
      if (!locale) return mistaken('setLocale() needs a language tag, like setLocale("pt-BR").');
      stage.options = { ...stage.options, locale };
      // Whoever speaks without a window asks for it anew.
      if (!stage.chatWindow) stage.$language.set(undefined);
      await stage.making?.then(
        (made) => made.setLocale(locale),
        () => {},
      );
      return DONE;
    },
    async setTheme(given) {
      const wrong = themeOf(given, stage.launcher.root);
      if (wrong) return mistaken(wrong);
      const theme: Record<string, unknown> = { ...Object(given) };
      // What is taken back is as it was written; the scheme is so by itself.
      if ('accent' in theme) theme.accent ||= right.accent;
      dress(host, theme);
      for (const token of Object.keys(theme)) worn.add(token);
      stage.shell?.dress();
      contrast(stage);
      return DONE;
    },
    async allow(given) {
      const level = levelOf(given);
      if (!level) return mistaken('allow() needs "memory", "session" or "persistent".');
      return asked(async () => {
        await chat.allow(level);
        void invite.reachOut();
        tellStatus();
        return { ok: true, value: undefined };
      });
    },
    reset: () => turn(chat.logout),
    forget: () => turn(chat.forget),
    perf: () => measure(stage),
  };
  return {
    ask,
    explain: (wrong) => explain(wrong, options),
  };
}

/** What the service says of each value; never the value itself. */
const complaints = (fields: readonly FieldError[]) =>
  `The service does not take ${fields.map(({ field, message }) => `${field} (${message})`).join(', ')}.`;

/** @param status none of HTTP's when the service said no more than that */
const refusal = (status = 0) =>
  `A message of the visitor was not delivered${status > 0 ? `: the service answered with ${status}` : ''}.`;

/** @param proven a proof of identity went along: whoever says no then, says it to that */
function reason(error: ChatError, proven: boolean): [Failure['kind'], string] {
  switch (error.kind) {
    case 'network':
    case 'unsent':
      return ['network', 'The service could not be reached.'];
    case 'http':
      return proven && (error.status === 401 || error.status === 403 || error.status === 500)
        ? [
            'refused',
            'The service does not take this hash: make it on your server, as HMAC-SHA256 of the identifier with the key of this inbox.',
          ]
        : [
            'service',
            error.fields.length ? complaints(error.fields) : `The service answered with ${error.status}.`,
          ];
    case 'contract':
      return ['service', 'The service answered with something else.'];
    case 'storage':
      return ['storage', 'The browser does not let us keep it.'];
    case 'gone':
      return ['gone', 'The visitor became another one meanwhile.'];
  }
}

/**
 * Door 2, the front of a chat: the stores that a window shows and the verbs that it calls, there at once, so that
 * the visitor can type while the engine (door 4) is on its way; what is called before waits for it. The window's
 * own facts live here, kept and the same in all tabs: open or not, what was typed and not sent, what was seen.
 */
import { atom, type ReadableAtom, type WritableAtom } from 'nanostores';
import type { ContactFields, SubmittedValues } from '../api/inbox.js';
import type { ChatError, Result } from '../errors.js';
import type { ConversationLine } from '../model/conversations.js';
import type { Hours } from '../model/hours.js';
import type { About } from '../model/ledger.js';
import type { Row } from '../model/transcript.js';
import { type PageEnv, pageEnv } from '../page-env.js';
import type { KeptFile } from '../page-held.js';
import type { Level } from '../parley.js';
import { createLocal, type Local, localKey, scopeKey } from '../storage/local.js';
import type { Message, Sender } from '../wire/message.js';
import type { ChatOptions } from './chat-options.js';
import { createDraft } from './draft.js';
import { dropFacts, HABITS, LEAVING } from './facts.js';
import type { Kept } from './kept.js';

/**
 * The line to the service: `idle` nobody needs one · `connecting` · `live` the socket is confirmed · `polling` only
 * REST answers · `down` no answer, it is tried again.
 */
export type LineState = 'idle' | 'connecting' | 'live' | 'polling' | 'down';

/** What the visitor should know about the chat as a whole. */
export type Trouble =
  /** The service answers no to everything: wrong inbox, or switched off. */
  | 'unavailable'
  /** Nothing outlives this page. */
  | 'notKept';

/** What the visitor wishes, on every page: kept, and the same in all tabs. */
export interface Wishes {
  muted?: boolean;
  /** A notice of the browser for a message that comes while the page is hidden. */
  notify?: boolean;
  /** A larger window, where there is room beside the page. */
  larger?: boolean;
}

/** What only the engine can do. */
export interface Verbs {
  /** Keeps the words, then sends them. On `storage` nothing was kept and the caller still has them. */
  send: (content: string, files?: KeptFile[]) => Promise<Result<string>>;
  /** The same, for what the visitor sends themselves: it is of no other than whoever they are then. */
  press: (content: string, files?: KeptFile[]) => Promise<Result<string>>;
  retry: (echoId: string) => Promise<void>;
  /** False when it may have arrived already, so that it cannot be taken back. */
  discard: (echoId: string) => Promise<boolean>;
  /** What was written and attached, when it surely has not arrived; an upload is ended for it. */
  takeBack: (echoId: string) => Promise<{ content: string; files: KeptFile[] } | undefined>;
  /** The files of a message that was not sent. */
  files: (echoId: string) => Promise<Result<KeptFile[]>>;
  loadOlder: () => Promise<Result<void>>;
  /** Answers an interactive message; repeated, the later answer takes the place of the one before. */
  answer: (
    message: Pick<Message, 'id' | 'conversation_id'>,
    values: SubmittedValues,
  ) => Promise<Result<void>>;
  /** Tells the service more about the visitor. */
  updateContact: (fields: Pick<ContactFields, 'name' | 'email' | 'phone_number'>) => Promise<Result<void>>;
  /** What the host page says of the visitor: told with the first words, or at once to a service that knows them. */
  describe: (fields: Pick<ContactFields, 'custom_attributes'>) => Promise<Result<unknown>>;
  /**
   * The host page says who the visitor is. Another identifier than before begins anew: nothing of the old identity
   * is shown, sent or kept. `identifier_hash` is kept in memory only.
   */
  identify: (fields: ContactFields & { identifier: string }) => Promise<Result<unknown>>;
  /** Ends the identity in every tab, offline too; words that were not sent are discarded. */
  logout: () => Promise<Result<unknown>>;
  /** Ends the identity as `logout` does, and removes the wishes of this browser with it. */
  forget: () => Promise<Result<unknown>>;
  /** Fills `$conversations`. */
  listConversations: () => Promise<Result<unknown>>;
  /** Leaves the current one; the next words make another. False while words wait that belong to it. */
  newConversation: () => Promise<Result<boolean>>;
  /** Goes on with another one. False while words wait. */
  chooseConversation: (id: number) => Promise<Result<boolean>>;
  /** Ends the current one at the service; a message opens it again. False while words wait. */
  endConversation: () => Promise<Result<boolean>>;
  /** Keeps what the visitor says of themselves, for the first message to take along. */
  tellAbout: (about: About, names: readonly string[], forGood: readonly string[]) => Promise<Result<unknown>>;
  /** Brings `$hours` up to date; asks the service at most every ten minutes. */
  lookAtHours: () => Promise<Result<unknown>>;
  /** Once whoever was named by the calls before is there, or gone. */
  turned: () => Promise<unknown>;
  /** More may be kept than before: what there is goes along. */
  allow: (level: Level) => Promise<void>;
  /** What this browser keeps of the visitor. */
  kept: () => Promise<Kept>;
  typed: (draft: string) => void;
  stopTyping: () => void;
  destroy: () => void;
}

/** Those that outlast an engine and its identity: the chat itself has them. */
export type OwnVerb =
  | 'press'
  | 'destroy'
  | 'logout'
  | 'forget'
  | 'identify'
  | 'describe'
  | 'turned'
  | 'allow';

/** The message whose files are leaving, and how much of them has left, from 0 to 1. */
export interface Progress {
  echoId: string;
  fraction: number;
}

/** What the engine tells the window, store by store. */
interface Told {
  /** Undefined until it is known whether there is a conversation; empty when there is none. */
  $rows: Row[] | undefined;
  $open: boolean;
  /** The number of the current conversation, once there is one. */
  $home: number | undefined;
  $progress: Progress | undefined;
  $unread: number;
  $line: LineState;
  $troubles: readonly Trouble[];
  $typing: Sender | undefined;
  $hasOlder: boolean | undefined;
  /** All conversations of the visitor, the latest first; undefined until they are asked for. */
  $conversations: readonly ConversationLine[] | undefined;
  /** Of the current one: `open`, `resolved`, `pending` or `snoozed`; undefined when it is not known. */
  $status: string | undefined;
  /** The names of facts that are known before the first message; null once there is a conversation. */
  $known: readonly string[] | null | undefined;
  /** Undefined until it is known, and where the owner has set no hours. */
  $hours: Hours | undefined;
  /** The service has said that nobody of the team is there; false while that is not known. */
  $nobody: boolean;
  /** What the other side has said and the visitor has not seen, in any conversation, oldest first. */
  $news: readonly Message[];
  $wishes: Wishes;
}
type Readable<Stores> = { [N in keyof Stores]: ReadableAtom<Stores[N]> };
type Writable<Stores> = { [N in keyof Stores]: WritableAtom<Stores[N]> };

export interface Chat extends Omit<Verbs, 'typed' | 'takeBack'>, Readable<Told> {
  $draft: ReadableAtom<string>;
  /** Chosen for the next message; as long as this page. */
  $files: ReadableAtom<readonly File[]>;
  /** The button of a card that was pressed last, by what the other side has written for the page to read. */
  $action: WritableAtom<{ payload: string } | undefined>;
  setWish: (wish: Wishes) => void;
  /** What they had seen when window or conversation was opened: the rest was new. @param anew from now on, what by now */
  seenBefore: (anew?: boolean) => number;
  /** Messages of the other side that come while this page looks on, in any conversation, each once; never history. */
  onArrival: (work: (message: Message) => void) => () => void;
  setOpen: (open: boolean) => void;
  /** Why the window does not show what comes; empty where it does. */
  $away: ReadableAtom<string>;
  /** In an open window, too, what comes may be out of sight: until then it has not been seen. @returns whether it is so */
  away: (why: 'up' | 'covered' | 'picture' | 'turning' | 'behind' | 'offscreen', is?: boolean) => boolean;
  setDraft: (draft: string) => void;
  setFiles: (files: readonly File[]) => void;
  /** Adds files that come later than they were chosen to where that was. @returns whether it is still shown */
  place: () => (files: readonly File[]) => boolean;
  /** Small facts of this browser, as what was picked last; of unknown shape when they come back. */
  recall: (name: string) => unknown;
  /** @param value undefined when it is not to be kept any more */
  keep: (name: string, value: unknown) => void;
  /** Takes a message back into the draft, as far as it surely has not arrived. */
  edit: (echoId: string) => Promise<void>;
  /** Sends the draft and its files. What cannot be kept comes back to it. */
  submit: (ready?: Promise<boolean>) => Promise<Result<unknown>>;
}

/** The engine's side of the front. */
export interface Front extends Writable<Told> {
  chat: Chat;
  local: Local;
  /** The newest message of the other side that the visitor has had before their eyes; before that, where they began. */
  $seenId: WritableAtom<number>;
  see: (id: number) => void;
  /** When an agent last looked at the conversation: seconds, by the service's clock. */
  $seenAt: WritableAtom<number>;
  /** Another conversation is before the visitor's eyes, in which what has this id and higher ones is new. */
  newFrom: (id: number) => void;
  arrived: (message: Message) => void;
  /** Why the service did not take what the host page says of the visitor; `proof` when it is the proof of who they are. */
  $objection: WritableAtom<{ error: ChatError; proof?: true } | undefined>;
  /** Who the visitor has become, other than by a proof whose call is told of it itself: by none when they have left. */
  $letIn: WritableAtom<{ identifier: string | undefined } | undefined>;
  /** What was to be sent is written on. */
  give: (words: string, files: readonly KeptFile[]) => void;
  /** The visitor goes from one conversation to another, or to one that the next words make. */
  turn: (from: number | undefined, to: number | undefined, asked: string) => void;
  turnFiles: (from: number | undefined, to: number | undefined) => void;
  /** Something was sent here and is not kept yet. */
  leaving: () => boolean;
  /** Nothing was written, and nothing was seen. @param same by the same person: what was written stays */
  empty: (same: boolean) => void;
  /** The engine has come: what was called meanwhile is carried out. @param verbs of the identity of the moment */
  fill: (verbs: () => Verbs) => void;
}

// Scalars are checked by hand: the schema library comes with the engine.
const asBoolean = (value: unknown) => value === true;
const asId = (value: unknown) => (typeof value === 'number' ? value : 0);
const asWishes = (value: unknown): Wishes => {
  const said: unknown[] = Array.isArray(value) ? value : [];
  const [muted = false, notify = false, larger = false] = said.map(asBoolean);
  return { muted, notify, larger };
};

export function createFront(options: ChatOptions, env: PageEnv = pageEnv()): Front {
  const scope = scopeKey(options.baseUrl, options.inboxIdentifier);
  // The window of a chat that was here before went with it.
  env.left?.get(scope)?.facts.delete(localKey(scope, 'open'));
  const local = createLocal(env, scope, env.left?.get(scope));
  // Of somebody who has left nothing is shown. Their key stays until the engine has ended them.
  if (local.get(LEAVING)) dropFacts(local, [...HABITS, '']);
  const $open = atom(!options.inside && asBoolean(local.get('open')));
  const $seenId = atom(asId(local.get('seen')));
  const stores: Omit<Writable<Told>, '$open'> &
    Pick<Front, '$objection' | '$letIn'> &
    Pick<Chat, '$action'> & { $away: WritableAtom<string> } = {
    $home: atom(undefined),
    $rows: atom(undefined),
    $unread: atom(0),
    $line: atom('idle'),
    $troubles: atom([]),
    $typing: atom(undefined),
    $hasOlder: atom(undefined),
    $progress: atom(undefined),
    $conversations: atom(undefined),
    $status: atom(undefined),
    // Who has never written here has told nothing.
    $known: atom(local.get('') ? undefined : []),
    $hours: atom(undefined),
    $nobody: atom(false),
    $news: atom([]),
    $wishes: atom(asWishes(local.get('wishes'))),
    $objection: atom(undefined),
    $letIn: atom(undefined),
    $action: atom(undefined),
    $away: atom(''),
  };
  const $seenAt = atom(0);
  let seenBefore = $seenId.get();
  const whys = new Set<string>();
  /** What is new in a conversation that was chosen before the window is open. */
  let chosen = Infinity;
  const newFrom = (id: number) => {
    seenBefore = Math.min($seenId.get(), id - 1);
    chosen = $open.get() ? Infinity : id;
    return seenBefore;
  };
  const setOpen = (open: boolean) => {
    if (open && !$open.get()) {
      newFrom(chosen);
      chosen = Infinity;
    }
    $open.set(open);
  };
  const arrivals = new Set<(message: Message) => void>();
  const undos = [
    local.onChange('open', (value) => options.inside || setOpen(asBoolean(value)), true),
    local.onChange('wishes', (value) => stores.$wishes.set(asWishes(value))),
    local.onChange('seen', (value) => $seenId.set(Math.max($seenId.get(), asId(value)))),
  ];
  let verbs: (() => Verbs) | undefined;
  let fill: (verbs: () => Verbs) => void = () => {};
  const filled = new Promise<() => Verbs>((resolve) => {
    fill = resolve;
  });
  /** Called before the engine is there, it waits for it. */
  const late =
    <A extends unknown[], R>(verb: (engine: Verbs) => (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> =>
      verb((await filled)())(...given);
  let destroyed = false;
  const draft = createDraft(local, filled, (words) => verbs?.().typed(words));
  undos.push(draft.undo);

  const chat: Chat = {
    ...stores,
    $open,
    $draft: draft.$draft,
    $files: draft.$files,
    seenBefore: (anew) => (anew ? newFrom(Infinity) : seenBefore),
    onArrival(work) {
      arrivals.add(work);
      return () => arrivals.delete(work);
    },
    setOpen(open) {
      if ($open.get() === open) return;
      setOpen(open);
      if (!options.inside) local.set('open', open);
    },
    away(why, is = whys.has(why)) {
      if (is) whys.add(why);
      else whys.delete(why);
      stores.$away.set([...whys].join());
      return is;
    },
    recall: local.get,
    keep: (name, value) => (value === undefined ? local.remove(name) : local.set(name, value)),
    setDraft: draft.set,
    setFiles: (files) => draft.$files.set(files),
    place: draft.place,
    async edit(echoId) {
      const taken = await (await filled)().takeBack(echoId);
      if (taken) draft.give(taken.content, taken.files);
    },
    submit: draft.submit,
    setWish(wish) {
      const wishes = { ...stores.$wishes.get(), ...wish };
      stores.$wishes.set(wishes);
      local.set('wishes', [wishes.muted, wishes.notify, wishes.larger]);
    },
    send: late((engine) => engine.send),
    press: late((engine) => engine.press),
    retry: late((engine) => engine.retry),
    discard: late((engine) => engine.discard),
    files: late((engine) => engine.files),
    loadOlder: late((engine) => engine.loadOlder),
    answer: late((engine) => engine.answer),
    updateContact: late((engine) => engine.updateContact),
    describe: late((engine) => engine.describe),
    identify: late((engine) => engine.identify),
    logout: late((engine) => engine.logout),
    forget: late((engine) => engine.forget),
    listConversations: late((engine) => engine.listConversations),
    newConversation: late((engine) => engine.newConversation),
    chooseConversation: late((engine) => engine.chooseConversation),
    endConversation: late((engine) => engine.endConversation),
    tellAbout: late((engine) => engine.tellAbout),
    lookAtHours: late((engine) => engine.lookAtHours),
    turned: late((engine) => engine.turned),
    allow: late((engine) => engine.allow),
    kept: late((engine) => engine.kept),
    stopTyping: () => verbs?.().stopTyping(),
    destroy() {
      destroyed = true;
      for (const undo of undos) undo();
      draft.hold();
      env.left?.set(scope, local.held);
      verbs?.().destroy();
    },
  };

  return {
    ...stores,
    chat,
    local,
    $open,
    $seenId,
    $seenAt,
    newFrom,
    see(id) {
      $seenId.set(id);
      local.set('seen', id);
    },
    arrived: (message) => arrivals.forEach((work) => void work(message)),
    give: draft.give,
    turn: draft.turn,
    turnFiles: draft.turnFiles,
    leaving: draft.leaving,
    empty(same) {
      if (same) draft.gather();
      else draft.clear();
      $seenId.set(asId(local.get('seen')));
      seenBefore = $seenId.get();
    },
    fill(engine) {
      if (destroyed) return engine().destroy();
      verbs = engine;
      fill(engine);
    },
  };
}

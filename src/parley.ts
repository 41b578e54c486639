/**
 * What an owner's page holds in its hands: the calls of a chat, its events, and what they tell. Types alone; it does
 * not know how any of it is done.
 */

/** What an attribute may be. */
export type Scalar = string | number | boolean;

/** How much of the visitor is kept: for this page, for this tab, or in this browser. */
export type Level = 'memory' | 'session' | 'persistent';

/**
 * Why a call could not be carried out. `kind` is for programs and stays as it is, `message` is a sentence for people
 * and may change.
 */
export interface Failure {
  kind: /** An option or an argument is wrong; the sentence says what to write. */
    | 'wrong'
    /** Nothing may be fetched or kept before `allow()`. */
    | 'consent'
    /** The chat is hidden, by `hide()`, by its pages or by its hours. */
    | 'hidden'
    /** The visitor has opened the chat or written, or has sent these words away; or that could not be remembered. */
    | 'unwanted'
    /** After `destroy()`. */
    | 'destroyed'
    /** The files of the chat could not be fetched. */
    | 'notLoaded'
    /** The service could not be reached. */
    | 'network'
    /** The service does not take the proof of who the visitor is. */
    | 'refused'
    /** The service answered, and not with what was asked for. */
    | 'service'
    /** The browser would not keep it. */
    | 'storage'
    /** The visitor became another one meanwhile. */
    | 'gone'
    /** The conversation has begun: its attributes can be set only with its beginning, so they wait for the next one. */
    | 'begun';
  message: string;
}

/** Calls never throw and never reject: they say what became of them. */
export type Outcome = { ok: true } | { ok: false; error: Failure };

/** Who the visitor is, as the page knows it; null is nothing, as for what is absent. */
export interface Who {
  /** Your own name for this person, the same for ever. */
  identifier: string;
  /** HMAC-SHA256 of `identifier` with the inbox's key, made by your server, as 64 hexadecimal digits. */
  hash?: string | null | undefined;
  name?: string | null | undefined;
  email?: string | null | undefined;
  /** With its country, like "+4670123456". */
  phone?: string | null | undefined;
  /** The address of a picture. */
  avatar?: string | null | undefined;
  /** More about the person, for your team to read. */
  attributes?: Readonly<Record<string, Scalar | null | undefined>> | null | undefined;
}

/** Null is nothing here, too: what was said before stands. */
export interface Attributes {
  contact?: Readonly<Record<string, Scalar | null | undefined>> | undefined;
  /** Taken along by the next conversation that begins. */
  conversation?: Readonly<Record<string, Scalar | null | undefined>> | undefined;
}

/** The same tokens as the `--parley-` properties of a style sheet; what is an empty text goes back to what it was. */
export interface Theme {
  accent?: string | undefined;
  scheme?: 'auto' | 'light' | 'dark' | '' | undefined;
  onAccent?: string | undefined;
  surface?: string | undefined;
  text?: string | undefined;
  muted?: string | undefined;
  line?: string | undefined;
  control?: string | undefined;
  bubble?: string | undefined;
  focus?: string | undefined;
  danger?: string | undefined;
  font?: string | undefined;
  radius?: string | undefined;
}

/** How the chat is doing. */
export interface Status {
  /** The window is before the visitor's eyes. */
  open: boolean;
  /**
   * The line to the service: `idle` nobody needs one · `connecting` · `live` · `polling` without a socket · `down`, it
   * is tried again.
   */
  line: 'idle' | 'connecting' | 'live' | 'polling' | 'down';
  /** How much of the visitor is kept; `memory` until the chat's files are there, whatever has been kept before. */
  storage: Level;
  /** `unavailable` the service says no to everything, as for a wrong inbox · `notKept` nothing outlives this page. */
  trouble?: 'unavailable' | 'notKept' | undefined;
}

/** What we have cost the page so far. What the browser does not measure is absent. */
export type Perf =
  | {
      ok: true;
      /** Compressed bytes of our files, where their host lets the browser tell and no bundle holds them. */
      bytes?: number | undefined;
      /** Files and answers of the service that were fetched. */
      requests?: number | undefined;
      /** Milliseconds that our scripts kept the page busy, each time that it was more than 50; from a bundle unknown. */
      longTasks?: readonly number[] | undefined;
      /** Sum of the layout shifts in which something of ours moved. */
      layoutShift?: number | undefined;
    }
  | { ok: false; error: Failure };

/** What each listener is told. No event holds words of a conversation, nor a key. */
export interface Events {
  /** The chat is on the page and can be called. Heard by whoever listens later, too. */
  ready: undefined;
  /** The window has been opened, by whomever. */
  open: undefined;
  /** The window has been closed, by whomever. */
  close: undefined;
  /** Something was said: by your side, or by the visitor, whose message the service has now. */
  message: { id: number; from: 'team' | 'visitor'; conversation: number | undefined };
  /** So many messages have not been seen. */
  unread: number;
  /** Another conversation, or another state of it: `open`, `resolved`, `pending` or `snoozed`. */
  conversation: { id: number | undefined; status: string | undefined };
  /** Any of it has changed. */
  status: Status;
  /** The visitor has pressed a button of a card: what your side has written as its `payload`, or else as its words. */
  action: { payload: string; conversation: number | undefined };
  /** The visitor is now known by this identifier, in whatever tab that was said; by none once they have left. */
  identify: { identifier: string | undefined };
  /** What could not be done, whoever asked for it; `hidden`, `unwanted`, `consent` and `destroyed` are told to the caller alone. */
  error: Failure;
}

export type Listener<E extends keyof Events> = (detail: Events[E]) => void;

export interface Parley {
  /** Shows the window, as a press on the launcher would. */
  open(): Promise<Outcome>;
  /** Closes the window; the launcher stays. */
  close(): Promise<Outcome>;
  /** Opens the window, or closes it when it is open. */
  toggle(): Promise<Outcome>;
  /** Takes `hide()` back. */
  show(): void;
  /** Closes the window and hides the launcher, until `show()`. */
  hide(): void;
  /** Sends words in the visitor's name. Done once they are kept: they leave as soon as there is a line. */
  send(text: string): Promise<Outcome>;
  /** Puts words into the composer, in the place of what stands there, for the visitor to send. */
  draft(text: string): Promise<Outcome>;
  /**
   * Says words of yours beside the launcher, now, to whoever has neither opened the chat nor written. What stands there
   * of `outreach`, or of another call, gives way.
   */
  reachOut(text: string): Promise<Outcome>;
  /** Says who the visitor is. With another identifier than before the chat begins anew. */
  identify(who: Who): Promise<Outcome>;
  /** Says more about the visitor, or about the conversation that begins next. */
  setAttributes(attributes: Attributes): Promise<Outcome>;
  /**
   * Another language, at once.
   * @param tag a language tag, like `pt-BR`
   */
  setLocale(tag: string): Promise<Outcome>;
  /** Colours and measures of this chat alone. An empty text takes one back. */
  setTheme(theme: Theme): Promise<Outcome>;
  /** How much of the visitor may be kept. Raises, and never lowers. */
  allow(level: Level): Promise<Outcome>;
  /** The visitor has logged out: the chat forgets who they were, in every tab. */
  reset(): Promise<Outcome>;
  /** As `reset()`, and all wishes of this browser with it. */
  forget(): Promise<Outcome>;
  /** Takes the chat off the page without a trace. What is kept stays kept. */
  destroy(): void;
  /** How the chat is doing, now. */
  status(): Status;
  /** How many messages have not been seen. */
  unread(): number;
  /** Listens to an event. Returns its undo. */
  on<E extends keyof Events>(event: E, listener: Listener<E>): () => void;
  /** Listens no more. */
  off<E extends keyof Events>(event: E, listener: Listener<E>): void;
  /** What the chat has cost the page so far, as the browser measured it. */
  perf(): Promise<Perf>;
  /** Runs work as soon as this task has ended; on the page's own list, as soon as the chat is there. */
  push(work: (chat: Parley) => void): void;
}

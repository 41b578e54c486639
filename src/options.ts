/**
 * What an owner may set, as a type, in the words of `options-table.ts`. What each value may be is in `option-kinds.ts`
 * by kind, and in `owner/explain.ts` in words.
 */
import type { Level } from './parley.js';

/** One question before the first message. */
export interface Question {
  /** `name`, `email` and `phone_number` become the contact's, any other an attribute of the conversation. */
  name: string;
  label?: string | undefined;
  /** Default `text`. */
  type?: 'text' | 'email' | 'tel' | 'select' | 'checkbox' | 'consent' | undefined;
  required?: boolean | undefined;
  /** For `select`. */
  options?: readonly string[] | undefined;
}

/** A sentence, or its forms for each number that the language tells apart; `other` always. */
export type Sentence = string | { readonly [category: string]: string; readonly other: string };

/** What a sentence of ours is called. */
export type SentenceName = keyof typeof import('./text/english.js').english;

/** An editor offers the names that there are; any other is taken, too, and named by the doctor. */
export type OwnSentences = { readonly [Name in SentenceName]?: Sentence } & {
  readonly [name: string]: Sentence | { readonly [name: string]: Sentence };
};

export interface ParleyOptions {
  /** Where the service is. */
  baseUrl: string;
  /** Names an inbox of the API kind. */
  inboxIdentifier: string;
  /** The nonce of your security policy, for files that are fetched later; a tag’s own is taken by itself. */
  nonce?: string | undefined;
  /**
   * A selector (or in a program an element) in which the window stands as a part of the page, in that
   * element’s size, so it needs a height of its own; there is no launcher then.
   */
  inside?: Element | string | undefined;
  /**
   * Patterns of paths that show the chat, apart by commas: `*` is anything, `!` takes a page away, and the
   * last one that fits decides: `/help/*, !/help/old`. Where the first one takes a page away, all others show
   * it. Followed while the address changes.
   */
  pages?: string | readonly string[] | undefined;
  /**
   * `intent`: nothing is fetched before the visitor wants to chat, or has chatted before; `load`: soon after
   * the page; `allow`: nothing is shown, fetched or kept before you call `allow()`, unless the visitor has
   * chatted before.
   */
  connect?: 'intent' | 'load' | 'allow' | undefined;
  /**
   * How much of the visitor may be kept before they have written or you have called `allow()`: in this
   * browser, in this tab, or as long as this page.
   */
  storage?: Level | undefined;
  /** `call`: only `allow()` raises that level, and a message does not. */
  consent?: 'message' | 'call' | undefined;
  /**
   * The first message of a conversation takes along, as attributes for your team and its automation rules, the
   * `referer`, which is the address of the page without query and fragment, and the `browser_language`; what you set
   * by these names yourself wins.
   */
  tellPage?: boolean | undefined;
  /** `calm` looks four times more seldom for a lost line, for a service with very many visitors. */
  reconnect?: 'usual' | 'calm' | undefined;
  /** The corner; `end` is the right side of a page that is read from left to right. */
  position?: 'bottom-end' | 'bottom-start' | 'top-end' | 'top-start' | undefined;
  /** Pixels between the launcher and the side of the page. */
  offsetX?: number | undefined;
  /** Pixels between the launcher and the top or bottom of the page. */
  offsetY?: number | undefined;
  /** The same on a phone. */
  phoneOffsetX?: number | undefined;
  /** The same on a phone, for a bar that your page has there. */
  phoneOffsetY?: number | undefined;
  /** Of the launcher; the window lies in the browser’s top layer, where no `z-index` counts. */
  zIndex?: number | undefined;
  /**
   * `hidden`, or a selector of a button of your own in its place: a press on it opens and closes the chat.
   */
  launcher?: string | undefined;
  /** Words beside the icon. */
  launcherLabel?: string | undefined;
  /**
   * A selector of what your page lays along its edge, like a cookie banner or a bar of buttons: while one of
   * them is where the launcher stands, launcher and window stand beyond it; `auto`: whatever your page fixes there,
   * and the launcher leaves while a modal of your own making (`aria-modal`) is shown.
   */
  launcherAvoids?: string | undefined;
  /** The drawing on the launcher. */
  launcherIcon?: 'talk' | 'dots' | 'question' | 'mail' | undefined;
  /**
   * The address of a picture in the place of the drawing, like your logo; until it is there, and where it does
   * not come, the drawing stands.
   */
  launcherImage?: string | undefined;
  /**
   * Your brand’s colour, as `#…`, `rgb()`, `hsl()`, `hwb()` or a name, without transparency; all others are derived
   * from it.
   */
  accent?: string | undefined;
  /** By day, by night, or as the visitor’s system. */
  scheme?: 'auto' | 'light' | 'dark' | undefined;
  /** A language tag; 53 languages are spoken, others are answered in English. */
  locale?: string | undefined;
  /**
   * Sentences in the place of ours, as JSON on a tag; their names and words are in `sentences.json` of the package; under
   * a language tag stand those for that language alone, with what is yours: `title`, `greeting`, `outreach`, and
   * `preChat.topic` for the label of the question `topic`.
   */
  sentences?: OwnSentences | undefined;
  /** What stands above the thread. */
  title?: string | undefined;
  /** The first words of an empty thread, spoken as your team’s. */
  greeting?: string | undefined;
  /**
   * First words of yours beside the launcher, for whoever has neither opened the chat nor written; a press on
   * them opens it, with them as its greeting where you have set none, and once sent away they do not come back;
   * where nothing can be kept (`memory`, Global Privacy Control, refused storage) they do not come at all.
   */
  outreach?: string | undefined;
  /** Seconds that the page is seen before these come. */
  outreachAfter?: number | undefined;
  /** Patterns of paths on which they come, as in `pages`; elsewhere their time stands still. */
  outreachPages?: string | readonly string[] | undefined;
  /** How long an answer usually takes within office hours. */
  replyMinutes?: number | undefined;
  /**
   * Outside of the inbox’s office hours: `say` when somebody is back, `show` the chat as usual, or `hide` the
   * launcher, for which the service is asked on every page.
   */
  outsideHours?: 'say' | 'show' | 'hide' | undefined;
  /**
   * Questions before the first message, as JSON on a tag; each has a `name`, and may have a `label` and be
   * `required`; types are `text`, `email`, `tel`, `select` (with `options`), `checkbox` and `consent`, whose
   * labels may have links as in Markdown; a `consent` must always be ticked; `name`, `email` and `phone_number`
   * become the contact’s, others attributes of the conversation; what is the contact’s, and a `consent`, is asked
   * once, everything else before each conversation.
   */
  preChat?: readonly Question[] | undefined;
  /** Files, pictures and voice messages can be sent. */
  attachments?: boolean | undefined;
  /** Files that one message may have; 15 is what the service takes. */
  maxFiles?: number | undefined;
  /** Megabytes that one file may have; 40 is what the service takes, and more is for services that were set to take more. */
  maxFileMb?: number | undefined;
  /**
   * Kinds of files that can be sent, as in the `accept` of a file input (in a program a list, too); any other is
   * refused with a sentence, and a voice message is sent all the same.
   */
  fileTypes?: string | readonly string[] | undefined;
  /** Pictures are shrunk and lose what the camera wrote into them. */
  shrinkImages?: boolean | undefined;
  /** A sound on a new message, until the visitor mutes it. */
  sound?: boolean | undefined;
  /** New messages are counted in the title of the page while it is hidden. */
  countInTitle?: boolean | undefined;
  /** Every event is written into the console as it comes, without words and without who the visitor is. */
  debug?: boolean | undefined;
}

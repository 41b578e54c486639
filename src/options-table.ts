/**
 * Every option in one table, for whoever shows, explains or checks them all: the README, the playground, the tests. No
 * visitor is sent it. What it says must be what `options.ts` and `option-kinds.ts` say; a test reads all three.
 */
import { type ChoiceName, choices, type Kind, type KindName, kebab, kinds } from './option-kinds.js';
import type { ParleyOptions } from './options.js';

export type OptionName = keyof ParleyOptions;
export type OptionGroup = 'where' | 'looks' | 'words' | 'composer' | 'when' | 'privacy';

export interface OptionRow {
  name: OptionName;
  /** As it is written on the script tag. */
  attribute: string;
  kind: Kind | 'choice';
  /** For a choice: what may be written, what holds by itself first. */
  choices: readonly string[] | undefined;
  /** What holds where nothing is written, in the words of the README. */
  standard: string;
  group: OptionGroup;
  /** What it means, in Markdown. */
  meaning: string;
  /** A value that may be written, as it stands on a tag. */
  example: string;
  /** The owner's own file sees to it, and is fetched soon after the page: nothing is seen of the launcher before. */
  placed: boolean;
}

type Said = Pick<OptionRow, 'group' | 'meaning' | 'example'> & { standard?: string; placed?: true };

const said: Record<OptionName, Said> = {
  baseUrl: {
    group: 'where',
    standard: 'required',
    meaning: 'where the service is',
    example: 'https://support.example.com',
  },
  inboxIdentifier: {
    group: 'where',
    standard: 'required',
    meaning: 'names an inbox of the API kind',
    example: 'wq7Yx2mN4kTbR9cV1dZs8LpE',
  },
  nonce: {
    group: 'where',
    standard: 'the tag’s',
    meaning:
      'the nonce of your security policy, for files that are fetched later; a tag’s own is taken by itself',
    example: 'r4nd0m',
  },
  inside: {
    group: 'where',
    placed: true,
    standard: 'none',
    meaning:
      'a selector (or in a program an element) in which the window stands as a part of the page, in that element’s size, so it needs a height of its own; there is no launcher then',
    example: '#chat',
  },
  pages: {
    group: 'where',
    placed: true,
    standard: 'all',
    meaning:
      'patterns of paths that show the chat, apart by commas: `*` is anything, `!` takes a page away, and the last one that fits decides: `/help/*, !/help/old`. Where the first one takes a page away, all others show it. Followed while the address changes',
    example: '/help/*, !/help/old',
  },
  position: {
    group: 'looks',
    placed: true,
    meaning: 'the corner; `end` is the right side of a page that is read from left to right',
    example: 'bottom-start',
  },
  offsetX: {
    group: 'looks',
    placed: true,
    standard: '`20`',
    meaning: 'pixels between the launcher and the side of the page',
    example: '32',
  },
  offsetY: {
    group: 'looks',
    placed: true,
    standard: '`20`',
    meaning: 'pixels between the launcher and the top or bottom of the page',
    example: '32',
  },
  phoneOffsetX: {
    group: 'looks',
    placed: true,
    standard: 'as `offset-x`',
    meaning: 'the same on a phone',
    example: '12',
  },
  phoneOffsetY: {
    group: 'looks',
    placed: true,
    standard: 'as `offset-y`',
    meaning: 'the same on a phone, for a bar that your page has there',
    example: '72',
  },
  zIndex: {
    group: 'looks',
    placed: true,
    standard: '`2000000000`',
    meaning: 'of the launcher; the window lies in the browser’s top layer, where no `z-index` counts',
    example: '1000',
  },
  launcher: {
    group: 'looks',
    placed: true,
    standard: '`button`',
    meaning:
      '`hidden`, or a selector of a button of your own in its place: a press on it opens and closes the chat',
    example: '#help',
  },
  launcherLabel: {
    group: 'looks',
    placed: true,
    standard: 'none',
    meaning: 'words beside the icon',
    example: 'Need help?',
  },
  launcherAvoids: {
    group: 'looks',
    placed: true,
    standard: 'none',
    meaning:
      'a selector of what your page lays along its edge, like a cookie banner or a bar of buttons: while one of them is where the launcher stands, launcher and window stand beyond it; `auto`: whatever your page fixes there, and the launcher leaves while a modal of your own making (`aria-modal`) is shown',
    example: '#cookie-bar, .app-bar',
  },
  launcherIcon: {
    group: 'looks',
    placed: true,
    meaning: 'the drawing on the launcher',
    example: 'question',
  },
  launcherImage: {
    group: 'looks',
    placed: true,
    standard: 'none',
    meaning:
      'the address of a picture in the place of the drawing, like your logo; until it is there, and where it does not come, the drawing stands',
    example: '/logo.svg',
  },
  accent: {
    group: 'looks',
    placed: true,
    standard: '`#3a4fd8`',
    meaning:
      'your brand’s colour, as `#…`, `rgb()`, `hsl()`, `hwb()` or a name, without transparency; all others are derived from it',
    example: '#0b6e4f',
  },
  scheme: { group: 'looks', meaning: 'by day, by night, or as the visitor’s system', example: 'dark' },
  locale: {
    group: 'words',
    standard: 'the page’s language, else the browser’s',
    meaning: 'a language tag; 53 languages are spoken, others are answered in English',
    example: 'pt-BR',
  },
  sentences: {
    group: 'words',
    standard: 'none',
    meaning:
      'sentences in the place of ours, as JSON on a tag; their names and words are in `sentences.json` of the package; under a language tag stand those for that language alone, with what is yours: `title`, `greeting`, `outreach`, and `preChat.topic` for the label of the question `topic`',
    example: '{"title":"Ask us"}',
  },
  title: {
    group: 'words',
    standard: '“Chat with us”',
    meaning: 'what stands above the thread',
    example: 'Ask the shop',
  },
  greeting: {
    group: 'words',
    standard: 'none',
    meaning: 'the first words of an empty thread, spoken as your team’s',
    example: 'Hello! What are you looking for?',
  },
  outreach: {
    group: 'words',
    placed: true,
    standard: 'none',
    meaning:
      'first words of yours beside the launcher, for whoever has neither opened the chat nor written; a press on them opens it, with them as its greeting where you have set none, and once sent away they do not come back; where nothing can be kept (`memory`, Global Privacy Control, refused storage) they do not come at all',
    example: 'Can we help you choose?',
  },
  outreachAfter: {
    group: 'words',
    placed: true,
    standard: '`15`',
    meaning: 'seconds that the page is seen before these come',
    example: '30',
  },
  outreachPages: {
    group: 'words',
    placed: true,
    standard: 'all',
    meaning: 'patterns of paths on which they come, as in `pages`; elsewhere their time stands still',
    example: '/prices/*, /cart',
  },
  replyMinutes: {
    group: 'words',
    standard: 'none',
    meaning: 'how long an answer usually takes within office hours',
    example: '30',
  },
  outsideHours: {
    group: 'when',
    placed: true,
    meaning:
      'outside of the inbox’s office hours: `say` when somebody is back, `show` the chat as usual, or `hide` the launcher, for which the service is asked on every page',
    example: 'hide',
  },
  preChat: {
    group: 'composer',
    standard: 'none',
    meaning:
      'questions before the first message, as JSON on a tag; each has a `name`, and may have a `label` and be `required`; types are `text`, `email`, `tel`, `select` (with `options`), `checkbox` and `consent`, whose labels may have links as in Markdown; a `consent` must always be ticked; `name`, `email` and `phone_number` become the contact’s, others attributes of the conversation; what is the contact’s, and a `consent`, is asked once, everything else before each conversation',
    example: '[{"name":"email","type":"email","required":true}]',
  },
  attachments: {
    group: 'composer',
    standard: '`true`',
    meaning: 'files, pictures and voice messages can be sent',
    example: 'false',
  },
  maxFiles: {
    group: 'composer',
    standard: '`15`',
    meaning: 'files that one message may have; 15 is what the service takes',
    example: '3',
  },
  maxFileMb: {
    group: 'composer',
    standard: '`40`',
    meaning:
      'megabytes that one file may have; 40 is what the service takes, and more is for services that were set to take more',
    example: '10',
  },
  fileTypes: {
    group: 'composer',
    standard: 'all',
    meaning:
      'kinds of files that can be sent, as in the `accept` of a file input (in a program a list, too); any other is refused with a sentence, and a voice message is sent all the same',
    example: 'image/*,.pdf',
  },
  shrinkImages: {
    group: 'composer',
    standard: '`false`',
    meaning: 'pictures are shrunk and lose what the camera wrote into them',
    example: 'true',
  },
  sound: {
    group: 'composer',
    standard: '`true`',
    meaning: 'a sound on a new message, until the visitor mutes it',
    example: 'false',
  },
  countInTitle: {
    group: 'composer',
    standard: '`true`',
    meaning: 'new messages are counted in the title of the page while it is hidden',
    example: 'false',
  },
  connect: {
    group: 'when',
    meaning:
      '`intent`: nothing is fetched before the visitor wants to chat, or has chatted before; `load`: soon after the page; `allow`: nothing is shown, fetched or kept before you call `allow()`, unless the visitor has chatted before',
    example: 'load',
  },
  reconnect: {
    group: 'when',
    meaning: '`calm` looks four times more seldom for a lost line, for a service with very many visitors',
    example: 'calm',
  },
  debug: {
    group: 'when',
    standard: '`false`',
    meaning:
      'every event is written into the console as it comes, without words and without who the visitor is',
    example: 'true',
  },
  storage: {
    group: 'privacy',
    meaning:
      'how much of the visitor may be kept before they have written or you have called `allow()`: in this browser, in this tab, or as long as this page',
    example: 'memory',
  },
  consent: {
    group: 'privacy',
    meaning: '`call`: only `allow()` raises that level, and a message does not',
    example: 'call',
  },
  tellPage: {
    group: 'privacy',
    standard: '`false`',
    meaning:
      'the first message of a conversation takes along, as attributes for your team and its automation rules, the `referer`, which is the address of the page without query and fragment, and the `browser_language`; what you set by these names yourself wins',
    example: 'true',
  },
};

const isChoice = (name: OptionName): name is ChoiceName => Object.hasOwn(choices, name);
const isKind = (name: OptionName): name is KindName => Object.hasOwn(kinds, name);
const isOption = (name: string): name is OptionName => Object.hasOwn(said, name);

export const optionsTable: readonly OptionRow[] = Object.keys(said)
  .filter(isOption)
  .map((name) => {
    const { standard, placed = false, ...rest } = said[name];
    const all: readonly string[] | undefined = isChoice(name) ? choices[name] : undefined;
    return {
      name,
      attribute: `data-${kebab(name)}`,
      kind: isKind(name) ? kinds[name] : 'choice',
      choices: all,
      standard: standard ?? `\`${all?.[0]}\``,
      placed,
      ...rest,
    };
  });

/**
 * Makes the table of emoji when the files are built, out of two packages that visitors never meet: what there is and
 * how it is called, and the words people look for. It does not know how the picker looks; `table.ts` reads it.
 */
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

interface Described {
  name: string;
  group: string;
  emoji_version: string;
}

const require = createRequire(import.meta.url);

/** In the order of `groups` in EmojiText. No flags: Windows draws them as letters. */
const groups = [
  'Smileys & Emotion',
  'People & Body',
  'Animals & Nature',
  'Food & Drink',
  'Travel & Places',
  'Activities',
  'Objects',
  'Symbols',
];

/** What came later is an empty box on machines that are still in use. */
const NEWEST = 13;

/** Seldom sent, hard to tell from another one, or of a single country; also those whose skin tones came after 13. */
const LEFT_OUT =
  '☠🕳🗨🗯👹👺😼😽😿🙀😾😦😧' +
  '👯👪🤼💏💑🕴🖕🤰🦯🧍🧎👣🧖👰🤱👲👳🖖🫀🫁👥👤👫👬👭🛌🗣🧌🧔🚵🏇🤽🤾🏌⛹⛷🧜🧝🧞🧟🦹👼🤵🤺' +
  '🏵🐁🐀🐂🐃🐏🐐🐑🐈🐕🐩🐪🦗🦬🦣🦤🦫🪰🪱🪲🪳🪴🪶🦮🦟🦠💮🐽🐿🕸🦡🦨🦕🐎🐖🐄🐅🐆🐇🐉🐋🐒🐓🐍🐊☘🐗🐡🦗🦏🐫' +
  '🍢🍡🍥🍘🫓🫔🫕🥮🧆🧉🏺🔪🥫🥣🥟🥠🥡🥙🌰🍏🍈🍱🍶🍠🍙🥘🫑🦪🧈🍮🥨' +
  '⛩⛰⛱⛴⏲♨☄🌁🌂🌐🌑🌒🌓🌔🌕🌖🌗🌘🌚🌛🌜🌝🌫🌬🎠🎪🏘🏙🏚🏛🏜🏞🏟🏣🏤🏦🏩🏯💈💒🕋🕌🕍🕰🗼🗾🗻🚃🚄🚅🚇🚈🚉🚊🚋🚍🚎🚏🚐🚔🚖🚘🚛🚜🚝🚞🚟🚠🚡🚥🛕🛖🛢🛣🛤🛥🛩🛫🛬🛰🛳🛴🛺🛼🦼🦽🪐🪨🪵🧱🌨🌥🌦💺🏗⛪🌌🌎🌏🌩⛈⛲🏰🌉' +
  '♟♠♣🀄🃏🎋🎍🎎🎏🎐🎑🎖🎴🏉🏑🔫🕹🤿🥅🥋🥌🥍🥎🧧🪅🪆🪢🪡🎗🎟🎿🛷♦⛸🏏🥏🧨' +
  '⚒⚗⚰⚱⛏⛓✒🎙🎚🎛🎞🏮👘👙👛👝👡💴💷💶💹💽📀📇📐📑📒📓📔📕📗📘📙📜📟📠📯🗞📭📪📬📿📼🔏🔩🖇🖋🖲🗂🗃🗄🗜🗡🗳🗿🚬🛗🥻🦺🧢🧫🧮🧷🧿🩱🩲🩳🩴🪒🪔🪕🪖🪗🪚🪛🪜🪝🪞🪟🪠🪣🪤🪦🪧🎬🎥📽🏹🕯🪑🪓🩰🛡🗝🧴🥼🦯👢👚👖⛑🔈🔉📨📩🪘🛁🥾🥿🧯🚽🚿🧻🧹🧺🧼🧽⚔🪃📮🔐🖌🖍🎼👞📍🗒' +
  '©®⁉™↔↕↖↗↘↙↩↪⏏⏩⏪⏫⏬⏭⏮⏯⏸⏹⏺Ⓜ▪▫▶◀◻◼◽◾☑☢☣☦☪☯☸♀♂♈♉♊♋♌♍♎♏♐♑♒♓⚕⚛⚜⚧⛎✖✝✡✳✴❇❔❕➰➿⤴⤵〰〽㊗㊙🅰🅱🅾🅿🆎🆑🆒🆓🆔🆖🆙🆚🎦🏧💠💱💲📛📳📴📵🔀🔁🔂🔅🔆🔘🔙🔚🔛🔜🔝🔞🔟🔠🔡🔢🔣🔤🔯🔰🔱🔲🔳🔸🔹🔺🔻🔼🔽🕉🕎🚭🚮🚯🚰🚱🚳🚷🚸🚹🚺🚻🚼🚾🛂🛃🛄🛅🛐📶☮🔶🔷🔄🟫➗';

/** Words that people look for, the telling ones first: the first that a name does not have is kept beside it. */
const SEARCHED = (
  'lol thanks please sorry hello congratulations birthday wow yes no okay halloween christmas wine coffee tea ' +
  'email phone search write home car doctor dollar money idea luck winner fast slow stop ' +
  'warning quiet gift buy call pet hug scared crazy shy mad sleep sick strong cool tick party funny bad work time ' +
  'happy sad love'
).split(' ');

/** What some go by in chats, besides. */
const NICKNAMES: Record<string, string> = {
  '🙏': 'please;pray',
  '👍': 'like;+1;thumbsup',
  '👎': '-1;thumbsdown',
  '👋': 'wave;bye',
  '🎉': 'tada',
  '😂': 'laughing',
  '😊': 'smile',
};

/** Official names that say too much, or not what the drawing is known by. */
const shorter = (name: string): string =>
  name
    .toLowerCase()
    .replace('1st place', 'gold')
    .replace('2nd place', 'silver')
    .replace('3rd place', 'bronze')
    .replace(/^(?:person|backhand index) (?=\w+ing|shrug|facepalm)|’/g, '');

const alone = (emoji: string): number[] => [...emoji.replace('\ufe0f', '')].map((c) => c.codePointAt(0) ?? 0);

/** Each group begins with what it is known by, not with what had a number first. */
const place = (code: number, group: number): number =>
  (code - (group ? 0x1f300 : 0x1f600) + 0x40000) % 0x40000;

export interface Listed {
  code: number;
  emoji: string;
  /** English, lower case. */
  name: string;
}

/** Those that the picker shows, a list for each group, in the order in which they are shown. */
export function listed(): Listed[][] {
  const described: Record<string, Described> = require('unicode-emoji-json/data-by-emoji.json');
  const leftOut = new Set(LEFT_OUT);
  return groups.map((group, index) =>
    Object.entries(described)
      .filter(([, about]) => about.group === group && Number(about.emoji_version) <= NEWEST)
      .flatMap(([emoji, about]) => {
        const [code = 0, ...more] = alone(emoji);
        const skipped =
          more.length || leftOut.has(String.fromCodePoint(code)) || isClock(code) || isKana(code);
        return skipped ? [] : [{ code, emoji, name: shorter(about.name) }];
      })
      .sort((a, b) => place(a.code, index) - place(b.code, index)),
  );
}

/**
 * One line for a group. An entry is its name, then, after a semicolon each, other words to find it by, if there are
 * any. In front of it stands, in base 36, how many code points were left out.
 */
function makeTable(): string {
  const words: Record<string, string[]> = require('emojilib');
  const lines = listed().map((group) => {
    let before = 0;
    return group
      .map(({ code, emoji, name }) => {
        const gap = code - before - 1;
        before = code;
        const known = name.split(/[ -]/);
        const extra = SEARCHED.find((word) => words[emoji]?.includes(word) && !known.includes(word));
        const more = [extra, NICKNAMES[emoji]].filter(Boolean).map((word) => `;${word}`);
        return (gap ? gap.toString(36).toUpperCase() : '') + name + more.join('');
      })
      .join(',');
  });
  return lines.join('\n');
}

const isClock = (code: number): boolean => code >= 0x1f550 && code <= 0x1f567;
const isKana = (code: number): boolean => code >= 0x1f200 && code <= 0x1f251;

const NAME = 'virtual:parley-emoji';

/** The packages that the table is made of: their licences go where it goes. */
export const emojiSources = { [`\0${NAME}`]: ['unicode-emoji-json', 'emojilib'] };

export function emojiTable(): Plugin {
  return {
    name: 'parley-emoji',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load: (id) => (id === `\0${NAME}` ? `export default ${JSON.stringify(makeTable())}` : undefined),
  };
}

/**
 * Whether the tag is there once, and says what can be obeyed; and whether the style sheet's accent can be. Of a wrong
 * value it tells names alone.
 */
import type { Launcher } from '../embed/launcher.js';
import type { Given } from '../embed/options.js';
import { choices, kebab, kinds } from '../option-kinds.js';
import { accents, isAccent } from '../owner/accent.js';
import { corrections, wrongOptions } from '../owner/explain.js';
import { asSentences, defaults, readSettings } from '../settings.js';
import { english } from '../text/english.js';
import { type Finding, ok, problem, warning } from './finding.js';

const options = Object.keys({ ...choices, ...kinds });

/** How many letters have to be changed, put in or left out. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(
        Math.min((row[j] ?? 0) + Number(letter !== other), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** @param given also what was written beside the options, on a tag */
function misspelt(given: Given): Finding[] {
  return Object.keys(given)
    .filter((name) => !options.includes(name) && !['tag', 'wrong', 'scope'].includes(name))
    .flatMap((name) => {
      const near = options.find((option) => distance(name.toLowerCase(), option.toLowerCase()) <= 2);
      return near ? [warning(`There is no data-${kebab(name)}: did you mean data-${kebab(near)}?`)] : [];
    });
}

/** The doctor alone knows all of them: the window has those that it has needed so far. */
function unknownSentences(given: Given, said: string): Finding[] {
  const asked = readSettings(given).settings.preChat.flatMap(({ name, options }) =>
    ['', ...options.map((one) => `.${one}`)].map((more) => `preChat.${name}${more}`),
  );
  return [...(asSentences(given.sentences) ?? [])].flatMap(([tag, own]) => {
    const known = Object.keys(english);
    if (tag) known.push('greeting', 'outreach', ...asked);
    return Object.keys(own)
      .filter((name) => !known.includes(name))
      .map((name) => {
        const near = known.find((one) => distance(name.toLowerCase(), one.toLowerCase()) <= 2);
        return warning(
          `There is no sentence "${name}" in ${tag && `"${tag}" of `}${said}: ${near ? `did you mean "${near}"?` : 'write its name as it stands in sentences.json of the package.'}`,
        );
      });
  });
}

/** What browsers take for a colour, the window need not. */
function wrongAccent({ host, root }: Pick<Launcher, 'host' | 'root'>): Finding[] {
  const worn = getComputedStyle(host).getPropertyValue('--parley-accent').trim();
  return worn && !isAccent(root, worn) ? [problem(`--parley-accent must be ${accents}.`)] : [];
}

/** @param launcher wears what the page says of colours */
export function checkTag(given: Given, launcher: Pick<Launcher, 'host' | 'root'>): Finding[] {
  const onTag = given.tag !== undefined;
  const found: Finding[] = [];
  const names = new Set([...wrongOptions(given, launcher.root), ...readSettings(given).wrong]);
  for (const name of ['inboxIdentifier', 'nonce']) names.delete(name);
  for (const name of names) found.push(...corrections(name, given).map(problem));
  if (!names.has('accent')) found.push(...wrongAccent(launcher));
  if (onTag) found.push(...misspelt(given));
  if (readSettings(given).settings.maxFileMb > defaults.maxFileMb)
    found.push(
      warning(
        `${onTag ? 'data-max-file-mb' : 'maxFileMb'} is more than the ${defaults.maxFileMb} that a service takes by itself: unless yours was set to take more, it refuses such files once they have been sent.`,
      ),
    );
  found.push(...unknownSentences(given, onTag ? 'data-sentences' : 'sentences'));
  const tags = document.querySelectorAll('script[data-inbox-identifier]').length;
  if (tags > 1)
    found.push(
      warning(
        `This page has ${tags} tags of the chat: keep one, and make further chats with mount() of the package. The first one that ran is obeyed.`,
      ),
    );
  const chats = document.querySelectorAll('parley-chat').length;
  if (chats > Math.max(1, tags))
    found.push(ok(`This page has ${chats} chats; this is about the one that was there first.`));
  if (document.compatMode === 'BackCompat')
    found.push(
      warning('This page is in quirks mode: begin it with <!doctype html>, or its layout may surprise you.'),
    );
  return found.length
    ? found
    : [ok(onTag ? 'The tag is written as it should be.' : 'The options are written as they should be.')];
}

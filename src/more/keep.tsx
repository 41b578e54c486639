/** What is kept of the visitor, here and at the service; a copy of it, and the way to be forgotten. */
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { sizeOf } from '../content/size.js';
import { canSave, save } from '../export/save.js';
import { isTyped } from '../state/facts.js';
import type { Kept } from '../state/kept.js';
import type { Say } from '../text/text.js';
import { useSurroundings } from '../ui/context.js';
import { ScreenFrame, type ScreenProps } from './screen-frame.js';

export function Keep({ onLeave }: ScreenProps): JSX.Element {
  const { chat, say, locale, host = '', layer } = useSurroundings();
  const [kept, setKept] = useState<Kept>();
  const [asking, setAsking] = useState(false);
  const [said, setSaid] = useState('');
  /** Who has just been forgotten here had sent something. */
  const [sent, setSent] = useState(false);
  const look = async () => setKept(await chat.kept());
  useEffect(() => {
    void look();
    // Somebody else may be here: in another tab, too, they can have left.
    return chat.$known.listen(() => void look());
  }, [chat]);
  // With the drawing: the next Escape may be quicker than a frame.
  useLayoutEffect(() => (asking ? layer?.(() => setAsking(false)) : undefined), [asking]);

  function ask() {
    setSaid('');
    setAsking(true);
  }

  async function forget() {
    const { ok } = await chat.forget();
    if (ok) setSent(sent || kept?.known === true);
    setAsking(false);
    setSaid(say(ok ? 'forgotten' : 'forgetFailed'));
    await look();
  }

  async function copy(kept: Kept) {
    const saved = await save(
      'chat-data.json',
      'application/json',
      copyOf(kept, host, chat.$home.get()),
    ).catch(() => false);
    setSaid(saved === false ? say('saveFailed') : '');
  }

  // There before its words are, which are not heard everywhere else.
  const told = (
    <p key="told" class="good" role="status">
      {said}
    </p>
  );
  if (asking)
    return (
      <ScreenFrame title="forgetTitle" onBack={() => setAsking(false)}>
        {told}
        <p>{say('forgetText')}</p>
        {kept?.known && <p>{say('forgetThere', { host })}</p>}
        <div class="deeds">
          <button type="button" class="go danger" onClick={() => void forget()}>
            {say('forget')}
          </button>
          <button type="button" class="tall" onClick={() => setAsking(false)}>
            {say('forgetNot')}
          </button>
        </div>
      </ScreenFrame>
    );
  const lines = kept ? linesOf(kept, say, locale) : [];
  return (
    <ScreenFrame title="keep" onBack={() => onLeave('menu')}>
      {told}
      <p>{say('keepIntro')}</p>
      <h3>{say('keptHere')}</h3>
      {kept && !lines.length && <p>{say('keptNothing')}</p>}
      <ul class="kept">
        {lines.map(({ words, size }) => (
          <li key={words}>
            <span class="text">{words}</span>
            <span class="size">{size}</span>
          </li>
        ))}
      </ul>
      <h3>{say('keptThere')}</h3>
      <p>{say(kept?.known ? 'keptThereText' : sent ? 'forgetThere' : 'keptThereNothing', { host })}</p>
      <div class="deeds">
        {lines.length > 0 && kept && canSave() && (
          <button type="button" class="tall" onClick={() => void copy(kept)}>
            {say('saveData')}
          </button>
        )}
        {lines.length > 0 && (
          <button type="button" class="tall danger" onClick={ask}>
            {say('forget')}
          </button>
        )}
      </div>
    </ScreenFrame>
  );
}

/** By hand: the reduce of a page's old library may be another one. */
function sum(sizes: readonly number[]): number {
  let all = 0;
  for (const size of sizes) all += size;
  return all;
}

function linesOf({ facts, waiting, about, identity, known }: Kept, say: Say, locale: string) {
  const size = (names: (name: string) => boolean) =>
    sum(facts.filter(({ name }) => names(name)).map((fact) => fact.size));
  const isOurs = (name: string) => name === '' || name === 'ledger';
  const lines: { words: string; size: string }[] = [];
  const add = (words: string, bytes: number) => lines.push({ words, size: sizeOf(bytes, locale) });
  const keys = size((name) => name === '');
  if (known || keys) lines.push({ words: say('keptKey'), size: keys ? sizeOf(keys, locale) : '' });
  if (identity) add(say('keptIdentity'), bytesOf(identity));
  const drafts = size(isTyped);
  if (drafts) add(say('keptDraft'), drafts);
  const small = size((name) => !isTyped(name) && !isOurs(name));
  if (small) add(say('keptSmall'), small);
  if (Object.keys(about).length) add(say('keptAnswers'), bytesOf(JSON.stringify(about)));
  if (waiting.length) {
    const files = waiting.flatMap((message) => message.files);
    const words = say('keptWaiting', { count: waiting.length });
    add(words, sum(waiting.map(({ content }) => bytesOf(content))));
    if (files.length) add(say('keptFiles', { count: files.length }), sum(files.map((file) => file.size)));
  }
  return lines;
}

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/**
 * For a person to read or to take elsewhere; the contact's key is not in it, because it opens the conversation. By the
 * conversation's number agents find who asks them for what they keep, or not to keep it.
 */
function copyOf(
  { facts, waiting, about, identity, known }: Kept,
  host: string,
  conversation?: number,
): string {
  const settings = facts.filter(({ value }) => value !== undefined).map(({ name, value }) => [name, value]);
  return JSON.stringify(
    {
      service: host,
      knownToTheService: known,
      identifier: identity,
      conversation,
      settings: Object.fromEntries(settings),
      about,
      waiting,
    },
    null,
    2,
  );
}

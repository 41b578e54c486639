/** Cards with pictures and actions, and lists of articles. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { linkTo, misleads } from '../content/link.js';
import { near, saves, useBroken } from '../ui/avatar.js';
import { useSurroundings } from '../ui/context.js';
import type { Article, Card } from './read.js';

export function Cards({ cards }: { cards: readonly Card[] }): JSX.Element {
  return (
    <ul class="cards">
      {cards.map((card) => (
        <li class="card">
          {card.picture && <Picture url={card.picture} title={card.title} />}
          {card.title && (
            <p class="title" dir="auto">
              {card.title}
            </p>
          )}
          {card.description && (
            <p class="description" dir="auto">
              {card.description}
            </p>
          )}
          {card.actions.map(({ link, text, uri, payload }) =>
            link ? (
              <Out class="tall action" words={text} address={uri} />
            ) : (
              <Postback words={text} payload={payload} />
            ),
          )}
        </li>
      ))}
    </ul>
  );
}

export const Articles = ({ articles }: { articles: readonly Article[] }): JSX.Element => (
  <ul class="cards">
    {articles.map(({ title, description, link }) => (
      <li class="card article">
        <Out class="title" words={title} address={link} />
        {description && (
          <p class="description" dir="auto">
            {description}
          </p>
        )}
      </li>
    ))}
  </ul>
);

function Picture({ url, title }: { url: string; title: string }) {
  const { settings, say } = useSurroundings();
  const [wanted, setWanted] = useState(near(url, settings.baseUrl) && !saves());
  const [broken, onError] = useBroken();
  // The title stands below it.
  if (broken) return title ? null : <Out class="tall action" words={say('image')} address={url} />;
  if (wanted)
    return <img src={url} alt={title ? '' : say('image')} referrerpolicy="no-referrer" onError={onError} />;
  return (
    <button type="button" class="tall action" onClick={() => setWanted(true)}>
      {say('showPicture', { host: new URL(url).host })}
    </button>
  );
}

/** A refused address is words like any others: nothing that was written is hidden. */
function Out({ class: name, words, address }: { class: string; words: string; address: string }) {
  const { hostname } = window.location;
  const link = linkTo(address, hostname);
  if (!link.ok) {
    return (
      <p class="content" dir="auto">
        {words}
        {address && address !== words && ` (${address})`}
      </p>
    );
  }
  return (
    <a class={name} href={link.href} target="_blank" rel="noopener noreferrer nofollow ugc">
      <bdi>{words}</bdi>
      {misleads(words, link, hostname) && <bdi class="goes">({link.goes})</bdi>}
    </a>
  );
}

/**
 * What the other side's software would answer to a press it gets as words: they are said in the visitor's name. The page
 * is told what stands behind them.
 */
function Postback({ words, payload }: { words: string; payload: string }) {
  const { chat, say } = useSurroundings();
  const [lost, setLost] = useState(false);
  const busy = useRef(false);
  const button = useRef<HTMLButtonElement>(null);
  async function press() {
    if (busy.current) return;
    busy.current = true;
    // What is told once more is heard once more.
    setLost(false);
    chat.$action.set({ payload });
    const { ok } = await chat.press(words);
    setLost(!ok);
    busy.current = false;
    // They stand at the end, and the card may be far above it.
    if (ok) button.current?.closest('.transcript')?.scrollTo({ top: 1e9 });
  }
  return (
    <>
      <button type="button" class="tall action" ref={button} onClick={() => void press()}>
        <bdi>{words}</bdi>
      </button>
      {lost && (
        <p class="wrong" role="alert">
          {say('answerFailed')}
        </p>
      )}
    </>
  );
}

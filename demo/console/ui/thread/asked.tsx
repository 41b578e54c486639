/** A question or cards as the agent sees them in the thread, with the visitor's answer once it is there. */
import { linkTo } from '../../../../src/content/link.js';
import { questionKinds, type Shown } from '../../model/question.js';
import { Icon } from '../icons.js';

export function Asked({ shown }: { shown: Shown }) {
  const waits = !shown.answered && shown.kind !== 'cards' && shown.kind !== 'article';
  return (
    <div class="asked">
      <p class="asked-kind">
        {questionKinds[shown.kind]}
        {waits && <span class="waits"> · No answer yet</span>}
        {shown.answered && <span class="answered"> · Answered</span>}
      </p>
      {shown.items.length > 0 && !(shown.kind === 'form' && shown.answered) && (
        <ul>
          {shown.items.map((item, index) => (
            <li key={index} class={item.chosen ? 'chosen' : undefined}>
              <Title words={item.title} link={item.link} />
              {item.description && (
                <span class="asked-more" dir="auto">
                  {item.description}
                </span>
              )}
              {item.chosen && (
                <span class="mark">
                  <Icon name="check" />
                  <span class="hidden"> (the visitor’s answer)</span>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {shown.rating > 0 && (
        <p class="rating">
          <span class="hidden">Rated {shown.rating} of 5</span>
          {[1, 2, 3, 4, 5].map((star) => (
            <span key={star} class={star <= shown.rating ? 'lit' : 'unlit'}>
              <Icon name="star" />
            </span>
          ))}
        </p>
      )}
      {shown.answers.length > 0 && (
        <dl>
          {shown.answers.map(({ name, value }, index) => (
            <div key={index}>
              <dt dir="auto">{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

function Title({ words, link }: { words: string; link: string }) {
  // As in the visitor's window: no link there is none here.
  const to = linkTo(link, location.hostname);
  if (!to.ok) return <span dir="auto">{words}</span>;
  return (
    <a href={to.href} target="_blank" rel="noreferrer" dir="auto">
      {words || to.href}
    </a>
  );
}

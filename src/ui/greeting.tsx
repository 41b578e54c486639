/** The first words of an empty conversation: the owner's, spoken as an answer would be, or ours. */
import type { JSX } from 'preact';
import { Avatar } from './avatar.js';
import { Content } from './content.js';
import { useSurroundings } from './context.js';

export function Greeting(): JSX.Element {
  const { say, settings, locale, langOf } = useSurroundings();
  const { greeting, title = say('agent') } = settings;
  return (
    <div class="empty">
      {greeting ? (
        <>
          <h3 class="spoken">
            <Avatar sender={undefined} name={title} />
            <bdi lang={settings.title ? langOf('title') : locale}>{title}</bdi>
          </h3>
          <div lang={langOf('greeting')}>
            <Content words={greeting} marked={false} />
          </div>
        </>
      ) : (
        <>
          <h3>{say('emptyTitle')}</h3>
          <p>{say('empty')}</p>
        </>
      )}
    </div>
  );
}

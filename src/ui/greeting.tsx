/** The first words of an empty conversation: the owner's, spoken as an answer would be, or ours. */
import type { JSX } from 'preact';
import { PREVIOUS } from '../wire/limits.js';
import { Avatar } from './avatar.js';
import { Content } from './content.js';
import { useSurroundings } from './context.js';
import { useStore } from './use-store.js';

/** Whether the visitor had a conversation before they were named, which is not shown to them any more. */
export const isParted = (known: readonly string[] | null | undefined): boolean => !!known?.includes(PREVIOUS);

export function Greeting(): JSX.Element {
  const { chat, say, settings, locale, langOf } = useSurroundings();
  const { greeting, title = say('agent') } = settings;
  const parted = isParted(useStore(chat.$known));
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
      {parted && <p class="parted">{say('signedIn')}</p>}
    </div>
  );
}

/** The place of the composer before the first message: the owner's questions, or room for them until they are here. */
import type { JSX } from 'preact';
import type { PreChatField } from '../settings.js';
import { useSurroundings } from './context.js';
import { useLater } from './use-later.js';
import { useStore } from './use-store.js';

/** What is still to be asked; undefined until that is known, null when nothing is. */
export function usePreChat(): readonly PreChatField[] | null | undefined {
  const { chat, settings, later } = useSurroundings();
  const known = useStore(chat.$known);
  if (!later?.asks || !settings.preChat.length || known === null) return null;
  if (!known) return undefined;
  const open = settings.preChat.filter(({ name }) => !known.includes(name));
  return open.length ? open : null;
}

export function PreChat({
  fields,
  onDone,
}: {
  fields: readonly PreChatField[] | undefined;
  onDone: () => void;
}): JSX.Element {
  const { say } = useSurroundings();
  const ask = useLater('asks', fields !== undefined);
  if (ask.it && fields) return <ask.it.PreChatForm fields={fields} onDone={onDone} />;
  return (
    <div class="asking">
      {ask.failed && (
        <p role="alert">
          {say('notLoaded')}{' '}
          <button type="button" class="small" onClick={ask.again}>
            {say('retry')}
          </button>
        </p>
      )}
    </div>
  );
}

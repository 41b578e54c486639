/** The title of the page in the browser: what waits to be read, and where one is. */
import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';

const NAME = 'Parley console';

/** Takes the name of the page that is shown; empty for the inbox. */
export const PageName = createContext<(name: string) => void>(() => {});

export function usePageName(name: string): void {
  const tell = useContext(PageName);
  useEffect(() => {
    tell(name);
    return () => tell('');
  }, [tell, name]);
}

/** Who signs out leaves nothing of it behind. */
export function useTitle(name: string, unread: number): void {
  useEffect(
    () => () => {
      document.title = NAME;
    },
    [],
  );
  useEffect(() => {
    const count = unread > 99 ? '(99+) ' : unread ? `(${unread}) ` : '';
    document.title = `${count}${name && `${name} – `}${NAME}`;
  }, [name, unread]);
}

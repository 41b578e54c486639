/** Who answers, the way to everything else, and the way out. */
import type { JSX } from 'preact';
import { useSurroundings } from './context.js';
import { MoreIcon } from './icons.js';
import { useStore } from './use-store.js';

export interface HeaderProps {
  /** When somebody answers, once that is known. */
  subtitle: JSX.Element | undefined;
  /** What the button opens, once it is open and here. */
  menu: JSX.Element | undefined;
  expanded: boolean;
  onToggle: () => void;
}

export function Header({ subtitle, menu, expanded, onToggle }: HeaderProps): JSX.Element {
  const { chat, say, close, settings, langOf, later } = useSurroundings();
  const { title } = settings;
  const count = useStore(chat.$news).length - useStore(chat.$unread);
  // It comes with the press; who goes there need not wait then.
  const prepare = () => void later?.more?.open().catch(() => {});
  return (
    <div class="header" part="header">
      <div class="headline">
        {/* Anew where it becomes ours: a mark of language would stay on it, empty. */}
        <h2 key={`${!title}`} lang={title && langOf('title')}>
          {title ?? say('title')}
        </h2>
        {subtitle ?? <p>{say('subtitle')}</p>}
      </div>
      {later?.more && (
        <div class="menu-place">
          <button
            type="button"
            class={count > 0 ? 'menu-button has-news' : 'menu-button'}
            aria-label={count > 0 ? say('menuNew', { count }) : say('menu')}
            aria-haspopup="menu"
            aria-expanded={expanded}
            aria-busy={(expanded && !menu) || undefined}
            onPointerEnter={prepare}
            onFocus={prepare}
            onClick={onToggle}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowDown' || expanded) return;
              event.preventDefault();
              onToggle();
            }}
          >
            <MoreIcon />
          </button>
          {menu}
        </div>
      )}
      <button type="button" class="close" part="close" aria-label={say('closeChat')} onClick={close} />
    </div>
  );
}

/** Who answers and when, the way to everything else, and the way out. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { when } from '../content/when.js';
import type { Hours } from '../model/hours.js';
import type { Say } from '../text/text.js';
import { useSurroundings } from './context.js';
import { CloseIcon, MoreIcon } from './icons.js';
import { useStore } from './use-store.js';

const LOOK_MS = 60_000;
const DAY_MS = 86_400_000;

export interface HeaderProps {
  /** What the button opens, once it is open and here. */
  menu: JSX.Element | undefined;
  expanded: boolean;
  onToggle: () => void;
}

export function Header({ menu, expanded, onToggle }: HeaderProps): JSX.Element {
  const { chat, say, close, settings, later } = useSurroundings();
  const count = useStore(chat.$news).length - useStore(chat.$unread);
  // It comes with the press; who goes there need not wait then.
  const prepare = () => void later?.more?.open().catch(() => {});
  return (
    <div class="header" part="header">
      <div class="headline">
        <h2>{settings.title ?? say('title')}</h2>
        <Subtitle />
      </div>
      {later?.more && (
        <div class="menu-place">
          <button
            type="button"
            class={count > 0 ? 'menu-button has-news' : 'menu-button'}
            aria-label={count > 0 ? say('menuNew', { count }) : say('menu')}
            aria-haspopup="menu"
            aria-expanded={expanded}
            aria-busy={expanded && !menu}
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
      <button type="button" class="close" part="close" aria-label={say('closeChat')} onClick={close}>
        <CloseIcon />
      </button>
    </div>
  );
}

function Subtitle() {
  const { chat, say, settings, locale } = useSurroundings();
  const open = useStore(chat.$open);
  const known = useStore(chat.$hours);
  const hours = settings.outsideHours === 'show' ? undefined : known;
  useEffect(() => {
    if (!open) return;
    const look = () => void (document.hidden || chat.lookAtHours());
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [chat, open]);
  return <p>{answering(hours, settings.replyMinutes, say, locale)}</p>;
}

function answering(hours: Hours | undefined, minutes: number | undefined, say: Say, locale: string): string {
  if (hours?.open === false) {
    const { backAt } = hours;
    if (backAt === undefined) return say('weAreAway');
    const time = when(backAt, locale, { hour: 'numeric', minute: '2-digit' });
    const now = Date.now();
    if (new Date(backAt).toDateString() === new Date(now).toDateString()) return say('weAreBackAt', { time });
    const weekday = when(backAt, locale, {
      weekday: 'long',
      // The same day of the next week has a date.
      ...(backAt - now > 6 * DAY_MS ? { day: 'numeric', month: 'long' } : {}),
    });
    return say('weAreBackOn', { weekday, time });
  }
  if (!minutes) return say(hours ? 'weAreHere' : 'subtitle');
  return minutes < 100
    ? say('weAnswerIn', { count: Math.ceil(minutes) })
    : say('weAnswerInHours', { count: Math.round(minutes / 60) });
}

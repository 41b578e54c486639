/**
 * Who has answered last, and when somebody does: by the inbox's hours, who of the team is there, the visitor's clock and
 * the owner's word.
 */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { when } from '../content/when.js';
import type { Hours } from '../model/hours.js';
import type { Say } from '../text/text.js';
import { Avatar, nameOf } from './avatar.js';
import { isMachine } from './bubble.js';
import { useSurroundings } from './context.js';
import { useStore } from './use-store.js';

const LOOK_MS = 60_000;
const DAY_MS = 86_400_000;

export function Subtitle(): JSX.Element {
  const { chat, say, settings, locale } = useSurroundings();
  const open = useStore(chat.$open);
  const known = useStore(chat.$hours);
  const nobody = useStore(chat.$nobody);
  const last = useStore(chat.$rows)?.findLast((row) => !row.mine && row.message?.sender && !isMachine(row));
  const sender = last?.message?.sender;
  const name = nameOf(sender);
  const hours = settings.outsideHours === 'show' ? undefined : known;
  useEffect(() => {
    if (!open) return;
    const look = () => void (document.hidden || chat.lookAtHours());
    look();
    const timer = setInterval(look, LOOK_MS);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [chat, open]);
  return (
    <>
      <p class={hours?.open === false ? 'away' : ''}>
        {answering(hours, nobody, settings.replyMinutes, say, locale) ?? name ?? say('subtitle')}
      </p>
      {name && <Avatar sender={sender} name={name} />}
    </>
  );
}

function answering(
  hours: Hours | undefined,
  nobody: boolean,
  minutes: number | undefined,
  say: Say,
  locale: string,
): string | undefined {
  if (hours?.open === false) {
    const { backAt } = hours;
    if (backAt === undefined) return say('weAreAway');
    const at = when(backAt, locale, { hour: 'numeric', minute: '2-digit' });
    const time = at.replace(/(:..) /, '$1\u00a0');
    const now = Date.now();
    if (new Date(backAt).toDateString() === new Date(now).toDateString()) return say('weAreBackAt', { time });
    const weekday = when(backAt, locale, {
      weekday: 'long',
      // The same day of the next week has a date.
      ...(backAt - now > 6 * DAY_MS ? { day: 'numeric', month: 'long' } : {}),
    });
    return say('weAreBackOn', { weekday, time });
  }
  // Nobody answers within the hour who goes home before.
  const late = minutes && hours && hours.until < Date.now() + minutes * 60_000;
  if (!minutes || late) return hours && !nobody ? say('weAreHere') : undefined;
  return minutes < 100
    ? say('weAnswerIn', { count: Math.ceil(minutes) })
    : say('weAnswerInHours', { count: Math.round(minutes / 60) });
}

/** The face and the name of who answers; initials where there is no picture. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { cleanName } from '../content/clean.js';
import { webAddress } from '../content/link.js';
import type { Sender } from '../wire/message.js';
import { useSurroundings } from './context.js';

export const nameOf = (sender: Sender | null | undefined): string | undefined =>
  cleanName(sender?.available_name) ?? cleanName(sender?.name);

/** An address that may be fetched or opened from here. */
export const safe = (address: string | undefined): string | undefined =>
  webAddress(address, window.location.hostname);

/**
 * True for an address at the service or the page itself. Anything else is fetched only when the visitor asks for it:
 * whoever has it would learn who reads, and when.
 */
export const near = (address: string, baseUrl: string | undefined): boolean => {
  const { origin } = new URL(address);
  return origin === window.location.origin || `${baseUrl}/`.startsWith(`${origin}/`);
};

/** Each byte is paid for. */
export const saves = () => 'connection' in navigator && Object(navigator.connection).saveData === true;

/** Whether it did not come. Once the line is back it is asked for again. */
export function useBroken(): [broken: boolean, onError: () => void, ask: () => void] {
  const { chat } = useSurroundings();
  const [broken, setBroken] = useState(false);
  const ask = () => setBroken(false);
  useEffect(
    () =>
      broken ? chat.$line.listen((line) => (line === 'live' || line === 'polling') && ask()) : undefined,
    [broken],
  );
  return [broken, () => setBroken(true), ask];
}

export function Avatar({ sender, name }: { sender: Sender | null | undefined; name: string }): JSX.Element {
  const { settings } = useSurroundings();
  const [broken, onError] = useBroken();
  const url = safe(sender?.avatar_url || sender?.thumbnail);
  return (
    <span class="avatar" aria-hidden="true" style={{ '--hue': hue(name) }}>
      {url && near(url, settings.baseUrl) && !saves() && !broken ? (
        <img src={url} alt="" referrerpolicy="no-referrer" onError={onError} />
      ) : (
        initials(name)
      )}
    </span>
  );
}

/** The same name has the same tint everywhere. */
function hue(name: string): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.charCodeAt(0)) % 360;
  return sum;
}

/** Capitals are Latin, Greek and Cyrillic: those of Georgian are not in every font. Arabic letters would join. */
const initials = (name: string) =>
  name
    .normalize()
    // Brackets and the like are no initials where there are letters.
    .replace(/(^|\s)[^\p{L}\p{N}\s]+(?=[\p{L}\p{N}])/gu, '$1')
    .split(/\s+/)
    .slice(0, 2)
    .map(([letter = '']) => (letter < '\u0530' ? letter.toUpperCase() : letter))
    .join(/^[\u0600-\u07bf]/.test(name) ? '\u200c' : '');

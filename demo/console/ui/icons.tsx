/** The few drawings of the page; all of them decoration beside words. */
import { useState } from 'preact/hooks';

const paths = {
  back: 'M15 5l-7 7 7 7',
  lock: 'M7 11V8a5 5 0 0 1 10 0v3M6 11h12v9H6z',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5',
  check: 'M5 12.500l4.500 4.500L19 7',
  reopen: 'M5 12a7 7 0 1 0 2.500-5.400M5 4v4h4',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.500 20.500c1-4 4-5.500 7.500-5.500s6.500 1.500 7.500 5.500',
  down: 'M12 5v14M6 13l6 6 6-6',
  download: 'M12 4v11M7 10.500l5 5 5-5M5 20h14',
  file: 'M7 3h7l4 4v14H7zM14 3v4h4',
  inbox: 'M4 13l2.500-8h11L20 13v6H4zM4 13h5l1.500 2.500h3L15 13h5',
  contacts:
    'M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM2.500 19.500c.8-3.500 3.500-5 6.500-5s5.700 1.500 6.500 5M16 4.500a3.500 3.500 0 0 1 0 6.500M18 14.800c2 .7 3.200 2.200 3.700 4.700',
  reports: 'M5 20V11M12 20V4M19 20v-6',
  settings:
    'M4 7h10M18 7h2M4 17h2M10 17h10M16 9.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM8 19.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5z',
  bolt: 'M13 3L5 14h6l-1 7 8-11h-6z',
  hook: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.600-5.700L12 7.200M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.600 5.700l1.400-1.400',
  warning: 'M12 4L2.500 20h19zM12 10v5M12 17.500h.01',
  bell: 'M6 16.500V11a6 6 0 0 1 12 0v5.500l1.500 1.500h-15zM10 20.500h4',
  tag: 'M4 4h8l8 8-8 8-8-8zM8.500 8.500h.01',
  team: 'M12 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM6 20c.6-3.500 3-5 6-5s5.400 1.500 6 5M5 11.500a2 2 0 1 0 0-4M2.500 17c.3-1.500 1-2.400 2-3M19 11.500a2 2 0 1 1 0-4M21.500 17c-.3-1.500-1-2.400-2-3',
  list: 'M9 6h11M9 12h11M9 18h11M4.500 6h.01M4.500 12h.01M4.500 18h.01',
  text: 'M5 6h14M5 11h14M5 16h8',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  edit: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  attach:
    'M20 11l-8.500 8.500a5 5 0 0 1-7-7L13 4a3.300 3.300 0 0 1 4.700 4.700L9.500 17a1.700 1.700 0 0 1-2.400-2.400l7.400-7.400',
  ask: 'M4 5h16v11h-8l-4 4v-4H4zM8 9h8M8 12.500h5',
  canned: 'M13 3L5 14h6l-1 7 8-11h-6z',
  quote: 'M9 14L4 9l5-5M4 9h10a6 6 0 0 1 6 6v4',
  clock: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM12 8v4.500l3 2',
  leave: 'M14 4h5v16h-5M4 12h11M11 8l4 4-4 4',
  forward: 'M9 5l7 7-7 7',
  refresh: 'M20 11a8 8 0 0 0-14-4.500L4 9M4 4v5h5M4 13a8 8 0 0 0 14 4.500L20 15M20 20v-5h-5',
  star: 'M12 4l2.500 5.200 5.500.7-4 3.900 1 5.600-5-2.700-5 2.700 1-5.600-4-3.900 5.500-.7z',
  bubbles: 'M4 5h12v8H9l-3 3v-3H4zM19 9h1.500v8H19v3l-3-3h-5v-1.500',
};

export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}

/** Visitors choose the address of their picture: of another host, it would learn who looks at them, and when. */
const isOurs = (address: string) => URL.canParse(address) && new URL(address).origin === location.origin;

interface AvatarProps {
  name: string;
  seed: number;
  /** An address; where it cannot or may not be shown, the initials are. */
  picture?: string | null | undefined;
  online?: boolean;
}

/** A picture, or initials on one of six quiet colours, always the same for the same person. */
export function Avatar({ name, seed, picture, online = false }: AvatarProps) {
  const [broken, setBroken] = useState('');
  const words = name.trim().split(/\s+/);
  const initials = [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => [...(word ?? '')][0] ?? '');
  const shown = picture && picture !== broken && isOurs(picture);
  return (
    <span class={`avatar tone-${seed % 6}`} aria-hidden="true">
      {shown ? (
        <img src={picture} alt="" loading="lazy" onError={() => setBroken(picture)} />
      ) : (
        initials.join('').toUpperCase()
      )}
      {online && <span class="online" />}
    </span>
  );
}

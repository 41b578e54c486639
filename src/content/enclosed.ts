/** What is enclosed with a message that is no file: a place, and a person. It does not know how they are shown. */
import type { Attachment } from '../wire/message.js';
import { cleanName } from './clean.js';

/** @returns its coordinates in words, and a map of it; nothing where they are none */
export function whereIs({
  coordinates_lat: lat = Number.NaN,
  coordinates_long: long = Number.NaN,
}: Attachment): { words: string; address: string } | undefined {
  if (!(Math.abs(lat) <= 90 && Math.abs(long) <= 180)) return undefined;
  return {
    words: `${lat.toFixed(5)}, ${long.toFixed(5)}`,
    address: `https://www.openstreetmap.org/?mlat=${lat}&mlon=${long}#map=16/${lat}/${long}`,
  };
}

export const namesIn = ({ meta }: Attachment): string =>
  Object.values(meta)
    .filter((value) => typeof value === 'string')
    .slice(0, 6)
    .map((name) => cleanName(name))
    .filter(Boolean)
    .join(' ');

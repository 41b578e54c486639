/** A place by its name and coordinates, with a link to a map. The map is not fetched. */
import type { JSX } from 'preact';
import { useSurroundings } from '../ui/context.js';
import type { Attachment } from '../wire/message.js';
import { PinIcon } from './drawings.js';

export function Place({
  attachment,
  name,
  url,
}: {
  attachment: Attachment;
  name: string;
  url: string | undefined;
}): JSX.Element {
  const { say } = useSurroundings();
  const { coordinates_lat: lat = Number.NaN, coordinates_long: long = Number.NaN } = attachment;
  const there = Math.abs(lat) <= 90 && Math.abs(long) <= 180;
  const map = there ? `https://www.openstreetmap.org/?mlat=${lat}&mlon=${long}#map=16/${lat}/${long}` : url;
  return (
    <div class="place">
      <PinIcon />
      <span class="named">
        <bdi>{attachment.fallback_title ? name : say('location')}</bdi>
        {there && (
          <small dir="ltr">
            {lat.toFixed(5)}, {long.toFixed(5)}
          </small>
        )}
        {map && (
          <a href={map} target="_blank" rel="noopener noreferrer nofollow ugc">
            {say('showMap')}
          </a>
        )}
      </span>
    </div>
  );
}

/** A place by its name and coordinates, with a link to a map. The map is not fetched. */
import type { JSX } from 'preact';
import { whereIs } from '../content/enclosed.js';
import { useSurroundings } from '../ui/context.js';
import type { Attachment } from '../wire/message.js';
import { PinIcon } from './drawings.js';

export function Location({
  attachment,
  name,
  url,
}: {
  attachment: Attachment;
  name: string;
  url: string | undefined;
}): JSX.Element {
  const { say } = useSurroundings();
  const there = whereIs(attachment);
  const map = there?.address ?? url;
  return (
    <div class="place">
      <PinIcon />
      <span class="named">
        <bdi>{attachment.fallback_title ? name : say('location')}</bdi>
        {there && <small dir="ltr">{there.words}</small>}
        {map && (
          <a href={map} target="_blank" rel="noopener noreferrer nofollow ugc">
            {say('showMap')}
          </a>
        )}
      </span>
    </div>
  );
}

/** A picture in its place, which is kept before it is here. Pressed, it opens large. */
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { near, safe, saves } from '../ui/avatar.js';
import { useSurroundings } from '../ui/context.js';
import type { Attachment } from '../wire/message.js';
import { useComing } from './again.js';
import { type Coming, File } from './file.js';
import { type OpenLightbox, openLightbox } from './lightbox.js';

const MOST = { width: 260, height: 180 };
const LEAST = 48;

export function Picture({ attachment, name, url, message }: Coming): JSX.Element {
  const surroundings = useSurroundings();
  const { say, settings } = surroundings;
  const [wanted, setWanted] = useState(false);
  const link = useRef<HTMLAnchorElement>(null);
  // It stands where the button was that had the focus.
  useLayoutEffect(() => {
    if (wanted) link.current?.focus({ preventScroll: true });
  }, [wanted]);
  const large = useRef<OpenLightbox | undefined>(undefined);
  useEffect(() => () => large.current?.left(), []);
  useEffect(() => large.current?.draw(surroundings), [say]);
  const src = safe(attachment.thumb_url) ?? url;
  const [broken, onError] = useComing(src, message);
  if (broken) return <File attachment={attachment} name={name} url={url} />;
  // Of another house, or for somebody who pays for each byte.
  if (!wanted && (saves() || !near(src, settings.baseUrl))) {
    return (
      <div class="far">
        <File attachment={attachment} name={name} url={url} />
        <button type="button" class="tall" onClick={() => setWanted(true)}>
          {say('showPicture', { host: new URL(src).host })}
        </button>
      </div>
    );
  }
  return (
    <a
      ref={link}
      class="picture"
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
      aria-haspopup="dialog"
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        large.current = openLightbox(event.currentTarget, attachment, surroundings);
      }}
    >
      <img src={src} alt={name} {...sizeOf(attachment)} referrerpolicy="no-referrer" onError={onError} />
    </a>
  );
}

function sizeOf(attachment: Attachment) {
  const { width: across = 0, height: down = 0 } = attachment;
  const real = across > 0 && down > 0 ? { width: across, height: down } : { width: 240, height: 180 };
  const scale = Math.min(1, MOST.width / real.width, MOST.height / real.height);
  const side = (length: number) => Math.max(LEAST, Math.round(length * scale));
  const [width, height] = [side(real.width), side(real.height)];
  return { width, height, style: { '--ratio': `${width}/${height}`, '--most': `${2 * width}px` } };
}

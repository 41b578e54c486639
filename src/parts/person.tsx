/** A person's card: the names that are known, and a number that can be called. */
import type { JSX } from 'preact';
import { namesIn } from '../content/enclosed.js';
import { linkTo } from '../content/link.js';
import type { Attachment } from '../wire/message.js';
import { PersonIcon } from './drawings.js';

export function Person({ attachment, name }: { attachment: Attachment; name: string }): JSX.Element {
  const { fallback_title: title } = attachment;
  const names = namesIn(attachment);
  const number = title && /^[\d\s()+./-]+$/.test(title) ? title.replace(/[^\d+]/g, '') : undefined;
  const call = number ? linkTo(`tel:${number}`, '') : undefined;
  return (
    <div class="place">
      <PersonIcon />
      <span class="named">
        {names && <bdi>{names}</bdi>}
        {call?.ok ? (
          <a href={call.href} dir="ltr">
            {name}
          </a>
        ) : (
          (title || !names) && <bdi>{name}</bdi>
        )}
      </span>
    </div>
  );
}

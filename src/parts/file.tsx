/** A file to download, with its name, ending and size; or another address with its title. */
import type { JSX } from 'preact';
import { cleanName } from '../content/clean.js';
import { sizeOf } from '../content/size.js';
import { useSurroundings } from '../ui/context.js';
import { FileIcon } from '../ui/icons.js';
import type { Attachment, Message } from '../wire/message.js';
import { DownloadIcon, FilmIcon, LinkIcon, PictureIcon, SoundIcon } from './drawings.js';

/** An attachment that has an address. */
export interface Shown {
  attachment: Attachment;
  name: string;
  url: string;
}

/** One that may come later than its message. */
export interface Coming extends Shown {
  message: Message;
}

const kinds: Partial<Record<string, () => JSX.Element>> = {
  image: PictureIcon,
  audio: SoundIcon,
  video: FilmIcon,
  file: FileIcon,
};

export function File({ attachment, name, url }: Shown): JSX.Element {
  const { say, locale } = useSurroundings();
  const { file_type: type, file_size: bytes = 0, extension } = attachment;
  const Icon = Object.hasOwn(kinds, type ?? '') ? kinds[type ?? ''] : undefined;
  const ending = cleanName(extension)?.slice(0, 10).toUpperCase();
  const facts = [ending, bytes >= 1 && sizeOf(bytes, locale)].filter(Boolean);
  return (
    <a
      class="file"
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
      {...(Icon && { download: '' })}
    >
      {Icon ? <Icon /> : <LinkIcon />}
      <span class="named">
        <bdi>{name}</bdi>
        {facts.length > 0 && (
          <small>
            {/* Each in its own direction, or a number would join the letters before it. */}
            {facts.map((fact, i) => (
              <>
                {i > 0 && ' · '}
                <span dir="auto">{fact}</span>
              </>
            ))}
          </small>
        )}
      </span>
      {Icon && (
        <>
          <span class="sr">, {say('download')}</span>
          <DownloadIcon />
        </>
      )}
    </a>
  );
}

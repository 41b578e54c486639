/** A file in the thread: shown or played where it can be, and always there to be fetched. */
import { useState } from 'preact/hooks';
import { findLength } from '../../../../src/content/length.js';
import { sizeOf } from '../../../../src/content/size.js';
import { fileName, pictureSize } from '../../model/files.js';
import type { Attachment } from '../../wire/schemas.js';
import { Icon } from '../icons.js';

export function AttachmentView({ attachment }: { attachment: Attachment }) {
  const [broken, setBroken] = useState(false);
  const href = safeUrl(attachment.data_url);
  const name = fileName(attachment);
  const kind = broken ? 'file' : attachment.file_type;
  if (!href) return <p class="file">{name}</p>;
  if (kind === 'image') {
    return (
      <a class="image" href={href} target="_blank" rel="noreferrer">
        <img
          src={safeUrl(attachment.thumb_url) || href}
          alt={name}
          {...pictureSize(attachment)}
          loading="lazy"
          onError={() => setBroken(true)}
        />
      </a>
    );
  }
  const Player = kind === 'audio' || kind === 'video' ? kind : undefined;
  return (
    <>
      {Player && (
        <Player
          class="media"
          src={href}
          controls
          preload="metadata"
          aria-label={name}
          onError={() => setBroken(true)}
          onLoadedMetadata={findLength}
        />
      )}
      <a class="file" href={href} target="_blank" rel="noreferrer" download={Player && name}>
        <Icon name={Player ? 'download' : 'file'} />
        <span>
          <bdi>{name}</bdi>
          {!!attachment.file_size && <small>{sizeOf(attachment.file_size, 'en')}</small>}
        </span>
      </a>
    </>
  );
}

/** An address from the wire may name a scheme that runs code. */
function safeUrl(address: string | null | undefined): string {
  if (!address) return '';
  try {
    const url = new URL(address);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : '';
  } catch {
    return '';
  }
}

/** A file in the thread: shown where it can be, offered otherwise. */
import type { Attachment } from '../../wire/schemas.js';
import { Icon } from '../icons.js';

export function AttachmentView({ attachment }: { attachment: Attachment }) {
  const href = safeUrl(attachment.data_url);
  const name = nameOf(attachment);
  if (!href) return <p class="file">{name}</p>;
  if (attachment.file_type === 'audio' || attachment.file_type === 'video') {
    const Player = attachment.file_type;
    return <Player class="media" src={href} controls preload="metadata" aria-label={name} />;
  }
  return (
    <a
      class={attachment.file_type === 'image' ? 'image' : 'file'}
      href={href}
      target="_blank"
      rel="noreferrer"
    >
      {attachment.file_type === 'image' ? (
        <img src={safeUrl(attachment.thumb_url) || href} alt={name} loading="lazy" />
      ) : (
        <>
          <Icon name="file" />
          <bdi>{name}</bdi>
        </>
      )}
    </a>
  );
}

function nameOf({ fallback_title, data_url, extension }: Attachment): string {
  if (fallback_title) return fallback_title;
  try {
    const last = new URL(data_url ?? '', location.href).pathname.split('/').at(-1);
    return decodeURIComponent(last ?? '') || 'Attachment';
  } catch {
    return extension ? `Attachment.${extension}` : 'Attachment';
  }
}

/** An address from the wire may name a scheme that runs code. */
export function safeUrl(address: string | null | undefined): string {
  if (!address) return '';
  try {
    const url = new URL(address, location.href);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : '';
  } catch {
    return '';
  }
}

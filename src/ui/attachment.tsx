/** A file of a message by its name, until the file is here that shows each kind in its own way. */
import type { JSX } from 'preact';
import { titleOf } from '../content/clean.js';
import type { Attachment } from '../wire/message.js';
import { safe } from './avatar.js';
import { useSurroundings } from './context.js';
import { FileIcon } from './icons.js';

export function AttachmentView({ attachment }: { attachment: Attachment }): JSX.Element {
  const { say } = useSurroundings();
  const url = safe(attachment.data_url);
  const name = <bdi>{titleOf(attachment, url) || say('attachment')}</bdi>;
  return url ? (
    <a class="file" href={url} target="_blank" rel="noopener noreferrer nofollow ugc">
      <FileIcon />
      {name}
    </a>
  ) : (
    <p class="content deleted">{name}</p>
  );
}

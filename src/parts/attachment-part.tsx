/** An attachment as what it is: a picture, sound, film, a file, a place, a person; else by its name and address. */
import type { JSX } from 'preact';
import { titleOf } from '../content/clean.js';
import { kindOf } from '../content/gist.js';
import { safe } from '../ui/avatar.js';
import { useSurroundings } from '../ui/context.js';
import type { Attachment, Message } from '../wire/message.js';
import { File } from './file.js';
import { isPicture } from './lightbox.js';
import { Location } from './location.js';
import { Person } from './person.js';
import { Picture } from './picture.js';
import { Player } from './player.js';

interface Enclosed {
  attachment: Attachment;
  message: Message;
}

export function AttachmentPart({ attachment, message }: Enclosed): JSX.Element {
  const { say } = useSurroundings();
  const { file_type: type, extension } = attachment;
  const url = safe(attachment.data_url);
  const name = titleOf(attachment, url) || extension?.slice(0, 10).toUpperCase() || say(kindOf(type));
  if (type === 'location') return <Location attachment={attachment} name={name} url={url} />;
  if (type === 'contact') return <Person attachment={attachment} name={name} />;
  if (!url) {
    return (
      <p class="content deleted">
        <bdi>{name}</bdi>
      </p>
    );
  }
  const shown = { attachment, name, url, message };
  if (isPicture(type, url)) return <Picture {...shown} />;
  return type === 'audio' || type === 'video' ? <Player {...shown} /> : <File {...shown} />;
}

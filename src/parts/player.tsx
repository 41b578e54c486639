/**
 * Sound and film with the browser's own controls; only how long they are is asked before. The words of a sound below it,
 * and its file, unless it is a voice that was recorded in this chat.
 */
import type { JSX } from 'preact';
import { findLength } from '../content/length.js';
import { near, saves } from '../ui/avatar.js';
import { Content } from '../ui/content.js';
import { useSurroundings } from '../ui/context.js';
import { useComing } from './again.js';
import { type Coming, File } from './file.js';

export function Player({ attachment, name, url, message }: Coming): JSX.Element {
  const { say, settings } = useSurroundings();
  const [broken, onError] = useComing(url, message);
  const { file_type: type, width = 0, height = 0, transcribed_text: heard } = attachment;
  const ratio = width > 0 && height > 0 ? Math.min(2.4, Math.max(0.6, width / height)) : 16 / 9;
  // Of what was recorded here the name says nothing.
  const spoken = type === 'audio' && !broken && /^voice-message[-.]/.test(name);
  const shared = {
    src: url,
    controls: true,
    // Of another house, or for somebody who pays for each byte, nothing before it is played.
    preload: saves() || !near(url, settings.baseUrl) ? ('none' as const) : ('metadata' as const),
    'aria-label': spoken ? say('audio') : name,
    onError,
    onLoadedMetadata: findLength,
  };
  return (
    <div class="player">
      {!broken && type === 'audio' && <audio {...shared} />}
      {!broken && type === 'video' && <video {...shared} playsInline style={{ aspectRatio: `${ratio}` }} />}
      {!spoken && <File attachment={attachment} name={name} url={url} />}
      {heard?.trim() && <Content words={heard} marked={false} kind="heard" />}
    </div>
  );
}

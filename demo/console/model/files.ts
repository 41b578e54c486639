/** Files of a message: what each is called, how large its picture is, and what one line says of all of them. Pure. */
import { cleanFileName } from '../../../src/content/clean.js';
import type { Attachment } from '../wire/schemas.js';

/** What the widget's recorder calls its files. */
const VOICE = /^voice-message\./;
const MOST_PX = 260;
const LEAST_PX = 48;

export function fileName({ fallback_title, data_url, extension }: Attachment): string {
  const named = fallback_title || lastOf(data_url ?? '');
  return (named && cleanFileName(named)) || (extension ? `Attachment.${extension}` : 'Attachment');
}

function lastOf(address: string): string {
  try {
    return decodeURIComponent(new URL(address).pathname.split('/').at(-1) ?? '');
  } catch {
    return '';
  }
}

/** For one line, where a message has no words. */
export function filesInShort(files: readonly Attachment[]): string {
  const [first] = files;
  if (!first) return 'Attachment';
  const name = fileName(first);
  const isVoice = first.file_type === 'audio' && VOICE.test(name);
  const words = first.file_type === 'image' ? 'Picture' : isVoice ? 'Voice message' : name;
  return files.length > 1 ? `${words} and ${files.length - 1} more` : words;
}

/** The place that a picture takes, known before it is there; nothing where the service does not know its size. */
export function pictureSize({ width, height }: Attachment): { width?: number; height?: number } {
  if (!width || !height) return {};
  const scale = Math.min(1, MOST_PX / width, MOST_PX / height);
  const side = (length: number) => Math.max(LEAST_PX, Math.round(length * scale));
  return { width: side(width), height: side(height) };
}

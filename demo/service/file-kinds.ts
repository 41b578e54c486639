/**
 * What a file is by its first bytes, whatever its name says. Only what browsers show safely has a kind here: no
 * SVG, no HTML, no XML.
 */
export interface FileKind {
  contentType: string;
  fileType: 'image' | 'audio' | 'video';
}

export interface PictureSize {
  width: number | null;
  height: number | null;
}

const image = (subtype: string): FileKind => ({ contentType: `image/${subtype}`, fileType: 'image' });
const audio = (subtype: string): FileKind => ({ contentType: `audio/${subtype}`, fileType: 'audio' });
const video = (subtype: string): FileKind => ({ contentType: `video/${subtype}`, fileType: 'video' });

/** Boxes for films hold voices, too: their tracks tell, which a recorder writes first. */
function film(subtype: string, head: Buffer, sound: RegExp, picture: RegExp): FileKind {
  const text = head.toString('latin1');
  return sound.test(text) && !picture.test(text) ? audio(subtype) : video(subtype);
}

function isoMedia(head: Buffer): FileKind | undefined {
  const brand = head.toString('latin1', 8, 12);
  if (brand.startsWith('M4A')) return audio('mp4');
  if (brand.startsWith('qt')) return video('quicktime');
  // HEIC and AVIF share the box with films, and stay plain files.
  if (!/^(isom|iso\d|mp4\d|avc1|M4V|MSNV|dash|3gp)/.test(brand)) return undefined;
  return film('mp4', head, /hdlr.{8}soun/s, /hdlr.{8}vide/s);
}

export function sniff(head: Buffer): FileKind | undefined {
  const at = (offset: number, text: string) =>
    head.subarray(offset, offset + text.length).equals(Buffer.from(text, 'latin1'));
  if (at(0, '\x89PNG\r\n\x1a\n')) return image('png');
  if (at(0, '\xff\xd8\xff')) return image('jpeg');
  if (at(0, 'GIF87a') || at(0, 'GIF89a')) return image('gif');
  if (at(0, 'RIFF') && at(8, 'WEBP')) return image('webp');
  if (at(0, 'RIFF') && at(8, 'WAVE')) return audio('wav');
  if (at(0, 'BM') && head.length >= 26 && head.readUInt32LE(14) >= 12 && head.readUInt32LE(14) <= 124) {
    return image('bmp');
  }
  if (at(4, 'ftyp')) return isoMedia(head);
  if (at(0, '\x1aE\xdf\xa3')) return film('webm', head, /A_(?:OPUS|VORBIS|AAC)/, /V_(?:VP|AV1|MPEG)/);
  if (at(0, 'OggS')) return at(28, '\x01vorbis') || at(28, 'OpusHead') ? audio('ogg') : video('ogg');
  if (at(0, 'ID3') || at(0, '\xff\xfb') || at(0, '\xff\xf3')) return audio('mpeg');
  if (at(0, 'fLaC')) return audio('flac');
  return undefined;
}

function jpegSize(head: Buffer): PictureSize | undefined {
  for (let at = 2; at + 9 < head.length && head[at] === 0xff; ) {
    const marker = head[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: head.readUInt16BE(at + 7), height: head.readUInt16BE(at + 5) };
    at += 2 + head.readUInt16BE(at + 2);
  }
  return undefined;
}

function webpSize(head: Buffer): PictureSize | undefined {
  if (head.length < 30) return undefined;
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = head.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

function measured(head: Buffer, contentType: string): PictureSize | undefined {
  switch (contentType) {
    case 'image/png':
      return head.length < 24 ? undefined : { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
    case 'image/gif':
      return head.length < 10 ? undefined : { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
    case 'image/bmp':
      return { width: head.readInt32LE(18), height: Math.abs(head.readInt32LE(22)) };
    case 'image/jpeg':
      return jpegSize(head);
    case 'image/webp':
      return webpSize(head);
    default:
      return undefined;
  }
}

const largest = 2 ** 31 - 1;

/** The size a picture claims, so that a page can keep its place; null where it cannot be read. */
export function pictureSize(head: Buffer, kind: FileKind | undefined): PictureSize {
  const size = kind && measured(head, kind.contentType);
  const sane = size && [size.width, size.height].every((n) => n !== null && n > 0 && n <= largest);
  return sane ? size : { width: null, height: null };
}

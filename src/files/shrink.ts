/**
 * A picture drawn anew: at most so large, turned as the camera held it, and without what the camera wrote beside it,
 * such as where it was. It does not know where the picture goes.
 */
const LONGEST = 2048;
const QUALITY = 0.85;
const KEPT = /^image\/(?:jpeg|webp|png)$/;
const ENDS: Record<string, string> = { 'image/jpeg': '.jpg', 'image/webp': '.webp', 'image/png': '.png' };

/** How a JPEG marks what is written beside the picture. To find one too many does no harm. */
const BESIDE = /exif|ns\.adobe|photoshop|iptc/i;
/** The chunks that make the picture of a PNG or a WebP; all else in them is written beside it. */
const PICTURE = /^(?:IHDR|PLTE|IDAT|IEND|[af]cTL|fdAT|tRNS|gAMA|sRGB|cHRM|pHYs|[iI]CCP|VP8.|ALPH|ANIM|ANMF)$/;

/** So much is read at once: a large one as one text would fill the memory of a phone. */
const PIECE = 1024 * 1024;
/** Longer than any of the marks, which may lie where two pieces meet. */
const SEAM = 16;

interface Seen {
  moving: boolean;
  /** The picture with nothing written beside it, where that can be had without drawing it anew. */
  bare?: File;
}

const read = (file: File, from: number, bytes: number) => file.slice(from, from + bytes).arrayBuffer();
const written = (bytes: ArrayBuffer) => new TextDecoder('latin1').decode(bytes);

/** By what it is, whatever it is called. */
async function look(file: File): Promise<Seen> {
  const kind = written(await read(file, 0, 12));
  const png = /^.PNG/.test(kind);
  if (png || /^RIFF.{4}WEBP/s.test(kind)) return chunksOf(file, png);
  const moving = /^GIF8|ftyp(?:avis|hevc|msf1)/.test(kind);
  if (!KEPT.test(file.type)) return { moving };
  for (let at = 0; at < file.size; at += PIECE) {
    if (BESIDE.test(written(await read(file, at, PIECE + SEAM)))) return { moving };
  }
  return { moving, bare: file };
}

async function chunksOf(file: File, png: boolean): Promise<Seen> {
  let at = png ? 8 : 12;
  const parts: BlobPart[] = [file.slice(0, at)];
  let moving = false;
  let bare = true;
  while (at + 8 <= file.size) {
    const head = await read(file, at, 8);
    const length = new DataView(head).getUint32(png ? 0 : 4, !png);
    const next = at + length + (png ? 12 : 8 + (length % 2));
    const name = png ? written(head).slice(4) : written(head).slice(0, 4);
    moving ||= name === 'acTL' || name === 'ANIM';
    if (PICTURE.test(name)) parts.push(file.slice(at, next));
    else {
      bare = false;
      // A WebP begins with how long it is: it stays so.
      if (!png) parts.push(head, new Uint8Array(Math.min(next, file.size) - at - 8));
    }
    at = next;
  }
  return { moving, bare: bare ? file : new File(parts, file.name, { type: file.type }) };
}

/** Who guards a visitor from fingerprints may let us read noise in place of what we drew. A little one nobody sees. */
function guarded(): boolean {
  const pen = document.createElement('canvas').getContext('2d');
  if (!pen) return true;
  pen.fillStyle = '#08f';
  pen.fillRect(0, 0, 9, 9);
  return pen
    .getImageData(0, 0, 9, 9)
    .data.some((value, at) => Math.abs(value - ([0, 136, 255, 255][at % 4] ?? 0)) > 9);
}

/** Throws when it cannot be drawn: then nobody knows what it tells. */
export async function shrink(file: File): Promise<File> {
  const { moving, bare } = await look(file);
  if (moving || guarded()) {
    if (bare) return bare;
    throw new Error('not to be drawn');
  }
  // As the camera held it is what all do unasked; the word for it is an error in the older ones.
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('no canvas');
  const type = KEPT.test(file.type) ? file.type : 'image/jpeg';
  // A JPEG has no transparency: what is not drawn in it is black.
  if (type === 'image/jpeg') {
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, canvas.width, canvas.height);
  }
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const drawn = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, QUALITY));
  if (!drawn) throw new Error('not drawn');
  if (bare && drawn.size >= bare.size) return bare;
  // The browser may have chosen another format than it was asked for.
  const name = drawn.type === file.type ? file.name : file.name.replace(/\.\w+$|$/, ENDS[drawn.type] ?? '');
  return new File([drawn], name, { type: drawn.type });
}

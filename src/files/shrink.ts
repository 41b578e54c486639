/**
 * A picture drawn anew: at most so large, turned as the camera held it, and without what the camera wrote beside it,
 * such as where it was. It does not know where the picture goes.
 */
const LONGEST = 2048;
const QUALITY = 0.85;
const KEPT = /^image\/(?:jpeg|webp|png)$/;
/** How each format marks what is written beside the picture. To find one too many does no harm. */
const BESIDE = /exif|xmp|xap\/|photoshop|iptc|[iz]txt|text/i;
const MOVING = /ANIM|acTL/;
const ENDS: Record<string, string> = { 'image/jpeg': '.jpg', 'image/webp': '.webp', 'image/png': '.png' };

/** So much is read at once: a large one as one text would fill the memory of a phone. */
const PIECE = 1024 * 1024;
/** Longer than any of the marks, which may lie where two pieces meet. */
const SEAM = 16;

/** @returns whether it moves; undefined when something may be written beside it */
async function moves(file: File): Promise<boolean | undefined> {
  let found = false;
  for (let at = 0; at < file.size; at += PIECE) {
    const bytes = await file.slice(at, at + PIECE + SEAM).arrayBuffer();
    const written = new TextDecoder('latin1').decode(bytes);
    if (BESIDE.test(written)) return undefined;
    found ||= MOVING.test(written);
  }
  return found;
}

/** Throws when it cannot be drawn: then nobody knows what it tells. */
export async function shrink(file: File): Promise<File> {
  const moving = KEPT.test(file.type) ? await moves(file) : undefined;
  if (moving) return file;
  // As the camera held it is what all do unasked; the word for it is an error in the older ones.
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('no canvas');
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const drawn = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, KEPT.test(file.type) ? file.type : 'image/jpeg', QUALITY),
  );
  if (!drawn) throw new Error('not drawn');
  if (moving === false && drawn.size >= file.size) return file;
  // The browser may have chosen another format than it was asked for.
  const name = drawn.type === file.type ? file.name : file.name.replace(/\.\w+$|$/, ENDS[drawn.type] ?? '');
  return new File([drawn], name, { type: drawn.type });
}

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

/** Throws when it cannot be drawn: then nobody knows what it tells. */
export async function shrink(file: File): Promise<File> {
  const written = new TextDecoder('latin1').decode(await file.arrayBuffer());
  const silent = KEPT.test(file.type) && !BESIDE.test(written);
  if (silent && MOVING.test(written)) return file;
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
  if (silent && drawn.size >= file.size) return file;
  // The browser may have chosen another format than it was asked for.
  const name = drawn.type === file.type ? file.name : file.name.replace(/\.\w+$|$/, ENDS[drawn.type] ?? '');
  return new File([drawn], name, { type: drawn.type });
}

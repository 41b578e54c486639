/** A photo with what a phone writes into it; the browser draws it. */
import type { Page } from 'playwright-core';

/** A picture as a phone writes it: held upright, and where it was. */
export async function photo(page: Page, width: number, height: number): Promise<Buffer> {
  const plain = await page.evaluate(
    async ([width, height]) => {
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width, height });
      const pen = canvas.getContext('2d');
      for (let i = 0; i < 40; i++) {
        if (pen) pen.fillStyle = `hsl(${i * 9} 80% 50%)`;
        pen?.fillRect((i * width) / 40, 0, width / 40, height);
      }
      return canvas.toDataURL('image/jpeg', 0.95);
    },
    [width, height] as const,
  );
  const jpeg = Buffer.from(plain.split(',')[1] ?? '', 'base64');
  const entry = (tag: number, type: number, count: number, value: number) => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt16LE(tag, 0);
    bytes.writeUInt16LE(type, 2);
    bytes.writeUInt32LE(count, 4);
    bytes.writeUInt32LE(value, 8);
    return bytes;
  };
  const directory = (...entries: Buffer[]) =>
    Buffer.concat([Buffer.from([entries.length, 0]), ...entries, Buffer.alloc(4)]);
  const first = (gps: number) => directory(entry(0x0112, 3, 1, 6), entry(0x8825, 4, 1, gps));
  const gpsAt = 8 + first(0).length;
  const place = (at: number) => directory(entry(1, 2, 2, 0x4e), entry(2, 5, 3, at));
  const degrees = Buffer.alloc(24);
  [60, 1, 23, 1, 11, 1].forEach((part, i) => void degrees.writeUInt32LE(part, i * 4));
  const exif = Buffer.concat([
    Buffer.from('Exif\0\0II*\0\x08\0\0\0', 'latin1'),
    first(gpsAt),
    place(gpsAt + place(0).length),
    degrees,
  ]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(exif.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)]);
}

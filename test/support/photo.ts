/** A photo with what a phone writes into it; the browser draws it. */
import { crc32 } from 'node:zlib';
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

/** Two frames, and beside them where they were made. */
export async function animation(page: Page, type: 'image/png' | 'image/webp'): Promise<Buffer> {
  const plain = await page.evaluate((type) => {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: 40, height: 20 });
    canvas.getContext('2d', { alpha: false })?.fillRect(0, 0, 20, 20);
    return canvas.toDataURL(type);
  }, type);
  const still = Buffer.from(plain.split(',')[1] ?? '', 'base64');
  return type === 'image/png' ? animatedPng(still) : animatedWebp(still);
}

function animatedPng(still: Buffer): Buffer {
  const number = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  const chunk = (name: string, ...data: Buffer[]) => {
    const named = Buffer.concat([Buffer.from(name, 'latin1'), ...data]);
    return Buffer.concat([number(named.length - 4), named, number(crc32(named))]);
  };
  const first = still.indexOf('IDAT') - 4;
  const end = still.indexOf('IEND') - 4;
  const pixels = still.subarray(first + 8, first + 8 + still.readUInt32BE(first));
  const frame = (order: number) =>
    chunk('fcTL', ...[order, 40, 20, 0, 0].map(number), Buffer.from([0, 1, 0, 1, 0, 0]));
  return Buffer.concat([
    still.subarray(0, first),
    chunk('tEXt', Buffer.from('Comment\0Made at 60.39 N', 'latin1')),
    chunk('acTL', number(2), number(0)),
    frame(0),
    chunk('IDAT', pixels),
    frame(1),
    chunk('fdAT', number(2), pixels),
    still.subarray(end),
  ]);
}

function animatedWebp(still: Buffer): Buffer {
  const chunk = (name: string, ...data: Buffer[]) => {
    const all = Buffer.concat(data);
    const head = Buffer.alloc(8);
    head.write(name, 'latin1');
    head.writeUInt32LE(all.length, 4);
    return Buffer.concat([head, all, Buffer.alloc(all.length % 2)]);
  };
  const size = [39, 0, 0, 19, 0, 0];
  const frame = chunk(
    'ANMF',
    Buffer.from([0, 0, 0, 0, 0, 0, ...size, 100, 0, 0, 0]),
    still.subarray(still.indexOf('VP8 ')),
  );
  return chunk(
    'RIFF',
    Buffer.from('WEBP', 'latin1'),
    // It moves, and Exif is written beside it.
    chunk('VP8X', Buffer.from([0x0a, 0, 0, 0, ...size])),
    chunk('ANIM', Buffer.alloc(6)),
    frame,
    frame,
    chunk('EXIF', Buffer.from('Made at 60.39 N', 'latin1')),
  );
}

/** Files on their way to the service, and what is on its disk. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEklEQVR4nGP4z8AARAxQ6v9/AB/mBfsKGiWMAAAAAElFTkSuQmCC',
  'base64',
);

export function form(files: [string, BlobPart, string?][], fields: Record<string, string> = {}): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  for (const [name, bytes, type] of files) {
    data.append('attachments[]', new File([bytes], name, { type: type ?? 'application/octet-stream' }));
  }
  return data;
}

export async function filesBelow(dataDir: string): Promise<string[]> {
  const below = join(dataDir, 'uploads');
  return (await readdir(below, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
}

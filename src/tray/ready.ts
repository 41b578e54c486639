/**
 * Makes chosen files ready for a message: which of them may go, and why another may not. It does not know where they
 * came from nor where they wait.
 */
import { cleanFileName } from '../content/clean.js';
import { MB, sizeOf } from '../content/size.js';
import { shrink } from '../files/shrink.js';
import type { Surroundings } from '../ui/context.js';
import { within } from '../ui/later.js';

/** Isolated, because a name may run the other way than the sentence around it. */
export const nameIn = (file: { name: string }): string => `\u2068${cleanFileName(file.name)}\u2069`;

/** A folder cannot be read, nor a file that has gone meanwhile. */
async function opens(file: File): Promise<boolean> {
  try {
    await within(file.slice(0, 1).arrayBuffer());
    return true;
  } catch {
    return false;
  }
}

/** How much larger than a file may be a picture is that is not even tried to be made smaller. */
const TOO_LARGE = 8;
/** Phones make none that is larger. */
const TRIED = 64 * MB;
/** More names than anybody reads. */
const MAX_NAMED = 3;

const named = (names: readonly string[]) =>
  [...names.slice(0, MAX_NAMED), ...(names.length > MAX_NAMED ? ['…'] : [])].join(', ');

/** Of those with one name the later ones have a number: what is said of one is said of no other. */
function apart(file: File, others: readonly File[]): File {
  const { name, type, lastModified } = file;
  let its = name;
  for (let n = 2; others.some((other) => other.name === its); n++)
    its = name.replace(/(\.[^.]*)?$/, `-${n}$1`);
  return its === name ? file : new File([file], its, { type, lastModified });
}

/** What a camera may have written a place into. A drawing and an animation hold none. */
const isPhoto = ({ type, name }: File) =>
  type ? /^image\/(?!gif|svg)/.test(type) : /\.(?:jpe?g|png|webp|hei[cf]|avif|tiff?)$/i.test(name);

/** @param types as in the `accept` of a file input */
function isOf(types: string, file: File): boolean {
  const name = file.name.toLowerCase();
  // Systems know no type of some photos.
  const type = file.type || (isPhoto(file) ? 'image/' : '');
  return types
    .split(',')
    .some((one) =>
      one.endsWith('*') ? type.startsWith(one.slice(0, -1)) : type === one || name.endsWith(one),
    );
}

export interface Added {
  /** Why others may not go, each in a sentence. */
  problems: string[];
  /** They stand before the visitor. */
  here: boolean;
  /** What is said aloud. */
  note: string;
}

/**
 * Adds what may go to the files of the next message.
 * @param put where they were chosen: meanwhile another conversation may be there, or another visitor
 * @param recorded they were made here, and are of whatever kind the browser makes
 */
export async function take(
  chosen: readonly File[],
  { chat, say, locale, settings }: Surroundings,
  put: (files: readonly File[]) => boolean,
  recorded = false,
): Promise<Added> {
  const { fileTypes } = settings;
  const limit = settings.maxFileMb * MB;
  const ready: File[] = [];
  const problems: string[] = [];
  const left: string[] = [];
  const other: string[] = [];
  const fitting = chosen.filter((file) => {
    const fits = recorded || !fileTypes || isOf(fileTypes, file);
    if (!fits) other.push(nameIn(file));
    return fits;
  });
  if (other.length) problems.push(say('fileKind', { names: named(other) }));
  // At once: several that do not answer are waited for together.
  const opened = fitting.slice(0, settings.maxFiles).map(opens);
  let at = 0;
  // Counted by hand: in old pages `entries` is Prototype's.
  for (const file of fitting) {
    const opening = opened[at++];
    const name = nameIn(file);
    // Those that wait elsewhere are counted once they are sent.
    const had = put([]) ? chat.$files.get() : [];
    if (had.length + ready.length >= settings.maxFiles) {
      left.push(name);
      continue;
    }
    if (!(await (opening ?? opens(file)))) {
      problems.push(say('fileUnreadable', { name }));
      continue;
    }
    try {
      const small = file.size < Math.max(limit * TOO_LARGE, TRIED);
      const made = settings.shrinkImages && isPhoto(file) && small ? await within(shrink(file)) : file;
      if (made.size <= limit) ready.push(apart(made, [...had, ...ready]));
      else {
        // Rounded it could be as large as may be.
        const size = sizeOf(Math.max(made.size, limit + MB / 10), locale);
        problems.push(say('fileTooBig', { name, size, limit: sizeOf(limit, locale) }));
      }
    } catch {
      problems.push(say('notStripped', { name }));
    }
  }
  if (left.length) problems.push(say('tooManyFiles', { count: settings.maxFiles, names: named(left) }));
  const here = put(ready);
  const { length: count } = ready;
  return {
    problems,
    here,
    note: here && count ? say('filesAdded', { count, names: ready.map(nameIn).join(', ') }) : '',
  };
}

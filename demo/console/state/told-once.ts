/** Secrets that are told once: kept until a page has shown them, since the one that asked may be left before the answer. */
import { atom } from 'nanostores';

export interface Told {
  /** Whose it is, by name. */
  of: string;
  secret: string;
}

export type ToldOnce = ReturnType<typeof createToldOnce>;

export function createToldOnce() {
  const $told = atom<readonly Told[]>([]);
  return {
    /** The oldest first. */
    $told,
    tell: (of: string, secret: string) => $told.set([...$told.get(), { of, secret }]),
    forget: (one: Told) => $told.set($told.get().filter((other) => other !== one)),
  };
}

/** Waiting that ends. It does not know what for. */

/** @returns what comes, or `late` when nothing has come in time. It never rejects. */
export function within<T, L>(ms: number, work: Promise<T>, late: L): Promise<T | L> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(late), ms);
    const end = (value: T | L) => {
      clearTimeout(timer);
      resolve(value);
    };
    work.then(end, () => end(late));
  });
}

export const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

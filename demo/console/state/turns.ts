/** One piece of work on a conversation at a time, in the order in which they were asked for. Knows no work. */
export function createTurns() {
  const last = new Map<number, Promise<unknown>>();

  return async <T>(id: number, work: () => Promise<T>): Promise<T> => {
    const before = last.get(id);
    const mine = (async () => {
      await before?.catch(() => {});
      return work();
    })();
    last.set(id, mine);
    try {
      return await mine;
    } finally {
      if (last.get(id) === mine) last.delete(id);
    }
  };
}

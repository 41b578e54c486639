/** One piece of work on a conversation at a time, in the order in which they were asked for. Knows no work. */
export function createTurns() {
  const last = new Map<number, Promise<unknown>>();

  return async <T>(id: number, work: () => Promise<T>): Promise<T> => {
    const before = last.get(id);
    const mine = (async () => {
      await before;
      return work();
    })();
    last.set(id, mine);
    const answer = await mine;
    if (last.get(id) === mine) last.delete(id);
    return answer;
  };
}

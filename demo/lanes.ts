/** Work of one lane runs one after another, in the order in which it was asked for. Knows no work. */
export function createLanes<Name>() {
  const lanes = new Map<Name, Promise<unknown>>();

  return {
    /** Whatever became of what was before it. */
    async inLane<T>(name: Name, work: () => Promise<T>): Promise<T> {
      const before = lanes.get(name) ?? Promise.resolve();
      const mine = before.then(work, work);
      lanes.set(name, mine);
      try {
        return await mine;
      } finally {
        if (lanes.get(name) === mine) lanes.delete(name);
      }
    },
    /** What runs or waits in a lane by now; nothing when it is free. It never fails. */
    busy: (name: Name): Promise<unknown> | undefined => lanes.get(name)?.catch(() => undefined),
  };
}

export type Lanes<Name> = ReturnType<typeof createLanes<Name>>;

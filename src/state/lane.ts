/** Work that is done one after the other, whatever becomes of each. It does not know what is done. */
export interface Lane {
  inTurn: <R>(work: () => Promise<R>) => Promise<R>;
  /** When all that was asked for until now is done. It never fails. */
  turned: () => Promise<unknown>;
}

export function createLane(): Lane {
  let last: Promise<unknown> = Promise.resolve();
  return {
    inTurn(work) {
      const done = last.then(work);
      last = done.catch(() => {});
      return done;
    },
    turned: () => last,
  };
}

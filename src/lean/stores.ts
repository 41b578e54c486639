/**
 * As much of nanostores as the chat uses, which is what visitors get in its place. Listeners are called one after the
 * other, across all stores: what a listener changes is told after what is being told. That it does what nanostores
 * does is proved in test/built/stores.test.ts; types come from nanostores itself. It does not know what is in a store.
 */

type Listener = (value: unknown, before?: unknown) => void;
interface Store {
  get: () => unknown;
  listen: (listener: Listener) => () => void;
}
interface Call {
  store: Store;
  listener: Listener;
  before: unknown;
}

/** What is still to be told; undefined while nothing is. */
let calls: Call[] | undefined;

export function atom(value: unknown) {
  const listeners: Listener[] = [];
  const store = {
    get: () => value,
    set(next: unknown) {
      if (Object.is(value, next)) return;
      const before = value;
      value = next;
      const more = listeners.map((listener) => ({ store, listener, before }));
      if (calls) return void calls.push(...more);
      calls = more;
      const thrown: unknown[] = [];
      for (let call = calls.shift(); call; call = calls.shift())
        try {
          call.listener(call.store.get(), call.before);
        } catch (error) {
          thrown.push(error);
        }
      calls = undefined;
      if (thrown.length) throw thrown.pop();
    },
    listen(listener: Listener) {
      listeners.push(listener);
      return () => {
        calls = calls?.filter((call) => call.store !== store || call.listener !== listener);
        const at = listeners.indexOf(listener);
        if (at >= 0) listeners.splice(at, 1);
      };
    },
    subscribe(listener: Listener) {
      const end = store.listen(listener);
      listener(value);
      return end;
    },
  };
  return store;
}

/** Called at once, too. What it returns is called before the next time, and at the end. */
export function effect(stores: Store[], work: (...values: unknown[]) => (() => void) | undefined) {
  let undo: (() => void) | undefined;
  const run = () => {
    undo?.();
    undo = work(...stores.map((store) => store.get()));
  };
  const ends = stores.map((store) => store.listen(run));
  run();
  return () => {
    for (const end of ends) end();
    undo?.();
  };
}

/** Visitors get a fraction of nanostores: whatever is set, heard and taken back must be told as all of it tells it. */
import fc from 'fast-check';
import * as nanostores from 'nanostores';
import { expect, test } from 'vitest';
import * as lean from '../../src/lean/stores.js';

type Step =
  | { kind: 'set'; store: number; value: number }
  | { kind: 'hear'; store: number; from: 'listen' | 'subscribe'; then: Step[] }
  | { kind: 'effect'; stores: number[]; then: Step[] }
  | { kind: 'again'; store: number; listener: number }
  | { kind: 'end'; which: number }
  | { kind: 'fail' };

const STORES = 3;
const store = fc.nat({ max: STORES - 1 });
const { step } = fc.letrec<{ step: Step }>((tie) => {
  const then = fc.array(tie('step'), { maxLength: 3 });
  return {
    step: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.record({ kind: fc.constant('set' as const), store, value: fc.nat({ max: 3 }) }),
      fc.record({
        kind: fc.constant('hear' as const),
        store,
        from: fc.constantFrom('listen' as const, 'subscribe' as const),
        then,
      }),
      fc.record({ kind: fc.constant('effect' as const), stores: fc.array(store, { maxLength: 3 }), then }),
      fc.record({ kind: fc.constant('again' as const), store, listener: fc.nat({ max: 5 }) }),
      fc.record({ kind: fc.constant('end' as const), which: fc.nat({ max: 5 }) }),
      fc.constant<Step>({ kind: 'fail' }),
    ),
  };
});

/** @returns everything that was told, in order */
function told({ atom, effect }: Pick<typeof nanostores, 'atom' | 'effect'>, program: Step[]): string[] {
  const log: string[] = [];
  const stores = Array.from({ length: STORES }, () => atom<unknown>(0));
  const at = (i: number) => stores[i % STORES] ?? atom<unknown>();
  const listeners: ((value: unknown, before?: unknown) => void)[] = [];
  const ends: (() => void)[] = [];
  // Two listeners may set each other's store for ever.
  let left = 200;
  function listener(then: Step[]) {
    const name = listeners.length;
    const hear = (value: unknown, before?: unknown) => {
      log.push(`${name} hears ${value} after ${before}`);
      if (left-- > 0) then.forEach(take);
    };
    listeners.push(hear);
    return hear;
  }
  function take(step: Step) {
    if (step.kind === 'set') at(step.store).set(step.value);
    else if (step.kind === 'hear') ends.push(at(step.store)[step.from](listener(step.then)));
    else if (step.kind === 'again') {
      const hear = listeners[step.listener];
      if (hear) ends.push(at(step.store).listen(hear));
    } else if (step.kind === 'end') ends[step.which]?.();
    else if (step.kind === 'fail') throw new Error('as told');
    else {
      let first = true;
      const hear = listener(step.then);
      const work = (...values: unknown[]) => {
        // One that fails when it is made is left listening here, and not there: ours never do.
        if (first) log.push(`made with ${values}`);
        else hear(values);
        first = false;
        return () => void log.push('undone');
      };
      ends.push(effect(step.stores.map(at), work));
    }
  }
  for (const step of program) {
    try {
      take(step);
    } catch (error) {
      log.push(`${error}`);
    }
    log.push(`${stores.map((one) => one.get())}`);
  }
  return log;
}

test('whatever is set, heard and taken back is told as all of nanostores tells it', () => {
  let heard = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (program) => {
      const expected = told(nanostores, program);
      expect(told(lean as unknown as typeof nanostores, program)).toEqual(expected);
      heard += expected.filter((line) => line.includes('hears')).length;
    }),
    { numRuns: 5_000, seed: 7 },
  );
  expect(heard).toBeGreaterThan(10_000);
});

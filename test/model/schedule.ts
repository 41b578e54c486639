/**
 * What may happen to a visitor's browser, as values that fast-check makes, shrinks and prints. One step for each
 * message; right after it anything else. It does not know how it is carried out.
 */
import * as fc from 'fast-check';

export const MESSAGES = 20;

const tab = fc.nat({ max: 3 });

const happening = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('offline' as const), told: fc.boolean(), ms: span(90_000) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('openTab' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('closeTab' as const), tab, destroyed: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('killTab' as const), tab, afterMs: fc.nat({ max: 200 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('freeze' as const),
      tab,
      afterMs: fc.nat({ max: 100 }),
      ms: span(200_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('hide' as const), tab, ms: span(400_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cachePage' as const), tab, ms: span(60_000) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('diskFault' as const),
      kind: fc.constantFrom('quota' as const, 'lost' as const, 'lostAfter' as const),
      skip: fc.nat({ max: 6 }),
      times: fc.integer({ min: 1, max: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('localFull' as const), times: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('evict' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('identify' as const),
      tab,
      as: fc.constantFrom('ada', 'bob'),
      afterMs: fc.nat({ max: 3_000 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('logout' as const), tab, afterMs: fc.nat({ max: 3_000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deleteContact' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deleteConversation' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('agentReplies' as const),
      count: fc.constantFrom(1, 1, 2, 25),
      afterMs: span(30_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('clockJump' as const),
      ms: fc.constantFrom(-86_400_000, 86_400_000, 600_000, -600_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('retryFailed' as const), tab }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('discard' as const), tab }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('loadOlder' as const), tab }) },
);
export type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

/** Mostly short, sometimes up to the limit. */
function span(max: number) {
  return fc.oneof(
    { weight: 3, arbitrary: fc.nat({ max: Math.ceil(max / 20) }) },
    { weight: 1, arbitrary: fc.nat({ max }) },
  );
}

const step = fc.record({
  meanwhile: fc.oneof(
    { weight: 3, arbitrary: fc.constant([] as Happening[]) },
    { weight: 2, arbitrary: fc.array(happening, { minLength: 1, maxLength: 2 }) },
  ),
  waitMs: span(40_000),
  tab,
  /** About 30 % of the texts are equal to another. */
  text: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('ok', 'ok ', 'yes') },
    { weight: 7, arbitrary: fc.constant('') },
  ),
  files: fc.oneof(
    { weight: 9, arbitrary: fc.constant([] as number[]) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom(5, 5, 40, 70_000), { minLength: 1, maxLength: 2 }) },
  ),
});

export const schedule = fc.record({
  seed: fc.nat({ max: 0x7fff_ffff }),
  keepsNames: fc.oneof(
    { weight: 3, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  rate: fc.constantFrom(0, 0.05, 0.15, 0.3, 0.5),
  breaks: fc.oneof(
    { weight: 8, arbitrary: fc.constant('none' as const) },
    { weight: 1, arbitrary: fc.constantFrom('A1' as const, 'A2' as const) },
  ),
  /** Browsers that refuse something; most refuse nothing. */
  refuses: fc.oneof(
    { weight: 7, arbitrary: fc.constant([] as const) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        ['locks'] as const,
        ['locks'] as const,
        ['channel'] as const,
        ['indexedDB'] as const,
        ['localStorage'] as const,
        ['localStorage', 'indexedDB', 'locks', 'channel'] as const,
      ),
    },
  ),
  steps: fc.array(step, { minLength: MESSAGES, maxLength: MESSAGES }),
});
export type Schedule = typeof schedule extends fc.Arbitrary<infer T> ? T : never;

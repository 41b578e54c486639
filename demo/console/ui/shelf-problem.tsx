/** Said where lists are used that could not be loaded, with a way to try again. Knows no kind of thing. */
import type { ReadableAtom } from 'nanostores';
import { Problem } from './kit/page.js';
import { useStore } from './use-store.js';

interface Loaded {
  $problem: ReadableAtom<string>;
  load(): Promise<void>;
}

/** @param shelves as many each time */
export function ShelfProblem({ shelves }: { shelves: readonly Loaded[] }) {
  const problems = shelves.map(({ $problem }) => useStore($problem));
  const text = problems.find((problem) => problem !== '');
  if (text === undefined) return null;
  const retry = () => {
    for (const { $problem, load } of shelves) if ($problem.get()) void load();
  };
  return <Problem text={text} onRetry={retry} />;
}

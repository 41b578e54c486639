/** The present minute, for relative times; ticks only while somebody looks. */
import { atom, onMount } from 'nanostores';

const TICK_MS = 20_000;

export const $now = atom(Date.now());

onMount($now, () => {
  $now.set(Date.now());
  const timer = setInterval(() => $now.set(Date.now()), TICK_MS);
  return () => clearInterval(timer);
});

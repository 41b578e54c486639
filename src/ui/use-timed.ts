/**
 * A browser takes its time for the first thing that writes dates: some 20 ms on a desk, four times that on a phone.
 * Words do not wait for it; the times beside them come a moment later.
 */
import { useEffect, useState } from 'preact/hooks';

const MOMENT_MS = 100;
let ready = false;

/** @param wanted there is something that has a time. @returns whether times may be written by now */
export function useTimed(wanted: boolean): boolean {
  const [timed, setTimed] = useState(ready);
  useEffect(() => {
    if (timed || !wanted) return undefined;
    const timer = setTimeout(() => {
      ready = true;
      setTimed(true);
    }, MOMENT_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  return timed;
}

const LOOK_MS = 60_000;

/**
 * @param open somebody may be looking
 * @returns the date of today, also after midnight and a night's sleep, and which clock it is of, also after a flight
 */
export function useToday(open: boolean): { today: string; zone: number } {
  const [, look] = useState('');
  const now = new Date();
  const [today, zone] = [now.toDateString(), now.getTimezoneOffset()];
  useEffect(() => {
    if (!open) return undefined;
    const timer = setInterval(() => {
      const then = new Date();
      look(then.toDateString() + then.getTimezoneOffset());
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [open]);
  return { today, zone };
}

/**
 * One finger drawn over an element: to a side, or down. A mouse is no finger, two enlarge the page, and one goes about
 * in a page that is enlarged. It does not know what comes of it.
 */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

const SIDE_PX = 50;
const DOWN_PX = 80;

export function useSwipe(
  within: RefObject<HTMLElement | null>,
  swiped: (way: 'left' | 'right' | 'down') => void,
): void {
  // What is drawn anew meanwhile does not let go of the finger.
  const latest = useRef(swiped);
  latest.current = swiped;
  useLayoutEffect(() => {
    const element = within.current;
    let from: { x: number; y: number } | undefined;
    const touched = ({ type, touches, changedTouches }: TouchEvent) => {
      const finger = changedTouches[0];
      if (!finger) return;
      const { clientX, clientY } = finger;
      if (from && type === 'touchend') {
        const x = clientX - from.x;
        const y = clientY - from.y;
        if (Math.abs(x) > Math.abs(y)) {
          if (Math.abs(x) > SIDE_PX) latest.current(x < 0 ? 'left' : 'right');
        } else if (y > DOWN_PX) latest.current('down');
      }
      const alone = type === 'touchstart' && !touches[1] && !((visualViewport?.scale ?? 1) > 1);
      from = alone ? { x: clientX, y: clientY } : undefined;
    };
    const types = ['touchstart', 'touchend', 'touchcancel'] as const;
    for (const type of types) element?.addEventListener(type, touched, { passive: true });
    return () => {
      for (const type of types) element?.removeEventListener(type, touched);
    };
  }, []);
}

/** What every screen has: a heading that takes the focus, and a way back. It does not know which screens there are. */
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Key } from '../text/text.js';
import { type Screen, useSurroundings } from '../ui/context.js';
import { isFree } from '../ui/free.js';
import { BackIcon } from './back-icon.js';

export interface ScreenProps {
  /** Back to the thread. @param to what takes the focus; nothing, when the visitor has gone elsewhere already */
  onLeave: (to?: 'menu' | 'composer') => void;
  onGo: (screen: Screen) => void;
  /**
   * A sentence that the visitor should know, and that stands for a while.
   * @param calmly it interrupts nobody
   */
  onSay: (words: string, calmly?: boolean) => void;
}

export function ScreenFrame({
  title,
  step,
  onBack,
  children,
}: {
  title: Key;
  /** With another one, what held the focus may have gone. */
  step?: boolean;
  onBack: () => void;
  children: ComponentChildren;
}): JSX.Element {
  const { say, close } = useSurroundings();
  const heading = useRef<HTMLHeadingElement>(null);
  // Before what held the focus until now is seen to be gone.
  useLayoutEffect(() => {
    if (isFree(heading.current)) heading.current?.focus();
  }, [title]);
  // Whoever has gone on in the window stays there.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus();
  }, [step]);
  return (
    <section class="screen" part="screen" aria-label={say(title)}>
      <div class="bar">
        <button type="button" class="back" aria-label={say('back')} onClick={onBack}>
          <BackIcon />
        </button>
        <h2 ref={heading} tabIndex={-1}>
          {say(title)}
        </h2>
        <button type="button" class="close" part="close" aria-label={say('closeChat')} onClick={close} />
      </div>
      <div class="page scrolls">{children}</div>
    </section>
  );
}

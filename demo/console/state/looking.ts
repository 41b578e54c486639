/** Whether the agent looks at the console, in this tab or in another one of this browser. Knows nothing of what it shows. */

const isHere = () => document.visibilityState === 'visible' && document.hasFocus();

/** @param me whose console: before another's sits somebody else */
export function createLooking(me: number) {
  const name = `parley-console:looking:${me}`;
  let release: (() => void) | undefined;

  function letGo() {
    release?.();
    release = undefined;
  }
  function onLook() {
    if (!isHere()) return letGo();
    if (release) return;
    const looked = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Where it is refused, each tab knows of itself alone.
    navigator.locks?.request(name, { mode: 'shared' }, () => looked).catch(() => undefined);
  }
  document.addEventListener('visibilitychange', onLook);
  addEventListener('focus', onLook);
  // While it loses it, a page may still say that it has the focus.
  addEventListener('blur', letGo);
  onLook();

  return {
    async isAnywhere(): Promise<boolean> {
      if (isHere()) return true;
      const locks = await navigator.locks?.query().catch(() => undefined);
      return !!locks?.held?.some((lock) => lock.name === name);
    },
    close() {
      document.removeEventListener('visibilitychange', onLook);
      removeEventListener('focus', onLook);
      removeEventListener('blur', letGo);
      letGo();
    },
  };
}

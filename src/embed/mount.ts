/**
 * Door 1: the launcher, and the way to the rest. Nothing is fetched and nothing is kept until the visitor wants to
 * chat or has chatted before. It knows that there is a stage behind it, and not what happens there.
 */
import { localKey, scopeKey } from '../storage/local.js';
import { createDoors } from './doors.js';
import { createLauncher } from './launcher.js';
import type { TagOptions } from './options.js';
import type { Stage } from './stage.js';

export interface Instance {
  open: () => void;
  close: () => void;
  toggle: () => void;
  /** @param tag a language tag, like `pt-BR`; English where we do not speak it */
  setLocale: (tag: string) => void;
  destroy: () => void;
}

/** @param base where the script came from; the other doors lie beside it */
export function mount(options: TagOptions, base: string, nonce: string | undefined): Instance {
  const doors = createDoors(base, nonce);
  let entering: Promise<Stage> | undefined;
  let stage: Stage | undefined;
  /** Until the stage is there, which knows better. */
  let wanted = false;
  let destroyed = false;

  const intend = () => {
    doors.preload('front');
    doors.preload('window');
  };
  const launcher = createLauncher(nonce, toggle, intend);

  function enter(): Promise<Stage> {
    entering ??= doors.open('front').then(
      ({ createStage }) => {
        const made = createStage(options, launcher, doors, base, nonce);
        if (destroyed) made.destroy();
        stage = made;
        return made;
      },
      (error: unknown) => {
        entering = undefined;
        throw error;
      },
    );
    return entering;
  }

  /** Where the stage cannot be had, nothing happens; the next press tries again. */
  const once = (work: (entered: Stage) => void) => void enter().then(work, () => {});

  async function show(asked: boolean) {
    wanted = true;
    // Now, and not a round trip later: on a phone the keyboard comes only with the press itself.
    if (asked && !stage) {
      launcher.catchKeys();
      intend();
    }
    try {
      const entered = await enter();
      if (wanted) await entered.show(asked);
      else launcher.caught();
    } catch {
      wanted = false;
      launcher.failed(asked);
    }
  }

  function hide() {
    wanted = false;
    stage?.hide();
  }

  function toggle() {
    if (stage) stage.toggle();
    else if (wanted) hide();
    else void show(true);
  }

  const kept = (name: string): string | null => {
    try {
      return localStorage.getItem(localKey(scopeKey(options.baseUrl, options.inboxIdentifier), name));
    } catch {
      return null;
    }
  };
  // A visitor who has written before hears of answers; one who left the window open finds it open.
  if (kept('open') === 'true') void show(false);
  else if (kept('')) {
    const listen = () => once((entered) => entered.listen());
    if ('requestIdleCallback' in window) requestIdleCallback(listen, { timeout: 2000 });
    else setTimeout(listen, 200);
  }

  return {
    open: () => void show(true),
    close: hide,
    toggle,
    setLocale: (tag) => once((entered) => entered.setLocale(tag)),
    destroy() {
      destroyed = true;
      stage?.destroy();
      launcher.destroy();
    },
  };
}

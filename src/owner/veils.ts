/** Why nothing of the chat is seen: as long as there is one reason, there is no launcher and no window. */
import type { Given } from '../embed/options.js';
import type { Stage } from '../embed/stage.js';

export type Veil = 'hide' | 'place' | 'pages' | 'hours';

const AGAIN_MS = 5_000;
const MOST_TRIES = 12;

/**
 * From here on `show()` takes back only what `hide()` did.
 * @param options those that are right
 * @returns what adds or takes away a reason
 */
export function createVeils(
  { doors, front, hall, launcher, own }: Stage,
  options: Given,
): (why: Veil, is: boolean) => void {
  const { host } = launcher;
  const { parley, waiting } = hall;
  const { close } = parley;
  /** Then it is another chat that waits, or stands open. */
  let over = false;
  own(() => {
    over = true;
  });
  /** Where it is hidden by then, it does not open again by itself. */
  const shut = () => {
    if (front.local.get('open') === true) front.local.set('open', false);
  };
  parley.close = () => {
    // What was tried while nothing may be seen is closed again by us.
    const ours = host.hidden && (options.inside ? hall.wanted() : hall.wanted() !== false);
    if (!over && !ours) {
      if (options.inside) waiting.shut = true;
      else if (host.hidden) shut();
    }
    return close();
  };
  if (options.inside) {
    waiting.shut ||= hall.wanted() === false;
    own(
      front.$open.listen((open) => {
        if (open) waiting.shut = false;
      }),
    );
  }
  const reasons = new Set<Veil>();
  // It has been hidden until we say whether it may be seen.
  if (hall.hidden) reasons.add('hide');
  if (options.inside) reasons.add('place');
  if (options.pages) reasons.add('pages');
  if (options.outsideHours === 'hide') reasons.add('hours');

  function veil(why: Veil, is: boolean) {
    if (is) reasons.add(why);
    else reasons.delete(why);
    const was = host.hidden;
    host.hidden = reasons.size > 0;
    if (host.hidden) {
      // Here: in another tab, and on the next page, it stands as the visitor has left it. A call closes it for good.
      const before = waiting.shut;
      if (why !== 'hide') front.$open.set(false);
      else if (is && !options.inside) shut();
      void close();
      waiting.shut = before;
    } else if (was && (options.inside ? !waiting.shut : front.local.get('open') === true)) void show();
  }
  async function show() {
    const answer = await hall.open(false);
    if (!options.inside || answer.ok || answer.error.kind !== 'notLoaded') return;
    waiting.shut = false;
    again();
  }
  let tries = 0;
  /** Nobody sees a button to press once more. */
  function again() {
    const timer = setTimeout(
      () => void doors.open('window').then(() => void (waiting.shut || show()), again),
      AGAIN_MS * Math.min(++tries, MOST_TRIES),
    );
    own(() => clearTimeout(timer));
  }
  host.hidden = reasons.size > 0;
  parley.show = () => veil('hide', false);
  parley.hide = () => veil('hide', true);
  return veil;
}

/**
 * Whether the agent can be talked to, as they say and as their other tabs and an administrator do: shown at once, and
 * taken back when the service refuses it. Knows no markup.
 */
import { atom } from 'nanostores';
import { createLanes } from '../../lanes.js';
import type { Api } from '../api.js';
import { sentence } from '../errors.js';
import { type Availability, availabilitySchema } from '../wire/schemas.js';
import type { Notices } from './notices.js';

export function createAvailability(api: Api, first: Availability, notices: Notices) {
  const $availability = atom(first);
  const { inLane, busy } = createLanes<'availability'>();
  /** What the service knows. */
  let known = first;

  async function say(wish: Availability): Promise<void> {
    notices.hush('availability');
    $availability.set(wish);
    const answer = await inLane('availability', () => api.setAvailability(wish));
    if (answer.ok) {
      known = wish;
      return;
    }
    // What was said since stands.
    if ($availability.get() === wish) $availability.set(known);
    const what = `You are still shown as ${known}`;
    notices.problem('availability', sentence(what, answer.error), () => void say(wish));
  }

  return {
    $availability,
    say,
    /** Told by the socket, which may not know yet what is just being said. */
    heard(told: string | undefined) {
      const { data } = availabilitySchema.safeParse(told);
      if (!data || busy('availability')) return;
      known = data;
      $availability.set(data);
    },
  };
}

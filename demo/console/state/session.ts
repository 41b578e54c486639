/**
 * Who is at the desk: takes the token from the link's fragment or from the form, keeps it for this tab only, and
 * opens or closes the desk. Knows no markup.
 */
import { atom } from 'nanostores';
import * as z from 'zod';
import { getProfile } from '../api.js';
import { isUnauthorized, sentence } from '../errors.js';
import { createDesk, type Desk } from './desk.js';
import { forgetKept, kept } from './kept.js';

export type Phase =
  | { name: 'signed-out'; problem: string }
  | { name: 'entering' }
  | { name: 'unreachable'; problem: string }
  | { name: 'signed-in'; desk: Desk };

export type Session = ReturnType<typeof createSession>;

export function createSession() {
  const $token = kept('token', z.string(), '');
  /** Whose words this tab keeps. */
  const $owner = kept('owner', z.int(), 0);
  const $phase = atom<Phase>({ name: 'signed-out', problem: '' });

  function leave(problem: string) {
    const phase = $phase.get();
    if (phase.name === 'signed-in') phase.desk.close();
    $token.set('');
    $phase.set({ name: 'signed-out', problem });
  }

  async function enter(given: string) {
    const token = given.trim();
    $token.set(token);
    $phase.set({ name: 'entering' });
    const answer = await getProfile(token);
    // Another one may have come meanwhile: a second link, opened before the first was answered.
    if ($phase.get().name !== 'entering' || $token.get() !== token) return;
    if (answer.ok) {
      if ($owner.get() !== answer.value.id) forgetKept(['token']);
      $owner.set(answer.value.id);
      const desk = createDesk(answer.value, token, () => {
        // A late answer to who was here before throws out nobody who came after.
        const now = $phase.get();
        if (now.name === 'signed-in' && now.desk === desk) leave('This access token is no longer accepted.');
      });
      $phase.set({ name: 'signed-in', desk });
    } else if (isUnauthorized(answer.error)) leave('This access token is not accepted.');
    else $phase.set({ name: 'unreachable', problem: sentence('You could not be signed in', answer.error) });
  }

  /** A link's token wins over the kept one; either way it never stays in the address. */
  function start() {
    const given = new URLSearchParams(location.hash.slice(1)).get('token');
    if (given) history.replaceState(null, '', location.pathname + location.search);
    const token = given || $token.get();
    if (token) void enter(token);
  }

  start();
  return {
    $phase,
    enter,
    retry: () => enter($token.get()),
    signOut() {
      leave('');
      $owner.set(0);
      forgetKept();
    },
    /** A second console link opened in this tab. */
    listen() {
      const onHash = () => {
        if (location.hash.startsWith('#token=')) {
          leave('');
          start();
        }
      };
      addEventListener('hashchange', onHash);
      return () => removeEventListener('hashchange', onHash);
    },
  };
}

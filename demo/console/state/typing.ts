/**
 * Typing, both ways. The service keeps no state about it: ours is renewed and taken back here, theirs expires here.
 * @see `typeInConversation` in /openapi.json
 */
import { atom } from 'nanostores';
import type { Api } from '../api.js';
import type { TypingEvent } from '../wire/events.js';

const EXPIRE_MS = 30_000;
const RENEW_MS = 15_000;
const PAUSE_MS = 4_000;

export interface Typist {
  conversationId: number;
  key: string;
  name: string;
}

export type Typing = ReturnType<typeof createTyping>;

export function createTyping(api: Api, me: number) {
  const $typists = atom<readonly Typist[]>([]);
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  let ours: { conversationId: number; isPrivate: boolean; atMs: number } | undefined;
  let pause: ReturnType<typeof setTimeout> | undefined;

  function gone(key: string) {
    clearTimeout(timers.get(key));
    timers.delete(key);
    $typists.set($typists.get().filter((typist) => typist.key !== key));
  }

  function stop() {
    clearTimeout(pause);
    if (!ours) return;
    void api.typing(ours.conversationId, false, ours.isPrivate);
    ours = undefined;
  }

  return {
    $typists,
    stop,
    /** Call on every change of the words; the service hears of it now and then. */
    keystroke(conversationId: number, isPrivate: boolean) {
      if (ours && (ours.conversationId !== conversationId || ours.isPrivate !== isPrivate)) stop();
      if (!ours || Date.now() - ours.atMs > RENEW_MS) {
        ours = { conversationId, isPrivate, atMs: Date.now() };
        void api.typing(conversationId, true, isPrivate);
      }
      clearTimeout(pause);
      pause = setTimeout(stop, PAUSE_MS);
    },
    heard(event: TypingEvent, on: boolean) {
      const { user, conversation, is_private } = event;
      const isAgent = user.type === 'user' || user.type === 'agent_bot';
      if (is_private || (isAgent && user.id === me)) return;
      const key = `${conversation.id}:${isAgent ? 'agent' : 'visitor'}:${user.id ?? ''}`;
      gone(key);
      if (!on) return;
      const name = isAgent ? user.available_name || user.name || 'A colleague' : user.name || 'Visitor';
      $typists.set([...$typists.get(), { conversationId: conversation.id, key, name }]);
      timers.set(key, setTimeout(gone, EXPIRE_MS, key));
    },
    /** A message of the visitor ends the visitor's typing. */
    arrived(conversationId: number) {
      for (const { key } of $typists.get()) {
        if (key.startsWith(`${conversationId}:visitor`)) gone(key);
      }
    },
    close() {
      stop();
      for (const key of timers.keys()) gone(key);
    },
  };
}

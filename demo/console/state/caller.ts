/**
 * Calls the agent when a visitor writes and they look at no tab of the console: a notification of the browser and a
 * sound, each only where the agent has asked for it in this browser. Knows no list and no markup.
 */
import * as z from 'zod';
import { createBell } from '../../../src/notice/sound.js';
import { filesInShort } from '../model/files.js';
import { type Known, nameOf } from '../model/known-conversation.js';
import { answerInShort } from '../model/question.js';
import type { Message } from '../wire/schemas.js';
import { follow, kept } from './kept.js';
import { createLooking } from './looking.js';
import type { Places } from './place.js';

const WORDS = 140;
/** So long the tab that sounds keeps the others from it. */
const SOUND_MS = 1000;

const wishesSchema = z.object({ notifications: z.boolean(), sound: z.boolean() });

const mayNotify = () => 'Notification' in window && Notification.permission === 'granted';

function soundOnce(bell: ReturnType<typeof createBell>) {
  if (!bell.may()) return;
  if (!navigator.locks) return void bell.ring();
  void navigator.locks.request('parley-console:sound', { ifAvailable: true }, (lock) => {
    if (!lock) return undefined;
    void bell.ring();
    return new Promise((resolve) => setTimeout(resolve, SOUND_MS));
  });
}

/** @param sees whether a colleague sees what is in an inbox */
export function createCaller(
  place: Places,
  me: number,
  sees: (agentId: number, inboxId: number) => Promise<boolean>,
) {
  const none = { notifications: false, sound: false };
  const $wishes = kept('wishes', wishesSchema, none, () => localStorage);
  const bell = createBell(() => $wishes.get().sound);
  const looking = createLooking(me);
  let isClosed = false;
  const shown = new Map<number, Notification>();

  function notify(message: Message, conversation: Known) {
    const id = conversation.id;
    // Tabs of one browser that show the same message show one notification.
    const shows = new Notification(nameOf(conversation), {
      body: (answerInShort(message) || message.content || filesInShort(message.attachments)).slice(0, WORDS),
      tag: `parley-console-${message.id}`,
      icon: new URL('../icon.svg', import.meta.url).href,
    });
    shown.get(id)?.close();
    shown.set(id, shows);
    shows.onclick = () => {
      window.focus();
      shows.close();
      place.go({ conversationId: id });
    };
  }

  function onLook() {
    if (document.visibilityState !== 'visible') return;
    for (const one of shown.values()) one.close();
    shown.clear();
  }
  document.addEventListener('visibilitychange', onLook);
  const unfollow = follow('wishes', wishesSchema, $wishes);

  return {
    $wishes,
    mayNotify,
    setSound(sound: boolean) {
      $wishes.set({ ...$wishes.get(), sound });
      if (bell.may()) void bell.ring();
    },
    /** Asks the browser for leave, which asks the agent. Resolves to why it cannot be, or to nothing. */
    async setNotifications(notifications: boolean): Promise<string> {
      if (notifications && !('Notification' in window)) return 'This browser has no notifications.';
      if (notifications && (await Notification.requestPermission()) !== 'granted') {
        return 'The browser does not allow it. Allow notifications for this page in its settings first.';
      }
      $wishes.set({ ...$wishes.get(), notifications });
      return '';
    },
    /** A visitor has written or answered: told unless somebody looks, or it is a colleague's who can answer. */
    async arrived(message: Message, conversation: Known): Promise<void> {
      const { notifications, sound } = $wishes.get();
      if (!(notifications || sound) || conversation.meta.sender?.blocked) return;
      if (await looking.isAnywhere()) return;
      const assignee = conversation.meta.assignee?.id;
      if (assignee && assignee !== me && (await sees(assignee, conversation.inbox_id))) return;
      if ((await looking.isAnywhere()) || isClosed) return;
      if (sound) soundOnce(bell);
      if (!notifications || !mayNotify()) return;
      try {
        notify(message, conversation);
      } catch {
        // Some browsers of phones have the word and not the thing.
      }
    },
    close() {
      isClosed = true;
      document.removeEventListener('visibilitychange', onLook);
      unfollow();
      looking.close();
      bell.destroy();
      for (const one of shown.values()) one.close();
    },
  };
}

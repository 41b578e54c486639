/**
 * Fetches the notice once a message has come while the window was closed or the page hidden. Where it cannot be
 * fetched the badge says it, and the next message tries again. It does not know what a notice looks like.
 */
import notice from 'virtual:parley-notice';
import { type BadgeNeeds, showBadge } from '../embed/badge.js';
import { createLoader } from '../embed/loader.js';
import type { Message } from '../wire/message.js';
import type { Notice, NoticeNeeds } from './notice.js';

/** @param base what the files are relative to. @returns its undo */
export function watchNews(needs: NoticeNeeds & Omit<BadgeNeeds, 'chat'>, base: string): () => void {
  const { chat, local } = needs.front;
  const later = createLoader<{ notice: typeof import('./notice.js') }>(notice, base, needs.nonce);
  let making: Promise<Notice> | undefined;
  let over = false;

  async function notify(arrived?: Message) {
    try {
      making ??= later.open('notice').then(({ createNotice }) => createNotice(needs));
      const made = await making;
      if (over) made.destroy();
      else if (arrived) made.arrived(arrived);
    } catch {
      making = undefined;
    }
  }
  const undos = [
    showBadge({ ...needs, chat }),
    chat.$news.subscribe((news) => {
      const dismissed = local.get('dismissed');
      const newest = news.at(-1)?.id ?? 0;
      if (!chat.$open.get() && newest > (typeof dismissed === 'number' ? dismissed : 0)) void notify();
    }),
    chat.onArrival((message) => {
      if (!chat.$open.get() || document.hidden) void notify(message);
    }),
  ];
  return () => {
    over = true;
    for (const undo of undos) undo();
    void making?.then((made) => made.destroy());
  };
}

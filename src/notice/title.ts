/**
 * A count before the page's title while the page is hidden, and the title as it was when it is not. A page has one
 * title, however many chats: they count together.
 */

/** By the chat that counts: two of one inbox count the same messages. */
const counts = new Map<object, { scope: string; count: number }>();
/** The page's own text, and what stands in its place. */
let own = '';
let ours: string | undefined;

/** @param count 0 takes this chat's part away; with the last one, the title is the page's again */
export function countInTitle(chat: object, scope: string, count: number): void {
  counts.delete(chat);
  if (count) counts.set(chat, { scope, count });
  const title = document.head.querySelector('title');
  if (!title) return;
  const now = title.textContent ?? '';
  // The page has changed it meanwhile: that is its own now.
  if (now !== ours) own = now;
  const most: Record<string, number> = {};
  for (const { scope, count } of counts.values()) most[scope] = Math.max(count, most[scope] ?? 0);
  let all = 0;
  for (const count of Object.values(most)) all += count;
  const mark = `(${all}) `;
  // A page that counts by itself has said it.
  const next = all && !own.startsWith(mark) ? mark + own.trim() : own;
  if (ours === undefined && !all) return;
  if (now !== next) title.textContent = next;
  ours = all ? next : undefined;
}

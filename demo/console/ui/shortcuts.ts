/** Keys for the whole page; every one of them with a modifier, so that nothing typed is ever taken. */
import type { Desk } from '../state/desk.js';

const isMac = navigator.platform.startsWith('Mac');

export const shortcuts = [
  { keys: 'Ctrl+K', does: 'Search' },
  { keys: 'Alt+↑ Alt+↓', does: 'Previous, next conversation' },
  // With Option a Mac begins an ñ.
  { keys: isMac ? 'Ctrl+Shift+N' : 'Alt+N', does: 'Switch between reply and note' },
];

const isModeKey = ({ code, altKey, ctrlKey, shiftKey, metaKey }: KeyboardEvent) =>
  code === 'KeyN' && !metaKey && (isMac ? ctrlKey && shiftKey && !altKey : altKey && !ctrlKey && !shiftKey);

/** Alt with an arrow opens these. */
const opens = (target: EventTarget | null) =>
  target instanceof Element && target.matches('select, [type=date], [type=time], [list]');

/** Option with an arrow walks through what is written there. */
const walks = (target: EventTarget | null) =>
  isMac && target instanceof Element && target.matches('textarea, input');

/** Who fills in a form would lose it with its page. */
const fills = (target: EventTarget | null) =>
  target instanceof Element && target.matches('input, textarea, select');

export const focus = (id: string): void => document.getElementById(id)?.focus();

/** @returns its undo. */
export function listenShortcuts(desk: Desk): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing || event.key === 'Dead' || document.querySelector('dialog:modal')) return;
    if (isModeKey(event) && desk.thread.$openId.get() !== undefined) {
      event.preventDefault();
      desk.drafts.$mode.set(desk.drafts.$mode.get() === 'note' ? 'reply' : 'note');
      focus('reply');
      return;
    }
    if (event.shiftKey) return;
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
      const search = document.getElementById('search');
      if (!search && fills(event.target)) return;
      event.preventDefault();
      const hidden = desk.thread.$openId.get() !== undefined && matchMedia('(max-width: 759px)').matches;
      if (hidden || !search) {
        desk.place.go({});
        requestAnimationFrame(() => focus('search'));
      } else focus('search');
      return;
    }
    if (!event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    if (desk.place.$place.get().section !== 'inbox' || opens(event.target) || walks(event.target)) return;
    event.preventDefault();
    void desk.step(event.key === 'ArrowUp' ? -1 : 1);
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}

/**
 * Puts the chat on this page with the attributes that the playground sends, again and again, and says when it stands
 * there. Knows none of them.
 */
let tag;
let loading = false;
let next;
/** Which of the playground's wishes it is. */
let turn;

/** One after the other: a script that is on its way cannot be called back. */
async function show(attributes) {
  next = attributes;
  if (loading) return;
  loading = true;
  const { parley } = window;
  const wasOpen = parley?.status?.().open;
  parley?.destroy?.();
  tag?.remove();
  tag = document.createElement('script');
  tag.src = '/parley.js';
  for (const [name, value] of attributes) tag.setAttribute(name, value);
  const loaded = new Promise((resolve) => {
    tag.onload = tag.onerror = resolve;
  });
  document.head.append(tag);
  await loaded;
  // What is kept opens by itself, and beside the page; a call comes from a press, and may have to be modal.
  for (let looks = 0; wasOpen && opensItself() && looks < 30 && !window.parley?.status?.().open; looks++)
    await new Promise((again) => setTimeout(again, 100));
  if (wasOpen) await window.parley?.open?.();
  loading = false;
  if (next !== attributes) return show(next);
  parent.postMessage({ shown: turn }, location.origin);
}

/** Whether it is kept that the window was left open. */
const opensItself = () =>
  [localStorage, sessionStorage].some((storage) =>
    Object.entries(storage).some(([name, value]) => name.endsWith(':open') && value === 'true'),
  );

/** Whoever was here is nobody any more, and meets the chat for the first time. */
async function forget() {
  await window.parley?.forget?.();
  if (next) await show(next);
}

addEventListener('message', ({ origin, source, data }) => {
  if (origin !== location.origin || source !== parent) return;
  if (data.ask === 'ready') parent.postMessage('ready', origin);
  turn = data.turn ?? turn;
  if (data.attributes) void show(data.attributes);
  if (data.call === 'toggle') window.parley?.toggle?.();
  if (data.call === 'allow') window.parley?.allow?.('persistent');
  if (data.call === 'forget') void forget();
});
parent.postMessage('ready', location.origin);

/** Puts the chat on this page with the attributes that the playground sends, again and again. Knows none of them. */
let tag;
let loading = false;
let next;

/** One after the other: a script that is on its way cannot be called back. */
function show(attributes) {
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
  tag.onload = tag.onerror = () => {
    loading = false;
    if (next !== attributes) show(next);
  };
  if (wasOpen) window.parley = [(chat) => chat.open()];
  document.head.append(tag);
}

addEventListener('message', ({ origin, source, data }) => {
  if (origin !== location.origin || source !== parent) return;
  if (data.ask === 'ready') parent.postMessage('ready', origin);
  if (data.attributes) show(data.attributes);
  if (data.call === 'toggle') window.parley?.toggle?.();
  if (data.call === 'allow') window.parley?.allow?.('persistent');
});
parent.postMessage('ready', location.origin);

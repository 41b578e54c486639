/** The list of all states: each in a frame that begins when it comes near, and takes no focus while it does. */
import { states } from './states.js';

const list = document.querySelector('.frames');
const form = document.querySelector('.switches');
const spoken = (name) => name.replaceAll('-', ' ');

const addressOf = (name) => {
  const { scheme, dir } = Object.fromEntries(new FormData(form));
  return `/gallery-state?${new URLSearchParams({ state: name, scheme, dir })}`;
};

const items = Object.keys(states).map((name) => {
  const item = document.createElement('li');
  const link = item.appendChild(document.createElement('h2')).appendChild(document.createElement('a'));
  link.textContent = spoken(name);
  const frame = item.appendChild(document.createElement('iframe'));
  frame.title = spoken(name);
  item.dataset.state = name;
  list.append(item);
  return { name, item, link, frame };
});

const near = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      begin(items.find(({ item }) => item === target));
    }
  },
  { rootMargin: '400px' },
);

function begin({ name, frame }) {
  frame.inert = true;
  frame.contentWindow.location.replace(`${addressOf(name)}&still`);
}

let focused;
document.addEventListener('focusin', ({ target }) => {
  if (target.localName !== 'iframe') focused = target;
});
addEventListener('message', ({ source, origin }) => {
  const shown = items.find(({ frame }) => frame.contentWindow === source);
  if (!shown || origin !== location.origin) return;
  const { frame } = shown;
  // A modal window takes the focus as it opens, out of its frame, too.
  if (document.activeElement === frame) {
    frame.blur();
    focused?.focus({ preventScroll: true });
  }
  frame.inert = false;
});

function showAll() {
  for (const { name, item, link } of items) {
    link.href = addressOf(name);
    near.unobserve(item);
    near.observe(item);
  }
}
form.addEventListener('change', showAll);
showAll();

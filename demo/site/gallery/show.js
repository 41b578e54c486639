/**
 * Shows one state: the real window from the built files, on stores that hold what the state says, with verbs that
 * answer "done" and ask no service. `?state=…`, `dir=rtl`, `scheme=dark`; `still` when the page may not take the focus.
 */
import { states } from './states.js';

const query = new URLSearchParams(location.search);
const name = query.get('state') ?? '';
const rtl = query.get('dir') === 'rtl';
const t = (english, arabic) => (rtl ? arabic : english);
const page = document.documentElement;
const ok = (value) => Promise.resolve({ ok: true, value });

page.dir = rtl ? 'rtl' : 'ltr';
page.lang = t('en', 'ar');
const scheme = query.get('scheme') ?? 'auto';
if (scheme !== 'auto') page.style.colorScheme = scheme;
document.title = `${name}: a state of the chat`;
document.querySelector('h1').textContent = name;

const kept = {
  facts: [
    { name: '', size: 96, value: undefined },
    { name: 'draft', size: 132, value: '' },
    { name: 'open', size: 4, value: true },
    { name: 'seen', size: 4, value: 1011 },
  ],
  waiting: [
    { content: 'Are you still there?', queuedAt: Date.now(), files: [{ name: 'hall.jpg', size: 3_200_000 }] },
  ],
  about: { name: 'Ada' },
  known: true,
};

const verbs = {
  send: () => ok('echo'),
  retry: () => Promise.resolve(),
  discard: () => Promise.resolve(true),
  takeBack: () => Promise.resolve(undefined),
  files: () => ok([]),
  loadOlder: () => ok(undefined),
  answer: () => ok(undefined),
  updateContact: () => ok(undefined),
  identify: () => ok(undefined),
  logout: () => ok(undefined),
  listConversations: () => ok(undefined),
  newConversation: () => ok(true),
  chooseConversation: () => ok(true),
  endConversation: () => ok(true),
  tellAbout: () => ok(undefined),
  lookAtHours: () => ok(undefined),
  kept: () => Promise.resolve(kept),
  typed: () => {},
  stopTyping: () => {},
  destroy: () => {},
};

/** The tag puts its host on the page a moment after it has run. */
const host = await new Promise((resolve) => {
  const look = () => {
    const found = document.querySelector('parley-chat');
    if (found) resolve(found);
    else setTimeout(look, 10);
  };
  look();
});
const { shadowRoot: root } = host;
const button = root.querySelector('.launcher');

/** The first element that fits, as soon as it is there. */
function find(selector) {
  return new Promise((resolve) => {
    const look = () => {
      const found = root.querySelector(selector);
      if (found) resolve(found);
      else requestAnimationFrame(look);
    };
    look();
  });
}
const tools = {
  find,
  async press(selector, wanted) {
    (await find(selector.replace(/:nth-of-type\(last\)/, ':last-of-type'))).click();
    return find(wanted);
  },
  async type(selector, words) {
    const field = await find(selector);
    field.value = words;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  },
  async choose(files) {
    const input = await find('input[type=file]');
    const data = new DataTransfer();
    for (const file of files) data.items.add(file);
    input.files = data.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  },
};

async function show() {
  const state = states[name]?.(t);
  if (!state) throw new Error(`There is no state "${name}".`);
  const launcher = await (await fetch('/parley.js')).text();
  const fileOf = (entry) => `/assets/${new RegExp(`\\b(${entry}-[\\w-]+) [\\w+/]{43}`).exec(launcher)[1]}.js`;
  const [{ createStage, createShell }, { createWindow }, { watchNews }] = await Promise.all(
    ['stage', 'app', 'chat'].map((entry) => import(fileOf(entry))),
  );
  const written = {
    baseUrl: location.origin,
    inboxIdentifier: 'gallery',
    storage: 'memory',
    locale: page.lang,
    scheme,
    ...state.written,
  };
  if (state.offline) Object.defineProperty(navigator, 'onLine', { value: false });
  const adopt = (css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  };
  // The tag has made a launcher that would open a chat of its own: its button is ours.
  const place = { host, root, dock: root.querySelector('.dock'), button, adopt };
  const hall = {
    ears: new Set(),
    waiting: [],
    open: async () => {
      chat.setOpen(true);
      face.setOpen(true);
      shell.show(!query.has('still'));
      return { ok: true };
    },
    parley: {
      close: async () => {
        face.setOpen(false);
        shell.hide();
      },
    },
  };
  // Whatever was pressed here before.
  for (const name of ['open', 'invited']) sessionStorage.removeItem(`gallery:${name}`);
  const stage = createStage({ ...written, scope: 'gallery' }, place, {}, `${location.origin}/`, hall);
  const { front, face } = stage;
  const { chat } = front;
  const set = (store, value) => value !== undefined && store.set(value);
  front.$rows.set(state.rows);
  front.$hasOlder.set(state.hasOlder ?? (state.rows && false));
  front.$known.set('known' in state ? state.known : null);
  front.$line.set(state.line ?? 'live');
  set(front.$troubles, state.troubles);
  set(front.$typing, state.typing);
  set(front.$hours, state.hours);
  set(front.$conversations, state.conversations);
  set(front.$progress, state.progress);
  set(front.$news, state.news);
  if (state.status) front.$status.set(state.status);
  if (state.seen) front.see(state.seen);
  if (state.draft) chat.setDraft(state.draft);
  front.fill(() => ({ ...verbs, ...state.verbs }));

  const shell = createShell(root, chat, written, undefined, () => {});
  await createWindow(shell, chat, undefined, written, stage.fetchLanguage, stage.$language.set);
  host.addEventListener(
    'click',
    (event) => {
      if (!event.composedPath().includes(button)) return;
      event.stopPropagation();
      chat.setOpen(!chat.$open.get());
    },
    true,
  );
  if (state.closed) {
    watchNews(stage);
    if (written.outreach) await stage.owner();
    if (state.news || written.outreach) await find('.preview .news');
  } else {
    chat.setOpen(true);
    // A loading thread has no list yet.
    await find('.transcript');
    if (state.line === 'down' || state.troubles) await find('.status[role=status] p');
    await state.after?.(tools);
    if (state.until) await find(state.until);
  }
  await Promise.all([...root.querySelectorAll('img')].map((img) => img.decode().catch(() => {})));
  page.dataset.ready = name;
  if (parent !== window) parent.postMessage({ ready: name }, location.origin);
}

show().catch((error) => {
  document.querySelector('#problem').textContent = String(error);
  throw error;
});

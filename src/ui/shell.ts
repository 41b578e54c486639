/**
 * The window before there is one: its frame, its colours and a field to write in, in plain DOM, so that the visitor
 * does not wait for the rest. The window that comes later takes these very elements over, with the focus and the
 * letters in them. It does not know what else a window shows.
 */
import type { Chat } from '../state/front.js';
import { adoptStyles } from '../styles.js';
import { directionOf } from '../text/choose.js';
import { shellEn } from '../text/en-shell.js';
import { isEnglish, wantedBy } from '../text/wanted.js';
import { createDress } from './dress.js';
import { createFrame, type MakeFrame } from './frame.js';
import css from './ui.css?inline';

/** What the service takes. */
export const MAX_CHARACTERS = 150_000;
/** Where the visitor goes on: the composer, or what is asked before it. */
export const FIELDS = '.composer textarea, .questions :is(input, select)';

/** Safari ends a composition before the key that ended it; 229 is that key. */
export const isSend = ({ key, shiftKey, isComposing, keyCode }: KeyboardEvent): boolean =>
  key === 'Enter' && !shiftKey && !isComposing && keyCode !== 229;

/** What is typed, scrolled and copied in the window is no matter of the host page and its shortcuts. */
export const OURS = ['keypress', 'keyup', 'wheel', 'touchmove', 'copy', 'cut', 'paste'];

/** While nobody takes dragged files, a browser would open them in place of the page. */
export function refuseFiles(event: DragEvent): void {
  const data = event.dataTransfer;
  if (!data?.types.includes('Files')) return;
  event.preventDefault();
  data.dropEffect = 'none';
}

export type Shell = ReturnType<typeof createShell>;

/**
 * @param written what the owner has written; with questions before the chat, there is no field yet
 * @param submit sends the draft
 */
export function createShell(
  root: ShadowRoot,
  chat: Chat,
  written: Readonly<Record<string, unknown>>,
  nonce: string,
  submit: () => void,
  makeFrame: MakeFrame = createFrame,
) {
  const { scheme, title, locale, sentences, preChat } = written;
  const adopt = (sheet: string) => adoptStyles(root, sheet, nonce);
  const { dress, undress } = createDress(root, nonce, scheme);
  // Asks the page for its styles, and asks before there are more of them to be computed.
  dress();
  adopt(css);

  const make = <N extends keyof HTMLElementTagNameMap>(
    name: N,
    attributes: Record<string, string>,
    parent: Node,
  ) => {
    const element = document.createElement(name);
    for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
    parent.appendChild(element);
    return element;
  };

  // Words of another language are on their way: until then none are written, and those to be heard say what they are.
  const [lang = 'en'] = wantedBy(locale);
  const say = (words: string) => (isEnglish(lang) && !sentences ? words : '\u00a0');

  const dialog = make('dialog', { part: 'panel', class: 'panel', tabindex: '-1' }, root);
  for (const type of OURS) dialog.addEventListener(type, (event) => event.stopPropagation());
  dialog.ondragover = refuseFiles;
  const shell = {
    dialog,
    dress,
    adopt,
    /**
     * The visitor wants what lies over the others closed; the window itself, too, unless it is to stay.
     * @returns true where it stays and nothing lay over it
     */
    escape: (stays?: boolean) => stays || chat.setOpen(false),
    /** @param asked by the visitor, here and now: the field takes the focus */
    show(asked: boolean) {
      const field = asked && dialog.querySelector<HTMLElement>(FIELDS);
      // With that, to be shown and to take the focus are one step.
      if (field) field.autofocus = true;
      if (!shown && later) dress();
      frame.show(asked);
      shown = true;
      // Until there is a field, the window itself holds the focus.
      if (asked && (!field || root.activeElement !== field)) (field || dialog).focus();
      if (field) field.autofocus = false;
    },
    hide() {
      shown = false;
      frame.hide();
    },
    /** The window is here, and what happens in the elements is its matter. */
    leave() {
      for (const undo of undos.splice(0)) undo();
    },
    destroy() {
      shell.leave();
      unsize();
      undress();
      frame.destroy();
      dialog.remove();
    },
  };
  let shown = false;
  /** The page may say something else of its colours by the time that it is shown. */
  let later = false;
  setTimeout(() => {
    later = true;
  });
  const undos: (() => void)[] = [];
  const frame = makeFrame(dialog, root, chat.$open.get, (stays) => shell.escape(stays));
  const unsize = chat.$wishes.subscribe(({ larger }) =>
    dialog.toggleAttribute('data-larger', larger === true),
  );
  if (preChat) return shell;

  dialog.lang = 'en';
  dialog.setAttribute('aria-label', shellEn.window);
  const outer = make('div', { class: 'root', lang, dir: directionOf(lang) }, dialog);
  const inner = make('div', { class: 'root' }, outer);
  const header = make('div', { class: 'header', part: 'header' }, inner);
  const headline = make('div', { class: 'headline' }, header);
  // The visitor's language may have another one.
  const named = typeof title === 'string' && !sentences ? title : say(shellEn.title);
  // A heading without words is none.
  const heading = make('h2', { 'aria-hidden': `${!named.trim()}` }, headline);
  heading.textContent = named;
  make('p', {}, headline).textContent = say(shellEn.subtitle);
  const close = make(
    'button',
    { class: 'close', part: 'close', lang: 'en', 'aria-label': shellEn.closeChat },
    header,
  );
  close.onclick = () => shell.escape();
  const area = make('div', { class: 'scroll-area' }, inner);
  const loading = make(
    'div',
    { class: 'loading', 'aria-hidden': 'true' },
    make('div', { class: 'thread' }, area),
  );
  // Who has never written sees none of what is on its way.
  if (!chat.$known.get()) for (let bubble = 0; bubble < 3; bubble++) make('i', {}, loading);
  const form = make('form', { class: 'composer', part: 'composer' }, inner);
  const row = make('div', { class: 'field' }, form);
  // They have no name before the window is here.
  const tool = { class: 'tool', disabled: '', 'aria-hidden': 'true' };
  if (`${written.attachments}` !== 'false') make('button', tool, row);
  const field = make(
    'textarea',
    {
      rows: '1',
      lang: 'en',
      'aria-label': shellEn.message,
      placeholder: say(shellEn.placeholder),
      enterkeyhint: 'send',
    },
    row,
  );
  make('button', tool, row);
  const send = make('button', { class: 'send', part: 'send', lang: 'en', 'aria-label': shellEn.send }, row);
  const pressed = (event: Event) => {
    event.preventDefault();
    if (field.value.trim() && field.value.length <= MAX_CHARACTERS) submit();
    field.focus();
  };
  form.onsubmit = send.onclick = pressed;
  field.oninput = () => chat.setDraft(field.value);
  field.onkeydown = (event) => {
    if (isSend(event)) pressed(event);
  };
  undos.push(
    chat.$draft.subscribe((draft) => {
      if (field.value !== draft) field.value = draft;
    }),
    () => {
      close.onclick = form.onsubmit = send.onclick = field.oninput = field.onkeydown = null;
      for (const one of [close, field, send]) one.removeAttribute('lang');
      for (const one of [heading, ...row.children]) one.removeAttribute('aria-hidden');
    },
  );
  return shell;
}

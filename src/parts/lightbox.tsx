/**
 * A picture as large as the page allows, above everything, with the others of the conversation beside it. It goes
 * when the window goes, or its message. Pictures that the visitor did not ask for are not fetched here either.
 */
import { type JSX, render } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { titleOf } from '../content/clean.js';
import { Announcer } from '../ui/announcer.js';
import { near, safe } from '../ui/avatar.js';
import { type Surroundings, SurroundingsProvider, useSurroundings } from '../ui/context.js';
import { keepStill } from '../ui/frame.js';
import { CloseIcon } from '../ui/icons.js';
import { OURS, refuseFiles } from '../ui/shell.js';
import { useStore } from '../ui/use-store.js';
import type { Attachment } from '../wire/message.js';
import { DownloadIcon, NextIcon, PreviousIcon, ZoomIcon } from './drawings.js';
import { useSwipe } from './swipe.js';

/** A drawing is a document with scripts and addresses of its own: it is a file. */
export const isPicture = (type: string | undefined, url: string): boolean =>
  type === 'image' && !/\.svgz?$/i.test(new URL(url).pathname);

interface Picture {
  id: number;
  url: string;
  name: string;
}

const pictureOf = (attachment: Attachment, say: Surroundings['say']): Picture | undefined => {
  const { id, file_type: type, data_url: address } = attachment;
  const safely = safe(address);
  const url = safely && isPicture(type, safely) ? safely : undefined;
  return url ? { id, url, name: titleOf(attachment, url) || say('image') } : undefined;
};

export interface OpenLightbox {
  /** In another language, say. */
  draw: (surroundings: Surroundings) => void;
  /** What it was opened from is there no more: with the window it goes at once, and leaves the focus where it is. */
  left: () => void;
}

export function openLightbox(
  opener: HTMLElement,
  opened: Attachment,
  surroundings: Surroundings,
): OpenLightbox {
  const { chat, layer } = surroundings;
  const dialog = document.createElement('dialog');
  dialog.className = 'lightbox';
  const window = opener.closest<HTMLElement>('[lang]') ?? dialog;
  const scroller = opener.closest<HTMLElement>('.transcript');
  const close = () => dialog.close();
  let focused: HTMLElement | undefined;
  /** A window that is shown anew, as on a phone that is turned, stands above this. */
  const rise = () => {
    if (!dialog.open || !panel?.isConnected) return;
    const before = focused;
    close();
    dialog.showModal();
    before?.focus();
  };
  const panel = opener.closest('dialog');
  const stops = [
    // Another tab may close the window.
    chat.$open.listen((open) => void (open || close())),
    layer?.(close),
    panel && listen(panel, 'toggle', rise),
    panel && listen(panel, 'close', rise),
    listen(dialog, 'focusin', ({ target }) => {
      if (target instanceof HTMLElement) focused = target;
    }),
    ...[...OURS, 'keydown'].map((type) => listen(dialog, type, (event) => event.stopPropagation())),
    listen(dialog, 'wheel', keepStill),
    listen(dialog, 'touchmove', keepStill),
    listen(dialog, 'keydown', (event) => {
      if (event instanceof KeyboardEvent && event.key === 'Escape') {
        event.preventDefault();
        close();
      }
    }),
    listen(dialog, 'close', () => {
      // It has risen.
      if (dialog.open) return;
      end();
      (opener.isConnected ? opener : scroller)?.focus({ preventScroll: true });
    }),
  ];
  const end = () => {
    // Another picture may be there by then.
    if (!stops.length) return;
    for (const stop of stops.splice(0)) stop?.();
    chat.away('picture', false);
    render(null, dialog);
    dialog.remove();
  };
  dialog.ondragover = refuseFiles;
  // What is under it is not seen.
  chat.away('picture', true);
  const root = opener.getRootNode();
  (root instanceof ShadowRoot ? root : document.body).append(dialog);
  const draw = (now: Surroundings) => {
    if (!stops.length) return;
    const { lang, dir } = window;
    Object.assign(dialog, { lang, dir });
    render(
      <SurroundingsProvider value={now}>
        <Lightbox opened={opened.id} close={close} dialog={dialog} />
        {/* The one of the window is under it, where nothing is heard. */}
        <Announcer />
      </SurroundingsProvider>,
      dialog,
    );
  };
  draw(surroundings);
  dialog.showModal();
  dialog.querySelector<HTMLElement>('.leave')?.focus();
  return { draw, left: () => void (window.isConnected || end()) };
}

function listen(target: HTMLElement, type: string, work: (event: Event) => void): () => void {
  target.addEventListener(type, work);
  return () => target.removeEventListener(type, work);
}

interface LightboxProps {
  opened: number;
  close: () => void;
  dialog: HTMLDialogElement;
}

function Lightbox({ opened, close, dialog }: LightboxProps): JSX.Element | null {
  const { chat, settings, say } = useSurroundings();
  const [shown, setShown] = useState(opened);
  const [zoomed, setZoomed] = useState(false);
  const [broken, setBroken] = useState(false);
  const view = useRef<HTMLDivElement>(null);
  const pictures = (useStore(chat.$rows) ?? [])
    .flatMap(({ message }) => message?.attachments ?? [])
    .map((attachment) => pictureOf(attachment, say))
    .filter((picture) => picture !== undefined)
    .filter(({ id, url }) => id === opened || near(url, settings.baseUrl));
  const at = pictures.findIndex(({ id }) => id === shown);
  const picture = pictures[at];
  const count = pictures.length;

  function go(step: number) {
    setShown(pictures.at((at + step) % count)?.id ?? shown);
    setZoomed(false);
    setBroken(false);
  }
  /** To the one that lies on the right or the left. */
  function goTo(right: boolean) {
    if (zoomed || count < 2) return;
    go(right === (getComputedStyle(dialog).direction === 'ltr') ? 1 : -1);
  }
  const gone = !picture;
  useLayoutEffect(() => {
    if (gone) close();
  }, [gone]);
  useLayoutEffect(() => {
    // The picture's middle stays in the middle.
    const element = view.current;
    if (zoomed && element)
      element.scrollTo(
        (element.scrollWidth - element.clientWidth) / 2,
        (element.scrollHeight - element.clientHeight) / 2,
      );
  }, [zoomed]);
  useLayoutEffect(() => {
    dialog.setAttribute('aria-label', picture?.name ?? '');
    return listen(dialog, 'keydown', (event) => {
      if (event instanceof KeyboardEvent && /^Arrow(Left|Right)$/.test(event.key))
        goTo(event.key === 'ArrowRight');
    });
  });
  useSwipe(view, (way) => {
    if (way !== 'down') goTo(way === 'left');
    else if (!zoomed) close();
  });
  if (!picture) return null;
  const { url, name } = picture;
  return (
    <>
      <div class="tools">
        <p aria-live="polite">
          <bdi>{name}</bdi>
          {count > 1 && <small>{say('pictureOf', { index: at + 1, count })}</small>}
        </p>
        <button
          type="button"
          aria-label={say('zoom')}
          title={say('zoom')}
          aria-pressed={zoomed}
          onClick={() => setZoomed(!zoomed)}
        >
          <ZoomIcon />
        </button>
        <a
          href={url}
          target="_blank"
          rel="noopener noreferrer nofollow ugc"
          download=""
          aria-label={say('download')}
          title={say('download')}
        >
          <DownloadIcon />
        </a>
        <button
          type="button"
          class="leave"
          aria-label={say('closePicture')}
          title={say('closePicture')}
          onClick={close}
        >
          <CloseIcon />
        </button>
      </div>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the same by keyboard: the buttons above, and Escape */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
      <div
        class={zoomed ? 'view zoomed' : 'view'}
        ref={view}
        {...(zoomed && { tabIndex: 0, role: 'group', 'aria-label': name })}
        onClick={(event) => (event.target === event.currentTarget ? close() : setZoomed(!zoomed))}
      >
        {broken ? (
          <p role="alert">{say('pictureBroken')}</p>
        ) : (
          <img key={url} src={url} alt={name} referrerpolicy="no-referrer" onError={() => setBroken(true)} />
        )}
      </div>
      {count > 1 && (
        <div class="turns">
          <button type="button" aria-label={say('previousPicture')} onClick={() => go(-1)}>
            <PreviousIcon />
          </button>
          <button type="button" aria-label={say('nextPicture')} onClick={() => go(1)}>
            <NextIcon />
          </button>
        </div>
      )}
    </>
  );
}

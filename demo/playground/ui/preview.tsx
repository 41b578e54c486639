/**
 * The framed page, as wide as a phone or a desk and as large as there is room. It is shown the very tag that is to be
 * copied. It does not know what the options do.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { OptionName } from '../../../src/options-table.js';
import { fits } from '../../../src/owner/pages.js';
import { attributesOf } from '../model/code.js';
import { type Draft, widths } from '../model/draft.js';

const PATH = '/playground-preview.html';
const sizes = { phone: { width: 390, height: 760 }, desktop: { width: 1180, height: 760 } };
/** Between two letters the page need not be made anew. */
const SETTLE_MS = 300;
/** As in the style sheet. */
const BESIDE = '(min-width: 1000px)';

interface Props {
  draft: Draft;
  corrections: Partial<Record<OptionName, string>>;
  change(patch: Partial<Draft>): void;
}

export function Preview({ draft, corrections, change }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const [ready, setReady] = useState(0);
  const [scale, setScale] = useState(1);
  const { width, height } = sizes[draft.width];

  const tell = (told: object) => frame.current?.contentWindow?.postMessage(told, location.origin);
  const turn = useRef(0);
  /** The chat comes anew, and where it was open it opens, and would take the focus from the option that is being written. */
  const showAnew = (told: object) => {
    if (frame.current) frame.current.inert = true;
    turn.current += 1;
    tell({ ...told, turn: turn.current });
  };

  useEffect(() => {
    /** Where the focus was before the framed page took it. */
    let focused: HTMLElement | undefined;
    const follow = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target !== frame.current) focused = target;
    };
    const hear = ({ source, data }: MessageEvent) => {
      const { current } = frame;
      if (!current || source !== current.contentWindow) return;
      if (data === 'ready') setReady((count) => count + 1);
      // An earlier one was on its way.
      if (data?.shown !== turn.current) return;
      // A modal window takes the focus as it opens, out of its frame, too.
      if (current.inert && document.activeElement === current) {
        current.blur();
        focused?.focus({ preventScroll: true });
      }
      current.inert = false;
    };
    addEventListener('message', hear);
    addEventListener('focusin', follow);
    // It may have been there before we listened.
    tell({ ask: 'ready' });
    return () => {
      removeEventListener('message', hear);
      removeEventListener('focusin', follow);
    };
  }, []);

  const attributes = JSON.stringify(attributesOf(draft.values));
  useEffect(() => {
    if (!ready) return;
    const timer = setTimeout(() => showAnew({ attributes: JSON.parse(attributes) }), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [ready, attributes]);

  // Before it is painted: never in the size of the one before.
  useLayoutEffect(() => {
    const room = stage.current;
    if (!room) return;
    const measure = () => {
      // Beside the options there is as much room as there is; above them, as much as leaves some of them to be seen.
      const beside = matchMedia(BESIDE).matches;
      const high = beside ? room.clientHeight : Math.min(560, innerHeight * 0.76);
      setScale(Math.min(1, room.clientWidth / width, high / height));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(room);
    measure();
    return () => observer.disconnect();
  }, [width, height]);

  const { pages } = draft.values;
  const wrong = Object.keys(corrections).length;
  return (
    <section class="preview" aria-label="Preview">
      <div class="bar">
        <fieldset class="segments">
          <legend class="hidden">Width of the framed page</legend>
          {widths.map((name) => (
            <label key={name}>
              <input
                type="radio"
                name="width"
                checked={draft.width === name}
                onChange={() => change({ width: name })}
              />
              <span>{name === 'phone' ? 'Phone' : 'Desktop'}</span>
            </label>
          ))}
        </fieldset>
        <div class="bar-actions">
          {(draft.values.connect === 'allow' || draft.values.consent === 'call') && (
            <button type="button" class="secondary" onClick={() => tell({ call: 'allow' })}>
              Call allow()
            </button>
          )}
          <button type="button" class="secondary" onClick={() => showAnew({ call: 'forget' })}>
            As a new visitor
          </button>
          <button type="button" class="secondary" onClick={() => tell({ call: 'toggle' })}>
            Open or close
          </button>
        </div>
      </div>
      <div class="stage" ref={stage}>
        <div class="device" style={{ width: `${width * scale}px`, height: `${height * scale}px` }}>
          <iframe
            ref={frame}
            title="A page with the chat"
            src={PATH}
            style={{ width: `${width}px`, height: `${height}px`, transform: `scale(${scale})` }}
          />
        </div>
      </div>
      <p class="hint" role="status">
        {wrong
          ? `${wrong} ${wrong === 1 ? 'option is' : 'options are'} not obeyed: see what stands beside it.`
          : pages && !fits(pages, PATH)
            ? `By data-pages the chat is not shown here: the path of the framed page is ${PATH}.`
            : `The framed page is ${PATH}, with a button #help, an element #chat and a bar at the bottom.`}
      </p>
    </section>
  );
}

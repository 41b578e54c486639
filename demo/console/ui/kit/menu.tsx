/** A button with a few things to do below it, in the top layer: arrows walk, Escape closes. Knows none of them. */
import { type ComponentChildren, Fragment } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Tip } from './tip.js';

interface Props {
  label: string;
  face: ComponentChildren;
  buttonClass?: string;
  /** As it is when the menu is open. What can do harm stands apart from the others, at the end. */
  items(): readonly { name: string; about?: string; harmful?: boolean; run(): void }[];
}

export function Menu({ label, face, buttonClass = 'secondary', items }: Props) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  // At once: a key pressed before the next frame is for the menu already.
  useLayoutEffect(() => {
    if (!open) return;
    root.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
    const onDown = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    addEventListener('pointerdown', onDown);
    return () => removeEventListener('pointerdown', onDown);
  }, [open]);

  function shut() {
    setOpen(false);
    button.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!open) return;
    const all = [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    const at = all.findIndex((item) => item.matches(':focus'));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      all[to % all.length]?.focus();
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      shut();
    } else if (event.key === 'Tab') setOpen(false);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the menu inside
    <div class="menu" ref={root} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        class={buttonClass}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <Tip words={label}>{face}</Tip>
      </button>
      {open && (
        <div id={id} role="menu" aria-label={label} class="menu-items">
          {items().map(({ name, about, harmful, run }) => (
            <Fragment key={name}>
              {harmful && <hr />}
              <button
                type="button"
                role="menuitem"
                class={harmful ? 'problem' : undefined}
                tabIndex={-1}
                onClick={() => {
                  shut();
                  run();
                }}
              >
                <span>{name}</span>
                {about && <span class="menu-about">{about}</span>}
              </button>
            </Fragment>
          ))}
        </div>
      )}
    </div>
  );
}

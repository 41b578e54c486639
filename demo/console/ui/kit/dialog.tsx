/**
 * A modal dialog of the platform: begins at its first field, or else button; Escape closes, and the focus goes back by
 * itself. Knows nothing of what is asked.
 */

import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { IconButton } from './icon-button.js';

/** By itself the platform begins at the button that closes, which is the first. */
const firsts = ':is(input:not([hidden], [type=radio]:not(:checked)), select, textarea, button):not(header *)';

interface Props {
  title: string;
  wide?: boolean;
  onClose(): void;
  children: ComponentChildren;
}

export function Dialog({ title, wide = false, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // At once: Escape may come before the next frame.
  useLayoutEffect(() => {
    const box = dialog.current;
    const before = document.activeElement;
    if (box && !box.open) {
      box.showModal();
      box.querySelector<HTMLElement>(firsts)?.focus();
    }
    return () => {
      box?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={wide ? 'dialog wide-dialog' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        // A file picker inside tells of its own cancel, which bubbles.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </header>
      {children}
    </dialog>
  );
}

/** Before something goes for good. */
export function Confirm(props: {
  title: string;
  words: string;
  button: string;
  onYes(): void;
  onClose(): void;
}) {
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <p>{props.words}</p>
      <div class="form-foot">
        <button type="button" class="secondary" onClick={props.onClose}>
          Cancel
        </button>
        {/* It may lie where the button did that asks, which some press twice. */}
        <button type="button" class="danger" onClick={({ detail }) => detail < 2 && props.onYes()}>
          {props.button}
        </button>
      </div>
    </Dialog>
  );
}

/** Files dragged over the chat window or pasted in it, and only files: elsewhere the page does with them what it likes. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * @param field in the window; what is pasted into another one is that one's
 * @param takes whether any are wanted now
 * @returns whether files are held over the window now
 */
export function useDrop(
  field: RefObject<Element | null>,
  takes: boolean,
  take: (files: File[]) => void,
): boolean {
  const [over, setOver] = useState(false);
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const panel = takes && field.current?.closest('dialog');
    if (!panel) return undefined;
    const brought = (event: DragEvent | ClipboardEvent) => {
      const { type, target } = event;
      const data = 'dataTransfer' in event ? event.dataTransfer : event.clipboardData;
      if (!data?.types.includes('Files')) return;
      if (type === 'paste') {
        // Office programs bring a picture of the words, too; a file from a desktop brings its name.
        if (data.types.includes('text/plain') && data.types.some((kind) => /html|rtf/.test(kind))) return;
        if (target !== field.current && target instanceof Element && target.matches('input, textarea'))
          return;
      }
      event.preventDefault();
      event.stopPropagation();
      const taken = /drop|paste/.test(type);
      const to = 'relatedTarget' in event && event.relatedTarget;
      setOver(!taken && (type !== 'dragleave' || (to instanceof Node && panel.contains(to))));
      data.dropEffect = 'copy';
      if (taken) latest.current([...data.files]);
    };
    const events = ['dragenter', 'dragover', 'dragleave', 'drop', 'paste'] as const;
    for (const event of events) panel.addEventListener(event, brought);
    return () => {
      for (const event of events) panel.removeEventListener(event, brought);
      setOver(false);
    };
  }, [takes]);
  return over;
}

/** Files dragged over the chat window, and only files: elsewhere the page does with them what it likes. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * @param field in the window
 * @param takes whether any are wanted now
 * @returns whether files are held over the window now
 */
export function useDrop(
  field: RefObject<Element | null>,
  takes: boolean,
  drop: (files: File[]) => void,
): boolean {
  const [over, setOver] = useState(false);
  const latest = useRef(drop);
  latest.current = drop;
  useEffect(() => {
    const panel = takes && field.current?.closest('dialog');
    if (!panel) return undefined;
    const dragged = (event: DragEvent) => {
      const data = event.dataTransfer;
      if (!data?.types.includes('Files')) return;
      event.preventDefault();
      event.stopPropagation();
      const { type, relatedTarget } = event;
      if (type === 'dragleave')
        return setOver(relatedTarget instanceof Node && panel.contains(relatedTarget));
      setOver(type !== 'drop');
      if (type === 'drop') latest.current([...data.files]);
      else data.dropEffect = 'copy';
    };
    const events = ['dragenter', 'dragover', 'dragleave', 'drop'] as const;
    for (const event of events) panel.addEventListener(event, dragged);
    return () => {
      for (const event of events) panel.removeEventListener(event, dragged);
      setOver(false);
    };
  }, [takes]);
  return over;
}

/** Files dragged over the chat window, and only files: elsewhere the page does with them what it likes. */
import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * @param place an element of the window; undefined while nothing may be dropped
 * @returns whether files are held over the window now
 */
export function useDrop(place: () => Element | null | undefined, drop: (files: File[]) => void): boolean {
  const [over, setOver] = useState(false);
  const latest = useRef(drop);
  latest.current = drop;
  useEffect(() => {
    const panel = place()?.closest<HTMLElement>('dialog');
    const dragged = (event: DragEvent) => {
      const data = event.dataTransfer;
      if (!data?.types.includes('Files')) return;
      event.preventDefault();
      event.stopPropagation();
      const { type, relatedTarget } = event;
      if (type === 'dragleave')
        return setOver(relatedTarget instanceof Node && panel?.contains(relatedTarget) === true);
      setOver(type !== 'drop');
      if (type === 'drop') latest.current([...data.files]);
      else data.dropEffect = 'copy';
    };
    const events = ['dragenter', 'dragover', 'dragleave', 'drop'] as const;
    for (const event of events) panel?.addEventListener(event, dragged);
    return () => {
      for (const event of events) panel?.removeEventListener(event, dragged);
    };
  }, []);
  return over;
}

/** Tells that elements have another size. It does not know what follows from it. */

/** @returns what ends it */
export function onResize(elements: readonly Element[], work: () => void): () => void {
  let seen = '';
  let frame = 0;
  const sizes = () => `${elements.map(({ clientWidth, clientHeight }) => [clientWidth, clientHeight])}`;
  const observe = () => {
    for (const element of elements) observer.observe(element);
  };
  const observer = new ResizeObserver(() => {
    if (sizes() === seen) return;
    // What the work itself makes higher could not be told in this frame any more, and a browser calls that an error of
    // the page.
    observer.disconnect();
    work();
    seen = sizes();
    frame = requestAnimationFrame(observe);
  });
  observe();
  return () => {
    cancelAnimationFrame(frame);
    observer.disconnect();
  };
}

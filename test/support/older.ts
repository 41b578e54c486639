/**
 * The oldest browsers that the manual names, out of a new one: what came to any of Chrome after 111, Firefox after 114
 * or Safari after 16.4 is taken out of every page, and what style sheets say of it is not understood.
 */
import type { BrowserContext, Route } from 'playwright-core';

/** What came later, each as the files write it, and as something that nobody has ever understood. */
const unheard: readonly [RegExp, string][] = [
  [/:popover-open/g, ':-old-popover-open'],
  [/:has\(/g, ':-old-has('],
  [/field-sizing/g, '-old-field-sizing'],
  [/content-visibility/g, '-old-visibility'],
  [/color\(from/g, '-old-color(from'],
];

/** What a page gets in the place of an answer. One that is closed waits for none, and its service may be gone, too. */
const instead =
  (how: (text: string, type: string) => Parameters<Route['fulfill']>[0]) => async (route: Route) => {
    try {
      const answer = await fetch(route.request().url());
      await route.fulfill(how(await answer.text(), answer.headers.get('content-type') ?? ''));
    } catch {
      await route.abort().catch(() => {});
    }
  };

export async function makeOlder(context: BrowserContext): Promise<void> {
  await context.route(
    /\.(?:js|css)(\?|$)/,
    instead((text, contentType) => ({
      body: unheard.reduce((body, [known, unknown]) => body.replace(known, unknown), text),
      contentType,
      headers: { 'access-control-allow-origin': '*' },
    })),
  );
  // Those files are other ones than chat.html was told the hashes of.
  await context.route(
    /\/chat\.html(\?|$)/,
    instead((text) => ({ body: text.replace(/ integrity="[^"]*"/g, ''), contentType: 'text/html' })),
  );
  await context.addInitScript(() => {
    const lost = (from: object, ...names: string[]) => {
      for (const name of names) if (!Reflect.deleteProperty(from, name)) throw new Error(`${name} stays`);
    };
    lost(HTMLElement.prototype, 'showPopover', 'hidePopover', 'togglePopover', 'popover');
    lost(Element.prototype, 'checkVisibility', 'moveBefore', 'currentCSSZoom');
    lost(HTMLDialogElement.prototype, 'requestClose', 'closedBy');
    lost(window, 'ToggleEvent', 'scheduler', 'requestIdleCallback', 'cancelIdleCallback', 'CloseWatcher');
    lost(Navigator.prototype, 'userAgentData', 'connection', 'globalPrivacyControl');
    lost(Document.prototype, 'startViewTransition', 'caretPositionFromPoint');
    lost(URL, 'canParse', 'parse');
    lost(Promise, 'withResolvers', 'try');
    lost(Array, 'fromAsync');
    lost(Object, 'groupBy');
    lost(Map, 'groupBy');
    lost(AbortSignal, 'any');
    lost(Intl, 'Segmenter', 'DurationFormat');
    lost(Array.prototype, 'toSorted', 'toReversed', 'toSpliced', 'with');
    lost(String.prototype, 'isWellFormed', 'toWellFormed');
    lost(Set.prototype, 'union', 'intersection', 'difference', 'isSubsetOf');
    const draw = window.createImageBitmap.bind(window);
    const turned = ({ imageOrientation = 'none' }: ImageBitmapOptions = {}) => {
      // The word was another one: it is turned as the camera held it.
      if (!/^(?:none|flipY)$/.test(imageOrientation)) throw new TypeError(`${imageOrientation} is no word`);
    };
    window.createImageBitmap = async (image: ImageBitmapSource, ...more: unknown[]) => {
      turned(Object(more.at(-1)));
      return draw(image);
    };
    // What an element says of itself is an attribute, and no property.
    for (const name of Object.getOwnPropertyNames(Element.prototype))
      if (name.startsWith('aria') || name === 'role') lost(Element.prototype, name);
    // Neither loads a module before it is wanted, nor by its hash.
    for (const [name, known] of [
      ['rel', 'modulepreload'],
      ['integrity', ''],
    ] as const) {
      const own = Object.getOwnPropertyDescriptor(HTMLLinkElement.prototype, name);
      Object.defineProperty(HTMLLinkElement.prototype, name, {
        ...own,
        set(value: unknown) {
          if (name === 'rel' && value !== known) own?.set?.call(this, value);
        },
      });
    }
  });
}

/**
 * Whether the visitor can see and press the launcher and the window: what lies over them, and whether they are on the
 * screen at all. It changes nothing on the page and does not know why something of the page lies there.
 */
import type { Given } from '../embed/options.js';
import { fits } from '../owner/pages.js';
import { view } from '../owner/view.js';
import { type Finding, ok, problem, warning } from './finding.js';

/** Of each side, inwards. */
const EDGE = 0.2;
/** Of the conversation: two lines of it. */
const LEAST = 80;

/** By name, not by what it says. */
function nameOf(element: Element): string {
  const [first] = element.classList;
  const name = `${element.localName}${element.id ? `#${element.id}` : ''}${first ? `.${first}` : ''}`;
  return name.length > 60 ? `${name.slice(0, 59)}…` : name;
}

/** WebKit names what is in the shadow, the others the host that throws it. */
const isOf = (host: Element, met: Element): boolean => met === host || met.getRootNode() === host.shadowRoot;

/** What a press on it would meet instead. */
function covers(target: Element, host: Element, own: Element): Set<string> {
  const { left, top, width, height } = target.getBoundingClientRect();
  const found = new Set<string>();
  for (const x of [EDGE, 0.5, 1 - EDGE]) {
    for (const y of [EDGE, 0.5, 1 - EDGE]) {
      const [met] = document
        .elementsFromPoint(left + width * x, top + height * y)
        .filter((element) => !isOf(own, element));
      if (met && !isOf(host, met) && met !== document.documentElement) found.add(nameOf(met));
    }
  }
  return found;
}

const hasSize = ({ width, height }: DOMRect) => width > 0 && height > 0;

function isOnScreen(target: Element): boolean {
  const box = target.getBoundingClientRect();
  const { left, top, right, bottom } = box;
  const { clientWidth, clientHeight } = view();
  return hasSize(box) && right > 0 && bottom > 0 && left < clientWidth && top < clientHeight;
}

/** On a tag and in a program, what is to be looked for; an element needs no looking for. */
function nowhere(name: 'launcher' | 'inside', { tag, ...given }: Given): Finding[] {
  const selector = given[name];
  if (typeof selector !== 'string' || selector === 'button' || selector === 'hidden') return [];
  try {
    if (document.querySelector(selector)) return [];
  } catch {
    // It is named with the other options.
    return [];
  }
  const written = tag ? `data-${name}="${selector}"` : `${name}: "${selector}"`;
  return [
    warning(
      `No element of this page fits ${written}: correct the selector, unless the element comes later. A class begins with a dot, an id with #.`,
    ),
  ];
}

/** Why nothing of the chat is seen. */
function hidden({ pages, outsideHours }: Given): Finding {
  if (pages && !fits(pages, location.pathname))
    return ok('The chat is hidden on this page, as your options say.');
  return outsideHours === 'hide'
    ? ok('The chat is hidden at this hour, as your options say, or by hide().')
    : warning('The chat is hidden by hide(): show() brings it back.');
}

/** @param own the doctor's panel, which lies over things, too. @param options what may hide the launcher */
export function checkPlace(host: HTMLElement, own: Element, options: Given): Finding[] {
  const root = host.shadowRoot;
  const found = nowhere(options.inside ? 'inside' : 'launcher', options);
  if (found.length) return found;
  if (!root || !host.isConnected)
    return [problem('The chat is not on the page: see the other findings, and the console of the browser.')];
  const button = root.querySelector('.launcher');
  const panel = [...root.querySelectorAll('dialog')].find(({ open }) => open);
  const shown = button?.checkVisibility?.() ?? button?.getClientRects().length;
  const { launcher = 'button', inside } = options;
  if (inside && panel && !isOnScreen(panel))
    return [
      hasSize(panel.getBoundingClientRect())
        ? ok(
            'The window lies further along the page. To have checked what lies over it, scroll to it and check again.',
          )
        : problem(
            'The window has no room: give its place on the page a width and a height, and show it if it is hidden.',
          ),
    ];
  const area = panel?.querySelector('.scroll-area');
  if (inside && area?.getClientRects().length && area.clientHeight < LEAST)
    return [
      problem(
        'The conversation has no room in the window: give the element around it a height of its own, like height: 600px.',
      ),
    ];
  const parts: [string, Element | null | undefined][] = [
    ['launcher', shown ? button : undefined],
    ['window', panel],
  ];
  for (const [name, part] of parts) {
    if (!part) continue;
    if (!isOnScreen(part)) {
      found.push(
        problem(
          `The ${name} is not on the screen: remove zoom, transform or filter from the html element of the page.`,
        ),
      );
      continue;
    }
    const over = [...covers(part, host, own)];
    if (over.length)
      found.push(
        problem(
          `${over.join(', ')} lies over the ${name}: move it, give it a lower z-index, write data-launcher-avoids="auto" or name it there, or give the chat another corner with data-position or more distance with data-offset-y.`,
        ),
      );
  }
  if (found.length) return found;
  if (panel) return [ok('Nothing lies over the launcher or the window.')];
  if (shown)
    return [
      ok('Nothing lies over the launcher. To have the window checked too, open the chat and check again.'),
    ];
  if (host.hidden) return [hidden(options)];
  if (inside)
    return [warning('The window is closed, and its place on the page is empty: open() shows it again.')];
  if (launcher === 'hidden')
    return [ok('There is no launcher, as your options say: open() and toggle() show the chat.')];
  if (launcher !== 'button')
    return [ok('There is no launcher, as your options say: a button of your page opens the chat.')];
  return [
    warning('The style sheet of the page hides the launcher: let it hide neither parley-chat nor its parts.'),
  ];
}

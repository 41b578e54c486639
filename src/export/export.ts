/**
 * What a visitor wants as a file or on paper: all of the conversation is fetched, and made into it here, on their own
 * device. The service hears nothing of it but the reading.
 */
import type { Chat } from '../state/front.js';
import type { Say } from '../text/text.js';
import type { Later } from '../ui/later.js';
import { calledOf, documentOf, isMore, looks, type Paper, textOf } from './document.js';
import { save } from './save.js';

export interface Order {
  chat: Pick<Chat, '$home' | '$rows' | '$hasOlder' | 'loadOlder'>;
  /** Knows what messages ask. */
  asks: Later['asks'];
  say: Say;
  locale: string;
  /** What the owner calls the chat. */
  title?: string | undefined;
  /** What is told while it goes on and once it is done, or why it has failed; undefined when it is over. */
  progress: (words: string | undefined, failed?: boolean) => void;
}

/** Who listens to a page reads meanwhile: not so often that they could not. */
const PACE_MS = 3_000;

/** @returns false when the whole conversation could not be had, or not be given to the visitor */
export async function downloadTranscript(order: Order, format: 'text' | 'html'): Promise<boolean> {
  const paper = await whole(order);
  if (!paper) return false;
  const html = format === 'html';
  const words = html
    ? `<!doctype html>\n${new XMLSerializer().serializeToString(documentOf(paper, true))}`
    : textOf(paper);
  const type = `text/${html ? 'html' : 'plain'};charset=utf-8`;
  const name = `${calledOf(paper)}${paper.number ? ',' : ''} ${dayOf(paper.now)}.${html ? 'html' : 'txt'}`;
  const saved = await save(name, type, words);
  // A name alone does not tell what became of it; the mark does, in every language.
  if (saved) order.progress(`✓ ${name}`);
  // A sheet comes only soon after a press. With the next one all of it is here already.
  else if (saved === false) order.progress(order.say('saveFailed'), true);
  return saved === true;
}

/**
 * Prints the conversation alone, from a frame that goes when it is done: the page around is not touched.
 * @param place where the frame stands meanwhile; it must be drawn
 */
export async function printTranscript(order: Order, place: Element): Promise<boolean> {
  const paper = await whole(order);
  // Nobody waits for it who has closed the window meanwhile, and what is not drawn would be an empty sheet.
  if (!paper || !place.getClientRects().length) return false;
  // A browser that told nothing of the last time will not.
  place.querySelector('iframe')?.remove();
  const frame = document.createElement('iframe');
  frame.className = 'sr';
  frame.tabIndex = -1;
  frame.setAttribute('aria-hidden', 'true');
  // Firefox before 148 lays its first page aside for another, and what was put into it; others have it at once.
  await new Promise((resolve) => {
    frame.onload = resolve;
    place.append(frame);
  });
  const view = frame.contentWindow;
  const page = frame.contentDocument;
  if (!view || !page) {
    frame.remove();
    return false;
  }
  page.replaceChild(page.adoptNode(documentOf(paper, false).documentElement), page.documentElement);
  dress(page);
  const root = place.getRootNode();
  const before = root instanceof ShadowRoot && root.activeElement;
  const giveBack = () => {
    if (root instanceof ShadowRoot && root.activeElement === frame && before instanceof HTMLElement)
      before.focus();
  };
  view.addEventListener('afterprint', () => {
    giveBack();
    frame.remove();
  });
  let begun = false;
  view.addEventListener('beforeprint', () => {
    begun = true;
  });
  view.focus();
  view.print();
  // A web view has the word and not the thing. The frame stays: others may print it once this is over.
  if (!begun) giveBack();
  return true;
}

/** A sheet belongs to the window that made it. */
function dress(page: Document) {
  const Sheet = (page.defaultView as (Window & typeof globalThis) | null)?.CSSStyleSheet;
  if (!Sheet || !('adoptedStyleSheets' in page)) return;
  const sheet = new Sheet();
  sheet.replaceSync(looks);
  page.adoptedStyleSheets = [sheet];
}

async function whole({ chat, asks, say, locale, title, progress }: Order): Promise<Paper | undefined> {
  const fail = () => {
    progress(say('gatheringFailed'), true);
    return undefined;
  };
  const home = chat.$home.get();
  // The history has not come: the words that wait are not all of it.
  if (home && chat.$hasOlder.get() === undefined) return fail();
  let count = -1;
  let told = 0;
  while (chat.$hasOlder.get()) {
    const { length } = chat.$rows.get() ?? [];
    if (Math.abs(Date.now() - told) >= PACE_MS) {
      told = Date.now();
      progress(say('gathering', { count: length }));
    }
    const loaded = await chat.loadOlder();
    // Whoever has gone to another conversation is not told that of this one something is missing.
    if (chat.$home.get() !== home) {
      progress(undefined);
      return undefined;
    }
    if (length <= count || !loaded.ok) return fail();
    count = length;
  }
  const rows = chat.$rows.get() ?? [];
  const wanted = rows.some(({ message }) => message && isMore(message));
  try {
    const tell = wanted ? (await asks?.open())?.tell : undefined;
    progress(undefined);
    return { rows, say, number: home, title, tell, locale, now: Date.now() };
  } catch {
    return fail();
  }
}

const dayOf = (at: number) => {
  const date = new Date(at);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
};

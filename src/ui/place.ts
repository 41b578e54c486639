/**
 * Keeps the reader's place in a list that grows at both ends and changes in between: at its end while they are there,
 * else with the same row at the same height. Done by hand because not every engine anchors, and none at the very top.
 * It does not know what the rows are.
 */
import { firstOf } from '../model/ascending.js';

const NEAR_END_PX = 30;
/** So long after a reader's hand was on it each move may be their doing; without, one that is longer than this. */
const HAND_MS = 1000;
const NO_HAND_PX = 100;

export type Place = ReturnType<typeof createPlace>;

/** @param left called when the reader leaves the end, or begins elsewhere, or comes back to it */
export function createPlace(scroller: HTMLElement, left: (away: boolean, beginning: boolean) => void) {
  let atEnd = true;
  /** Where our own last move or the reader's has led. */
  let top = 0;
  let height = 0;
  let width = 0;
  let handAt = Number.NEGATIVE_INFINITY;
  /** What the view was led to, until its reader moves on. */
  let goal: Element | undefined;
  for (const hand of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
    scroller.addEventListener(
      hand,
      () => {
        handAt = performance.now();
        goal = undefined;
      },
      { passive: true },
    );
  // More of a text is read from where it begins, be it the last one.
  scroller.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.matches('.more')) turn(false);
  });
  /** A row that the reader sees, and where it stood in the list. */
  let anchor: { row: Element; at: number } | undefined;

  const placeOf = (row: Element) =>
    row.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
  const toEnd = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
  /** Every row has another height then, and where the list stands is the browser's doing: a phone was turned. */
  const isTurned = () => scroller.clientWidth !== width;

  function note() {
    top = scroller.scrollTop;
    height = scroller.clientHeight;
    width = scroller.clientWidth;
    const edge = scroller.getBoundingClientRect().top;
    // Step by step: who asks where something in a pile out of sight stands has the whole pile laid out.
    const reaching = (all: readonly Element[]) =>
      all[firstOf(all, (one) => one.getBoundingClientRect().bottom > edge)];
    const list = reaching([...(reaching(pilesIn(scroller))?.children ?? [])]);
    const rows = [...(list?.children ?? [])];
    const row = rows[firstOf(rows, (one) => one.getBoundingClientRect().top >= edge)] ?? rows.at(-1);
    anchor = row && { row, at: placeOf(row) };
  }

  function turn(end: boolean, beginning = false) {
    if (end === atEnd) return;
    atEnd = end;
    left(!end, beginning);
  }

  function moveTo(place: number) {
    scroller.scrollTop = place;
    note();
  }

  /** The row stands where it stood, however much came above it or went away there. */
  function hold() {
    const moved = anchor?.row.isConnected ? placeOf(anchor.row) - anchor.at : 0;
    // A list may have become shorter than they are far down: then it was the browser that went up.
    const byBrowser = isTurned() || (moved < 0 && toEnd() < 1);
    if (Math.abs(moved) >= 0.5) moveTo((byBrowser ? top : scroller.scrollTop) + moved);
    else if (!anchor?.row.isConnected) note();
  }

  /** Who went to the very end in this frame is there, whatever else it brought. */
  function reached() {
    if (!atEnd && scroller.scrollTop > top + 1 && toEnd() < 1) turn(true);
  }

  /** Something has changed, in the list or around it. */
  function keep() {
    if (!scroller.clientHeight) {
      height = 0;
      return;
    }
    // The reader went up in this very frame, and it has not been told yet. A little may have been a browser that had laid
    // out half of a change; a taller list, or one that was out of sight, may stand elsewhere, too.
    const least = performance.now() - handAt < HAND_MS ? 1 : NO_HAND_PX;
    if (
      atEnd &&
      height &&
      !isTurned() &&
      scroller.scrollTop < Math.min(top, scroller.scrollHeight - scroller.clientHeight) - least
    )
      turn(toEnd() < NEAR_END_PX);
    // Who fills in a form stays with it, whatever comes below, be it what the form itself complains of.
    if (atEnd && scroller.matches(':focus-within') && scroller.querySelector('.entry :focus'))
      turn(toEnd() < 1);
    reached();
    // Where all of it is in sight nobody can go to the end.
    if (scroller.scrollHeight <= scroller.clientHeight) turn(true);
    if (atEnd) moveTo(scroller.scrollHeight);
    else hold();
  }

  return {
    atEnd: () => atEnd,
    toEnd() {
      goal = undefined;
      turn(true);
      moveTo(scroller.scrollHeight);
    },
    /** The view begins at this element, if there is so much below it. */
    begin(element: Element) {
      goal = element;
      const go = () => {
        // A hidden page draws when it is seen again: by then another list may stand here, or a reader have moved on.
        if (!element.isConnected || goal !== element) return;
        moveTo(placeOf(element) - 8);
        turn(toEnd() < NEAR_END_PX, true);
      };
      go();
      // What comes into sight only now may be higher than it was thought.
      requestAnimationFrame(() => requestAnimationFrame(go));
    },
    keep,
    /** It has been shown anew, and may stand elsewhere than it was left. */
    back() {
      scroller.scrollTop = top;
      keep();
    },
    /** The reader has moved, or what we did has come to pass. */
    scrolled() {
      if (!scroller.clientHeight) return;
      if (Math.abs(scroller.scrollTop - top) > 1) goal = undefined;
      reached();
      // What has changed above in the same moment is not the reader's move.
      if (!atEnd) hold();
      // What grows below is not the reader's going up.
      if (!atEnd || (scroller.scrollTop < top - 1 && !isTurned())) turn(toEnd() < NEAR_END_PX);
      if (!atEnd) hold();
      note();
    },
  };
}

/** Not by a selector: that would look at every element of thousands of rows. */
const pilesIn = (scroller: Element): Element[] =>
  [...(scroller.firstElementChild?.children ?? [])].filter((element) => element.localName === 'section');

export const listsIn = (scroller: Element): Element[] =>
  pilesIn(scroller).flatMap((pile) => [...pile.children]);

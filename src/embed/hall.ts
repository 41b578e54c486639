/** What lies between the door and the stage, as both name it: types alone. */
import type { Events, Outcome, Parley } from '../parley.js';
import type { Waiting } from './calls.js';

/** What somebody listens for, and with what. */
export interface Ear {
  event: keyof Events;
  hear(detail?: unknown): void;
}

/** What the stage asks of the door that opened it. */
export interface Hall {
  parley: Parley;
  /** @param asked by the visitor, here and now */
  open: (asked: boolean) => Promise<Outcome>;
  /**
   * On the launcher, or on what the page has in its place: who presses twice means once.
   * @param clicks of a pointer in a row; a key and a program have none
   */
  press: (clicks: number) => Promise<Outcome>;
  /** Whether the window is meant to be seen: false once it was closed, undefined as long as nobody has said anything. */
  wanted: () => boolean | undefined;
  ears: Set<Ear>;
  /** By a call of the owner's. */
  hidden: boolean;
  /** Calls that wait for the visitor. */
  waiting: Waiting;
  /** The owner's file is wanted whatever is called. */
  placed: boolean;
  /** More is wanted than that file: a call that can wait waits no longer. */
  entered?: unknown;
}

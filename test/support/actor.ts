/** What a visitor can do in any engine. It does not know how. */

export type Role =
  | 'button'
  | 'checkbox'
  | 'combobox'
  | 'dialog'
  | 'heading'
  | 'img'
  | 'link'
  | 'listitem'
  | 'log'
  | 'menuitem'
  | 'menuitemcheckbox'
  | 'radio'
  | 'searchbox'
  | 'status'
  | 'textbox';
export type Press =
  | 'ArrowDown'
  | 'ArrowLeft'
  | 'ArrowRight'
  | 'ArrowUp'
  | 'Enter'
  | 'Escape'
  | 'Shift+Tab'
  | 'Space'
  | 'Tab';
/** A string is the whole name. */
export type Name = string | RegExp;

/** One tab, or the frame in it. What is looked for is waited for. */
export interface Actor {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  click(role: Role, name: Name): Promise<void>;
  fill(name: Name, text: string): Promise<void>;
  /** To whatever has the focus. */
  press(key: Press): Promise<void>;
  /** Key by key, to whatever has the focus. */
  type(text: string): Promise<void>;
  /** What a picker of files would bring. */
  attach(path: string): Promise<void>;
  /** What is written in all that are there now; this does not wait. */
  texts(role: Role, name?: Name): Promise<string[]>;
  /** The function knows nothing but its arguments. */
  eval<T, A extends unknown[]>(work: (...args: A) => T, ...args: A): Promise<T>;
  /** The first frame of the page. */
  frame(): Promise<Actor>;
  /** Lines of the console and errors of the page so far. WebKit's driver tells none. */
  heard(): readonly string[];
  close(): Promise<void>;
}

export interface Profile {
  newTab(): Promise<Actor>;
  close(): Promise<void>;
}

export interface Size {
  width: number;
  height: number;
}

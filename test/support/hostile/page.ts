/**
 * What a hostile page is: data, with a function that writes it. It does not know who serves it, nor what the visitor
 * does there.
 */
import type { Actor } from '../actor.js';

/** Where the chat comes from: never the page's own origin. */
export interface Site {
  /** Of the service and of the built files, without a slash at the end. */
  service: string;
  /** Of the pages. */
  origin: string;
  /** The path of this page; its files lie below. */
  path: string;
}

export interface Answer {
  body: string;
  /** Of `text/html` unless it says so. `{{nonce}}` is filled in, here and in the body. */
  headers?: Record<string, string>;
}

/** What a visitor does on every page, in this order, in one visit. */
export const journeys = [
  'pointer',
  'keyboard',
  'send',
  'answer',
  'reload',
  'attach',
  'pick',
  'destroy',
] as const;
export type Journey = (typeof journeys)[number];

/** What a page may do to change the course of the visit. */
export interface Visit {
  tab: Actor;
  /** The page that has the frame, where the chat is in one; else the tab. */
  outer: Actor;
  /** Opens the window with the pointer, and waits for it. */
  open(): Promise<void>;
  /** Loads the page again, and goes to where the chat is. */
  again(): Promise<void>;
  /** What the chat looks like now. */
  glance(): Promise<Glance>;
  /** Sends words with the button. */
  press(words: string): Promise<void>;
  /** How many messages the service has with these words. */
  count(words: string): Promise<number>;
  /** Waits until the glance passes. */
  until(what: string, passes: (now: Glance) => boolean): Promise<void>;
  /** The journeys as on any other page. */
  usual: Record<Journey, () => Promise<void>>;
  /** What was said in the first journey of words. */
  words: string;
  answer: string;
}

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Glance {
  hosts: number;
  global: boolean;
  /** Files of ours that still stand in the head. */
  links: number;
  launcher: Rect | null;
  /** Null while it is not shown. */
  panel: Rect | null;
  view: { width: number; height: number };
  /** The size of the composer's letters. */
  font: string;
  focus: '' | 'field' | 'launcher' | 'other';
  draft: string;
  bubbles: string[];
  /** Everything that is written in the window, and whether emoji can be looked for there. */
  text: string;
  search: boolean;
  /** What the status line and the launcher say. */
  says: string;
  errors: string[];
}

export interface HostilePage {
  /** Its path; kebab-case. */
  name: string;
  /** What the page does, for whoever reads the report. */
  does: string;
  page(site: Site): Answer;
  files?(site: Site): Record<string, Answer>;
  /** The chat is in the first frame of the page. */
  framed?: boolean;
  /** On a host without TLS, which is no secure context; Chromium alone can be told of one. */
  plain?: boolean;
  /** Before the first journey: what a visitor must do to get there. */
  before?(visit: Visit): Promise<void>;
  /** What holds in the place of a journey. Each page that has one has a sentence for the README. */
  instead?: Partial<Record<Journey, (visit: Visit) => Promise<void>>>;
  /** Stands in the README, word for word. */
  degrades?: string;
  /** Lines in the console that the page or the browser writes, and we cannot help. */
  noise?: RegExp;
  /** Not asked where window and launcher stand: the page decides that. */
  moved?: boolean;
}

export interface Written {
  doctype?: string;
  /** First in the head, before everything. */
  head?: string;
  body?: string;
  /** After the body, at the end of the document. */
  end?: string;
  lang?: string;
  dir?: string;
  /** More attributes of the root element. */
  root?: string;
  /** The tag; another one in its place. */
  tag?: string;
}

/** What an owner writes. */
export const tagOf = (site: Site, more = ''): string =>
  `<script async src="${site.service}/parley.js" data-base-url="${site.service}" data-inbox-identifier="demo-inbox"${more}></script>`;

/** Hears what goes wrong on the page; for those engines that tell nobody else. */
export const monitor = `testErrors = [];
addEventListener('error', function (event) { testErrors.push(String(event.message || '')); });
addEventListener('unhandledrejection', function (event) { testErrors.push(String(event.reason)); });`;

const words = `<main><h1>A shop</h1><p><a href="#boots">Boots</a></p>${'<p>Lamps, mugs and blankets, made by hand and sent in five days.</p>'.repeat(30)}</main>`;

export function html(site: Site, page: Written = {}): Answer {
  const { doctype = '<!doctype html>', lang = 'en', dir = 'ltr' } = page;
  return {
    body: `${doctype}
<html lang="${lang}" dir="${dir}" ${page.root ?? ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A shop</title>
<link rel="icon" href="data:,">
<script nonce="{{nonce}}">${monitor}</script>
${page.head ?? ''}
${page.tag ?? tagOf(site)}
</head>
<body>${page.body ?? words}</body>
${page.end ?? ''}
</html>`,
  };
}

export const script = (text: string): string => `<script nonce="{{nonce}}">${text}</script>`;
export const style = (text: string): string => `<style>${text}</style>`;

/** A page with this script first. */
export const scripted =
  (text: string, more: Written = {}) =>
  (site: Site): Answer =>
    html(site, { ...more, head: script(text) + (more.head ?? '') });

/** A page with this style sheet. */
export const styled =
  (text: string, more: Written = {}) =>
  (site: Site): Answer =>
    html(site, { ...more, head: style(text) + (more.head ?? '') });

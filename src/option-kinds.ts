/** What kind of value each option is, for whoever reads it, explains it or offers it. It knows no value and no sentence. */
import type { ParleyOptions } from './options.js';

/** One of a few words; the first is what holds where nothing is written. */
export const choices = {
  connect: ['intent', 'load', 'allow'],
  storage: ['persistent', 'session', 'memory'],
  consent: ['message', 'call'],
  reconnect: ['usual', 'calm'],
  position: ['bottom-end', 'bottom-start', 'top-end', 'top-start'],
  launcherIcon: ['talk', 'dots', 'question', 'mail'],
  scheme: ['auto', 'light', 'dark'],
  outsideHours: ['say', 'show', 'hide'],
} as const satisfies { [N in keyof ParleyOptions]?: readonly ParleyOptions[N][] };
export type ChoiceName = keyof typeof choices;

/** Everything else. */
export const kinds = {
  baseUrl: 'address',
  inboxIdentifier: 'words',
  nonce: 'words',
  inside: 'place',
  pages: 'pages',
  offsetX: 'pixels',
  offsetY: 'pixels',
  phoneOffsetX: 'pixels',
  phoneOffsetY: 'pixels',
  zIndex: 'whole',
  launcher: 'launcher',
  launcherLabel: 'label',
  launcherImage: 'image',
  launcherAvoids: 'bars',
  accent: 'colour',
  locale: 'locale',
  sentences: 'sentences',
  title: 'words',
  greeting: 'words',
  replyMinutes: 'minutes',
  outreach: 'label',
  outreachAfter: 'seconds',
  outreachPages: 'pages',
  preChat: 'fields',
  attachments: 'flag',
  maxFiles: 'count',
  maxFileMb: 'megabytes',
  fileTypes: 'types',
  shrinkImages: 'flag',
  sound: 'flag',
  countInTitle: 'flag',
  tellPage: 'flag',
  debug: 'flag',
} as const satisfies Record<Exclude<keyof ParleyOptions, ChoiceName>, string>;
export type KindName = keyof typeof kinds;
export type Kind = (typeof kinds)[KindName];

/** How a name is written in an attribute or a style sheet. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

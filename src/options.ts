/** What an owner may set, as a type. What each value may be is in `settings.ts`, what it means in `options-table.ts`. */
import type { Level } from './parley.js';

/** One question before the first message. */
export interface Question {
  /** `name`, `email` and `phone_number` become the contact's, any other an attribute of the conversation. */
  name: string;
  label?: string | undefined;
  /** Default `text`. */
  type?: 'text' | 'email' | 'tel' | 'select' | 'checkbox' | 'consent' | undefined;
  required?: boolean | undefined;
  /** For `select`. */
  options?: readonly string[] | undefined;
}

/** A sentence, or its forms for each number that the language tells apart; `other` always. */
export type Sentence = string | { readonly [category: string]: string; readonly other: string };

export interface ParleyOptions {
  baseUrl: string;
  inboxIdentifier: string;
  nonce?: string | undefined;
  inside?: Element | string | undefined;
  pages?: string | readonly string[] | undefined;
  connect?: 'intent' | 'load' | 'allow' | undefined;
  storage?: Level | undefined;
  consent?: 'message' | 'call' | undefined;
  reconnect?: 'usual' | 'calm' | undefined;
  position?: 'bottom-end' | 'bottom-start' | 'top-end' | 'top-start' | undefined;
  offsetX?: number | undefined;
  offsetY?: number | undefined;
  phoneOffsetX?: number | undefined;
  phoneOffsetY?: number | undefined;
  zIndex?: number | undefined;
  launcher?: string | undefined;
  launcherLabel?: string | undefined;
  launcherIcon?: 'talk' | 'dots' | 'question' | 'mail' | undefined;
  accent?: string | undefined;
  scheme?: 'auto' | 'light' | 'dark' | undefined;
  locale?: string | undefined;
  sentences?: Readonly<Record<string, Sentence>> | undefined;
  title?: string | undefined;
  greeting?: string | undefined;
  replyMinutes?: number | undefined;
  outsideHours?: 'say' | 'show' | 'hide' | undefined;
  preChat?: readonly Question[] | undefined;
  attachments?: boolean | undefined;
  maxFiles?: number | undefined;
  maxFileMb?: number | undefined;
  shrinkImages?: boolean | undefined;
  sound?: boolean | undefined;
}

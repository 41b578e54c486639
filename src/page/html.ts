/**
 * Writes chat.html: its own files with their hashes, and what the owner of the build wants to stand in it. It does not
 * know where the files come from.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file beside the page: its place, and its content. */
export interface PageFile {
  place: string;
  content: string | Uint8Array;
}

/** By the names of the variables of the build; empty is absent. */
export interface Owned {
  PARLEY_SERVICE?: string | undefined;
  PARLEY_INBOX?: string | undefined;
  PARLEY_FALLBACK?: string | undefined;
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const integrity = ({ content }: PageFile) =>
  `integrity="sha384-${createHash('sha384').update(content).digest('base64')}" crossorigin="anonymous"`;

function addressOf(name: keyof Owned, value: string, schemes: RegExp, write: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !schemes.test(url.protocol)) throw new Error(`${name}: write ${write}.`);
  return url;
}

export function chatPage(template: string, script: PageFile, style: PageFile, owned: Owned): string {
  const { PARLEY_SERVICE: service, PARLEY_INBOX: inbox, PARLEY_FALLBACK: fallback } = owned;
  const origin =
    service &&
    addressOf(
      'PARLEY_SERVICE',
      service,
      /^https?:$/,
      'the address of your service, like https://support.example.com',
    ).origin;
  if (fallback)
    addressOf(
      'PARLEY_FALLBACK',
      fallback,
      /^(?:https|mailto|tel):$/,
      'where to go without the chat, like mailto:help@example.com',
    );
  const values: Record<string, string> = {
    connect: origin ? `'self' ${origin} ${origin.replace(/^http/, 'ws')}` : `'self'`,
    style: `href="${style.place}" ${integrity(style)}`,
    script: [
      `src="${script.place}" ${integrity(script)}`,
      ...(service ? [`data-base-url="${escaped(service)}"`] : []),
      ...(inbox ? [`data-inbox-identifier="${escaped(inbox)}"`] : []),
    ].join(' '),
    fallback: fallback ? ` <a href="${escaped(fallback)}">Write to us</a>` : '',
  };
  const page = template.replace(/\s*<!--.*?-->/gs, '');
  return page.replace(/%(\w+)%/g, (_, name: string) => values[name] ?? '');
}

/** @param folder where the build has put the page's script */
export function writeChatPage(folder: string, owned: Owned): void {
  const script = readdirSync(join(folder, 'assets')).find((file) => /^page-.*\.js$/.test(file));
  const css = readFileSync('src/page/page.css', 'utf8')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s*\n\s*/g, '');
  const hash = createHash('sha256').update(css).digest('base64url').slice(0, 8);
  const style = { place: `assets/page-${hash}.css`, content: css };
  writeFileSync(join(folder, style.place), css);
  const template = readFileSync('src/page/chat.html', 'utf8');
  const place = `assets/${script}`;
  const page = { place, content: readFileSync(join(folder, place)) };
  writeFileSync(join(folder, 'chat.html'), chatPage(template, page, style, owned));
}

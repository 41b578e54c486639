/**
 * A tree of markdown, or a plain text, as elements. Every string ends in a text node, every address has been through
 * `link.ts`, and there is no way for markup. It does not know messages.
 */
import type { ComponentChildren, JSX } from 'preact';
import { cleanFileName, fileNameIn } from './clean.js';
import { type Link, linkTo, misleads } from './link.js';
import { linkify } from './linkify.js';
import type { Block, Inline } from './markdown.js';

export interface Rendering {
  pageHost: string;
  /** How many links may still be made. */
  links: number;
}

export const plain = (text: string, rendering: Rendering): ComponentChildren[] =>
  linkify(text, rendering.pageHost, rendering).map((piece) =>
    typeof piece === 'string' ? piece : anchor(piece.href, piece.shown),
  );

const anchor = (href: string, children: ComponentChildren): JSX.Element => (
  <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
    {children}
  </a>
);

export const blocks = (tree: readonly Block[], rendering: Rendering): JSX.Element[] =>
  tree.map((block) => blockElement(block, rendering));

function blockElement(block: Block, rendering: Rendering): JSX.Element {
  switch (block.type) {
    case 'p':
      return <p>{inlines(block.children, rendering)}</p>;
    case 'pre':
      return (
        <pre dir="ltr">
          <code>{block.text}</code>
        </pre>
      );
    case 'quote':
      return <blockquote dir="auto">{blocks(block.children, rendering)}</blockquote>;
    case 'list': {
      const items = block.items.map((item) => <li>{tight(item, rendering)}</li>);
      return block.start === undefined ? (
        <ul dir="auto">{items}</ul>
      ) : (
        <ol dir="auto" start={block.start}>
          {items}
        </ol>
      );
    }
    case 'table':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: where it is wider than the bubble, arrow keys move it
        <figure dir="auto" aria-label={block.rows[0]?.map(wordsOf).filter(Boolean).join(', ')} tabIndex={0}>
          <table>
            {block.rows.map((cells, at) => (
              <tr>
                {cells.map((cell, n) => {
                  const Cell = at || !cell.length ? 'td' : 'th';
                  return <Cell align={block.sides[n]}>{inlines(cell, rendering)}</Cell>;
                })}
              </tr>
            ))}
          </table>
        </figure>
      );
  }
}

/** The words of an item stand in it as they are, followed by what is nested. */
function tight(item: readonly Block[], rendering: Rendering): ComponentChildren {
  const [first, ...rest] = item;
  if (first?.type !== 'p' || rest.some(({ type }) => type === 'p')) return blocks(item, rendering);
  return [...inlines(first.children, rendering), ...blocks(rest, rendering)];
}

/** @param linked inside of a link there are no others */
export const inlines = (tree: readonly Inline[], rendering: Rendering, linked = false): ComponentChildren[] =>
  tree.flatMap((inline) => inlineElement(inline, rendering, linked));

function inlineElement(inline: Inline, rendering: Rendering, linked: boolean): ComponentChildren[] {
  if (typeof inline === 'string') return linked ? [inline] : plain(inline, rendering);
  switch (inline.type) {
    case 'strong':
      return [<strong>{inlines(inline.children, rendering, linked)}</strong>];
    case 'em':
      return [<em>{inlines(inline.children, rendering, linked)}</em>];
    case 'del':
      return [<del>{inlines(inline.children, rendering, linked)}</del>];
    case 'code':
      return [<code>{inline.text}</code>];
    case 'link':
      return link(inline.address, inline.children, rendering);
  }
}

function link(address: string, said: readonly Inline[], rendering: Rendering): ComponentChildren[] {
  const to: Link = rendering.links > 0 ? linkTo(address, rendering.pageHost) : { ok: false, why: 'host' };
  const words = wordsOf(said);
  const self = !words.trim() || words === address;
  // A refused address is words like any others: nothing that was written is hidden.
  if (!to.ok) return self ? [address] : [...inlines(said, rendering, true), ` (${address})`];
  const name = !words.trim() && to.web && cleanFileName(fileNameIn(address) ?? '');
  // A picture without words, as in a signature; where it lies is said beside it.
  if (name && /\.\w+$/.test(name)) return link(address, [name], rendering);
  rendering.links--;
  if (self) return [anchor(to.href, to.shown)];
  const made = anchor(to.href, inlines(said, rendering, true));
  return misleads(words, to, rendering.pageHost) ? [made, ' ', <bdi class="goes">({to.goes})</bdi>] : [made];
}

const wordsOf = (tree: readonly Inline[]): string =>
  tree
    .map((inline) =>
      typeof inline === 'string' ? inline : inline.type === 'code' ? inline.text : wordsOf(inline.children),
    )
    .join('');

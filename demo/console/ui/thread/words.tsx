/**
 * What a message says, as the visitor's window shows it: markdown of the team, plain words with links of
 * visitors. Every string ends in a text node. Knows no message.
 */
import { useMemo } from 'preact/hooks';
import { calm } from '../../../../src/content/clean.js';
import { mayLink } from '../../../../src/content/linkify.js';
import { looksMarked } from '../../../../src/content/looks-marked.js';
import { parse } from '../../../../src/content/markdown.js';
import { blocks, inlines, plain, type Rendering } from '../../../../src/content/tree.js';

const MAX_LINKS = 100;

export function Words({ text, marked }: { text: string; marked: boolean }) {
  return useMemo(() => {
    const words = calm(text);
    const rendering: Rendering = { pageHost: location.hostname, links: mayLink(words) ? MAX_LINKS : 0 };
    const tree = marked && looksMarked(words) ? parse(words) : undefined;
    const [only] = tree?.length === 1 ? tree : [];
    if (!tree || only?.type === 'p') {
      return (
        <p class="text" dir="auto">
          {only?.type === 'p' ? inlines(only.children, rendering) : plain(words, rendering)}
        </p>
      );
    }
    return (
      <div class="text blocks" dir="auto">
        {blocks(tree, rendering)}
      </div>
    );
  }, [text, marked]);
}

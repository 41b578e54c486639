/**
 * Agents' markdown as a typed tree: bold, italic, strike, code, fences, lists, quotes, tables, links, and headings as
 * bold lines. Never HTML, neither in nor out: what is not one of these stays the text it is. Linear in time, bounded in
 * depth and in nodes, and it does not know which addresses are allowed or how a tree is shown. Imports nothing,
 * because it is a file of its own.
 */
export type Inline =
  | string
  | { type: 'strong' | 'em' | 'del'; children: Inline[] }
  | { type: 'code'; text: string }
  | { type: 'link'; address: string; children: Inline[] };

export type Block =
  | { type: 'p'; children: Inline[] }
  | { type: 'pre'; language: string; text: string }
  | { type: 'quote'; children: Block[] }
  | { type: 'list'; start: number | undefined; items: Block[][] }
  /** The first row is the head; one may be shorter than it. */
  | { type: 'table'; sides: Side[]; rows: Inline[][][] };

/** Where the words of a column stand: on this side in all languages, otherwise where they begin. */
export type Side = 'center' | 'right' | undefined;

/** A delimiter that may yet become a node; otherwise it is its own text. */
interface Delimiter {
  mark: string;
  size: number;
}

const MAX_DEPTH = 6;
const MAX_OPEN = 12;
const MAX_NODES = 2000;
const MAX_COLUMNS = 20;

// Every pattern is either anchored or consumes what it looks at: none of them can look at a text twice.
const FENCE = /^ {0,3}(`{3,}|~{3,}) *([\w+#.-]{0,20}) *$/;
const QUOTE = /^ {0,3}> ?/;
const HEADING = /^ {0,3}#{1,6} +(?=\S)/;
const ITEM = /^ {0,3}([-*+]|\d{1,9}[.)])(?: {1,4}(?=\S)| +|$)/;
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,})$/;
const TOKEN =
  /\\[!-/:-@[-`{-~\n]|`+|\*+|_+|~+|!?\[|\]|<(?:https?:\/\/|mailto:|tel:)[^\s<>]+>|(?:https?:\/\/|www\.)(?:[^\s<>[\]`]|\[\w*\](?!\())*[^\s<>[\]`*_~.,:;!?'")}\\]/gi;
const DESTINATION = /\((?:<([^\s<>]+)>|([^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*))\)/y;

/** @param text of any length; the tree holds every word of it */
export function parse(text: string): Block[] {
  let nodes = 0;

  function blocks(lines: string[], depth: number): Block[] {
    const out: Block[] = [];
    let words: string[] = [];
    const add = (block: Block) => {
      nodes++;
      out.push(block);
    };
    const flush = () => {
      // Editors write a line that was left empty as a break of its own.
      const text = words.join('\n').replace(/^(?:\\\n)+(?=.)/, '');
      if (text && (text !== '\\' || depth)) add({ type: 'p', children: inlines(text) });
      words = [];
    };
    let i = 0;
    const line = () => lines[i] ?? '';
    const blank = (at: number) => at < lines.length && !(lines[at] ?? '').trim();
    const item = () => (RULE.test(line()) ? null : ITEM.exec(line()));
    const pastBlank = () => {
      let at = i;
      while (blank(at)) at++;
      return at;
    };

    function fence([, marks = '', language = '']: RegExpExecArray) {
      const inside: string[] = [];
      for (i++; i < lines.length; i++) {
        const end = line().trim();
        if (end.length >= marks.length && end === marks.charAt(0).repeat(end.length)) {
          i++;
          break;
        }
        inside.push(line());
      }
      add({ type: 'pre', language, text: inside.join('\n') });
    }

    function quote() {
      const inside: string[] = [];
      for (let mark = QUOTE.exec(line()); mark; mark = QUOTE.exec(line())) {
        inside.push(line().slice(mark[0].length));
        i++;
      }
      add({ type: 'quote', children: blocks(inside, depth + 1) });
    }

    function list([, marker = '']: RegExpExecArray) {
      const kind = marker.slice(-1);
      const items: Block[][] = [];
      for (let mark = item(); mark?.[1]?.endsWith(kind); mark = item()) {
        const inside = [line().slice(mark[0].length)];
        for (i++; i < lines.length; ) {
          const next = pastBlank();
          // Two spaces are enough: people do not count.
          if (!/^ {2,}\S/.test(lines[next] ?? '')) break;
          for (; i < next; i++) inside.push('');
          const indent = line().search(/\S/);
          inside.push(line().slice(Math.min(indent, mark[0].length)));
          i++;
        }
        items.push(blocks(inside, depth + 1));
        nodes++;
        const before = i;
        i = pastBlank();
        if (!item()?.[1]?.endsWith(kind)) {
          i = before;
          break;
        }
      }
      add({ type: 'list', start: /\d/.test(marker) ? Number.parseInt(marker, 10) : undefined, items });
    }

    /** @returns nothing unless a line that begins a table is here, with the one that says so below it */
    function columns(): Side[] | undefined {
      const marks = line().includes('|') ? cells(lines[i + 1]) : [];
      return marks.length === cells(line()).length && marks.every((mark) => /^:?-+:?$/.test(mark))
        ? marks.map((mark) => (/-$/.test(mark) ? undefined : /^-/.test(mark) ? 'right' : 'center'))
        : undefined;
    }

    function table(sides: Side[]) {
      const row = () => {
        nodes += sides.length;
        return cells(lines[i++], sides.length).map(inlines);
      };
      // Unlike elsewhere, words below a table are not one of its rows.
      const goesOn = /^ *\|/.test(line()) ? /^ *\|/ : /\|/;
      const rows = [row()];
      for (i++; goesOn.test(line()) && !item() && nodes < MAX_NODES; ) rows.push(row());
      add({ type: 'table', sides, rows });
    }

    while (i < lines.length) {
      if (nodes >= MAX_NODES || depth >= MAX_DEPTH) {
        words = words.concat(lines.slice(i));
        break;
      }
      const fenced = FENCE.exec(line());
      const listed = item();
      const headed = HEADING.exec(line());
      const sides = columns();
      if (headed) {
        flush();
        const children = inlines(line().slice(headed[0].length));
        // A conversation has an outline of its own: in a bubble it is a line that stands out.
        add({ type: 'p', children: [{ type: 'strong', children }] });
        nodes++;
        i++;
      } else if (fenced) {
        flush();
        fence(fenced);
      } else if (QUOTE.test(line())) {
        flush();
        quote();
      } else if (listed && (!words.length || (/^[-*+]|^1\D/.test(listed[1] ?? '') && listed[0] !== line()))) {
        flush();
        list(listed);
      } else if (sides) {
        flush();
        table(sides);
      } else {
        if (blank(i)) flush();
        else words.push(line());
        i++;
      }
    }
    flush();
    return out;
  }

  function inlines(text: string): Inline[] {
    if (nodes >= MAX_NODES) return [text];
    const out: (Inline | Delimiter)[] = [];
    /** Places in `out` of the delimiters that may still open something, the oldest first. */
    let open: number[] = [];
    const lastRun = new Map<number, number>();
    for (const run of text.matchAll(/`+/g)) lastRun.set(run[0].length, run.index);

    const delimiter = (at: number | undefined): Delimiter | undefined => {
      const found = at === undefined ? undefined : out[at];
      return typeof found === 'object' && 'mark' in found ? found : undefined;
    };
    const node = (made: Inline) => {
      nodes++;
      out.push(made);
    };

    function run(mark: string, from: number, to: number) {
      const before = text[from - 1] ?? ' ';
      const after = text[to] ?? ' ';
      const [spaceBefore, spaceAfter] = [isSpace(before), isSpace(after)];
      const [pointBefore, pointAfter] = [isPoint(before), isPoint(after)];
      const left = !spaceAfter && (!pointAfter || spaceBefore || pointBefore);
      const right = !spaceBefore && (!pointBefore || spaceAfter || pointAfter);
      let size = to - from;
      // A range of hours, a size: not struck through, and all its signs there.
      const plain = /\d/.test(before) && /\d/.test(after);
      if (plain || size > 3 || (mark === '~' && size !== 2) || nodes >= MAX_NODES)
        return void out.push(mark.repeat(size));
      if (mark === '_' ? right && (!left || pointAfter) : right) size = close(mark, size);
      if (!size) return;
      out.push({ mark, size });
      if (mark === '_' ? left && (!right || pointBefore) : left) opens();
    }

    function opens() {
      open.push(out.length - 1);
      // The oldest gives way: so many marks without an end are not meant as marks.
      if (open.length > MAX_OPEN) open.shift();
    }

    /** @returns how many marks are left over */
    function close(mark: string, size: number): number {
      let left = size;
      for (let k = open.length - 1; k >= 0 && left; k--) {
        const at = open[k] ?? 0;
        const opener = delimiter(at);
        if (opener?.mark !== mark || (mark === '~' && opener.size !== left)) continue;
        const used = Math.min(2, opener.size, left);
        const children = settle(out.splice(at + 1));
        open.length = k;
        opener.size -= used;
        left -= used;
        if (opener.size) {
          open.push(at);
          k++;
        } else out.pop();
        node({ type: mark === '~' ? 'del' : used === 2 ? 'strong' : 'em', children });
      }
      return left;
    }

    /** @returns where the text goes on */
    function link(from: number): number {
      const k = open.findLastIndex((at) => delimiter(at)?.mark.endsWith('['));
      const at = open[k];
      DESTINATION.lastIndex = from;
      const found = at === undefined ? null : DESTINATION.exec(text);
      const address = found?.[1] ?? found?.[2];
      if (at === undefined || !found || !address) {
        if (k >= 0) open.splice(k, 1);
        out.push(']');
        return from;
      }
      const children = settle(out.splice(at + 1));
      out.pop();
      // No link within a link.
      open = open.slice(0, k).filter((other) => !delimiter(other)?.mark.endsWith('['));
      node({ type: 'link', address, children });
      return from + found[0].length;
    }

    /** @returns where the text goes on */
    function code(from: number, to: number): number {
      const size = to - from;
      if ((lastRun.get(size) ?? 0) > from) {
        const runs = /`+/g;
        runs.lastIndex = to;
        for (let end = runs.exec(text); end; end = runs.exec(text)) {
          if (end[0].length !== size) continue;
          const inside = text.slice(to, end.index).replaceAll('\n', ' ');
          const padded = inside.startsWith(' ') && inside.endsWith(' ') && /[^ ]/.test(inside);
          node({ type: 'code', text: padded ? inside.slice(1, -1) : inside });
          return runs.lastIndex;
        }
      }
      out.push('`'.repeat(size));
      return to;
    }

    const tokens = new RegExp(TOKEN);
    let at = 0;
    for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
      const [found] = token;
      const [mark = ''] = found;
      let end = tokens.lastIndex;
      if (token.index > at) out.push(text.slice(at, token.index));
      if (mark === '\\') out.push(found.slice(1));
      else if (mark === '`') end = code(token.index, end);
      else if (mark === '*' || mark === '_' || mark === '~') run(mark, token.index, end);
      else if (mark === ']') end = link(end);
      else if (mark === '<')
        node({ type: 'link', address: found.slice(1, -1), children: [found.slice(1, -1)] });
      else if (found.endsWith('[') && nodes < MAX_NODES) {
        out.push({ mark: found, size: 1 });
        opens();
      } else out.push(found);
      at = end;
      tokens.lastIndex = end;
    }
    if (at < text.length) out.push(text.slice(at));
    return settle(out);
  }

  const tree = blocks(text.replaceAll('\t', '    ').split('\n'), 0);
  return tree.length || !text.trim() ? tree : [{ type: 'p', children: [text] }];
}

/**
 * Of a line of a table. A stroke after a backslash is one of its signs, and nothing that was written is hidden: what is
 * too much stands in the last one.
 */
function cells(line = '', most = MAX_COLUMNS): string[] {
  const all = line
    .replaceAll('\\|', '\0')
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|');
  while (all.length > most && !all.at(-1)?.trim()) all.pop();
  if (all.length > most) all.push(all.splice(most - 1).join('|'));
  return all.map((cell) => cell.trim().replaceAll('\0', '|'));
}

/** Delimiters that came to nothing are text again, and texts side by side are one. */
function settle(parts: (Inline | Delimiter)[]): Inline[] {
  const settled: Inline[] = [];
  let words: string[] = [];
  const flush = () => {
    if (words.length) settled.push(words.join(''));
    words = [];
  };
  for (const part of parts) {
    if (typeof part === 'string') words.push(part);
    else if ('mark' in part) words.push(part.mark.repeat(part.size));
    else {
      flush();
      settled.push(part);
    }
  }
  flush();
  return settled;
}

const isSpace = (character: string) => /\s/.test(character);
const isPoint = (character: string) => /[\p{P}\p{S}]/u.test(character);

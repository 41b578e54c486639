/** The same options as a tag and as a program. It does not know whether they are right. */
import { type OptionRow, optionsTable } from '../../../src/options-table.js';
import { isSaid, type Values } from './draft.js';

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** Those that say something, in the order of the table. */
const written = (values: Values): { row: OptionRow; value: string }[] =>
  optionsTable.flatMap((row) => {
    const { [row.name]: value = '' } = values;
    return isSaid(row, value) ? [{ row, value }] : [];
  });

/** Names and values as they stand on the tag. */
export const attributesOf = (values: Values): [name: string, value: string][] =>
  written(values).map(({ row, value }) => [row.name === 'nonce' ? 'nonce' : row.attribute, value]);

/** @param files the address of `parley.js` */
export function tagOf(values: Values, files: string): string {
  const attributes = attributesOf(values).map(([name, value]) => `${name}="${escaped(value)}"`);
  const lines = [`<script async src="${escaped(files)}"`, ...attributes];
  return `${lines.join('\n        ')}></script>`;
}

/** Texts in single quotes, as the rest of the program has them. */
const quoted = (text: string) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

function literal(value: unknown, indent: string): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value))
    return value.length
      ? `[\n${value.map((one) => `${indent}  ${literal(one, `${indent}  `)},\n`).join('')}${indent}]`
      : '[]';
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value).map(
    ([key, one]) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key)}: ${literal(one, indent)}`,
  );
  return `{ ${entries.join(', ')} }`;
}

/** On a tag all is text; in a program each kind is what it is. */
function typed({ kind }: OptionRow, text: string): unknown {
  switch (kind) {
    case 'flag':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'pixels':
    case 'whole':
    case 'count':
    case 'megabytes':
    case 'minutes':
    case 'seconds':
      return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
    case 'fields':
    case 'sentences':
      try {
        return JSON.parse(text);
      } catch {
        return text;
      }
    default:
      return text;
  }
}

export function programOf(values: Values): string {
  const lines = written(values).map(
    ({ row, value }) => `  ${row.name}: ${literal(typed(row, value), '  ')},\n`,
  );
  return `import { mount } from 'parley';\n\nconst chat = mount({\n${lines.join('')}});`;
}

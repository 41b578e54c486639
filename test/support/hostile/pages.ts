/** All hostile pages, and which of them are visited every day and in every engine. */
import { frames } from './frames.js';
import { keeping } from './keeping.js';
import { layers } from './layers.js';
import { names } from './names.js';
import type { HostilePage } from './page.js';
import { policies } from './policies.js';
import { scripts } from './scripts.js';
import { styles } from './styles.js';
import { swaps } from './swaps.js';

export const pages: readonly HostilePage[] = [
  ...scripts,
  ...styles,
  ...names,
  ...swaps,
  ...layers,
  ...frames,
  ...policies,
  ...keeping,
];

const named = (wanted: readonly string[]): readonly HostilePage[] =>
  wanted.map((name) => {
    const page = pages.find((one) => one.name === name);
    if (!page) throw new Error(`there is no hostile page ${name}`);
    return page;
  });

/** One of each kind, and those that have found something. */
export const everyday = named([
  'prototype-1-6',
  'object-polluted',
  'zone',
  'mootools',
  'old-promise',
  'unset',
  'undefined-hidden',
  'clobbered',
  'xhtml',
  'body-replaced',
  'modal-before',
  'wheel-hijacked',
  'sandbox-scripts',
  'policy-hash',
  'cookies-refused',
]);

/** In the other engines, too. */
export const everywhere = named([
  'mootools',
  'measured',
  'zone',
  'root-rewritten',
  'unset',
  'root-625',
  'rtl',
  'body-transformed',
  'quirks',
  'body-replaced',
  'tag-twice',
  'policy-nonce',
]);

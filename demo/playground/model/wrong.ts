/** Which options cannot be obeyed, found by the same checks as in a visitor's browser, and what to write instead. */
import { readOptions } from '../../../src/embed/options.js';
import { type OptionName, optionsTable } from '../../../src/options-table.js';
import { corrections, wrongOptions } from '../../../src/owner/explain.js';
import { readSettings } from '../../../src/settings.js';
import type { Values } from './draft.js';

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

export function correctionsFor(values: Values): Partial<Record<OptionName, string>> {
  const written = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  const given = { ...written, tag: document.documentElement };
  const wrong = new Set([...wrongOptions(given, document.body), ...readSettings(written).wrong]);
  // The launcher has a check of its own for the two without which there is nothing.
  const needed = readOptions(written).wrong;
  if (needed) wrong.add(needed.startsWith('baseUrl') ? 'baseUrl' : 'inboxIdentifier');
  return Object.fromEntries(
    optionsTable
      .filter(({ name }) => wrong.has(name))
      .map(({ name }) => [name, corrections(name, given).map(capital).join(' ')]),
  );
}

/** An examination as words: one sentence for all of it, and a text to paste into an issue. */
import type { Examination } from './examine.js';
import type { Level } from './finding.js';

export const words: Record<Level, string> = {
  ok: 'fine',
  warning: 'warning',
  problem: 'problem',
  unknown: 'not checked',
};

const count = (number: number, one: string) => `${number} ${one}${number === 1 ? '' : 's'}`;

export function summary({ results }: Examination): string {
  const all = results.flatMap(({ findings }) => findings);
  const problems = all.filter(({ level }) => level === 'problem').length;
  const warnings = all.filter(({ level }) => level === 'warning').length;
  const unchecked = all.filter(({ level }) => level === 'unknown').length;
  if (!problems && !warnings) return unchecked ? 'Nothing wrong was found.' : 'All is well.';
  return `${[...(problems ? [count(problems, 'problem')] : []), ...(warnings ? [count(warnings, 'warning')] : [])].join(' and ')}.`;
}

export function report(examination: Examination): string {
  const { at, results, facts } = examination;
  const width = Math.max(...facts.map(([name]) => name.length));
  return [
    `Parley doctor, ${at.toISOString()}: ${summary(examination)}`,
    '',
    ...results.flatMap(({ title, findings }) =>
      findings.map(({ level, says }) => `[${words[level]}] ${title}: ${says}`),
    ),
    '',
    ...facts.map(([name, value]) => `${`${name}:`.padEnd(width + 2)}${value}`),
    '',
  ].join('\n');
}

/**
 * Keeps what a bench measured, each line with its date, its commit and how busy the machine was, and writes all but the
 * commit into the README. On a machine that others use, too, the best of several runs says most about the program: `--best` keeps it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';

interface Moment {
  date: string;
  commit: string;
  /** Of the whole machine, when the line was begun: 2 is all of two processors. */
  load: number;
}

export interface Line extends Omit<Moment, 'commit'> {
  /** Absent where what was measured is in no history any more. */
  commit?: string;
  what: string;
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
  failed: number;
  /** Of the service, PostgreSQL and the generator, for one request. */
  processorMs?: number[];
  /** Of an open socket. */
  bytesEach?: number;
}

export interface Results {
  processors: number;
  model: string;
  memoryGb: number;
  node: string;
  contacts: number;
  conversations: number;
  messages: number;
  sockets: number;
  clients: number;
  postgresSettings: Record<string, string>;
  lines: readonly Line[];
  plans: Record<string, string[]>;
}

const root = join(import.meta.dirname, '../..');
const resultsFile = join(import.meta.dirname, 'results-load.json');
const readmeFile = join(root, 'README.md');

export const moment = (): Moment => ({
  date: new Date().toISOString().slice(0, 16),
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim(),
  load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
});

export const machine = () => ({
  processors: availableParallelism(),
  model: cpus()[0]?.model ?? 'processor',
  memoryGb: Math.round(totalmem() / 2 ** 30),
  node: process.versions.node,
});

const rounded = (_: string, value: unknown) =>
  typeof value === 'number' && !Number.isInteger(value) ? Math.round(value * 100) / 100 : value;

const keyOf = ({ contacts, messages, sockets }: Results) => `${contacts}/${messages}/${sockets}`;

/** More of what was asked as fast as it goes, and otherwise sooner. */
const isBetter = (one: Line, other: Line) =>
  one.what.includes('as fast') ? one.perSecond > other.perSecond : one.p95 < other.p95;

/** Lines that were not measured now stay, if they are of the same sizes. */
export function keepResults(now: Results, { best }: { best: boolean }): Results {
  const before: Results | undefined = existsSync(resultsFile)
    ? JSON.parse(readFileSync(resultsFile, 'utf8'))
    : undefined;
  const kept = new Map<string, Line>();
  if (before && keyOf(before) === keyOf(now)) for (const line of before.lines) kept.set(line.what, line);
  for (const line of now.lines) {
    const old = kept.get(line.what);
    if (!old || !best || isBetter(line, old)) kept.set(line.what, line);
  }
  const plans = { ...before?.plans, ...now.plans };
  const results = { ...now, lines: [...kept.values()], plans };
  writeFileSync(resultsFile, `${JSON.stringify(results, rounded, 2)}\n`);
  return results;
}

const begin = '<!-- results-load -->';
const end = '<!-- /results-load -->';
const count = (number: number) => Math.round(number).toLocaleString('en');
const ms = (number: number) => (number < 10 ? number.toFixed(1) : number.toFixed(0));

function row({ what, perSecond, p50, p95, p99, processorMs, bytesEach, load, date }: Line): string {
  const cost = processorMs?.map((each) => each.toFixed(2)).join(' + ') ?? '';
  const memory = bytesEach === undefined ? '' : `${ms(bytesEach / 1024)} KB a socket`;
  return `| ${what} | ${count(perSecond)} | ${ms(p50)} | ${ms(p95)} | ${ms(p99)} | ${cost}${memory} | ${load} | ${date.slice(0, 'YYYY-MM-DD'.length)} |`;
}

function table({ lines, ...of }: Results): string {
  return `${of.processors} × ${of.model}, ${of.memoryGb} GB, Node ${of.node}. ${count(of.contacts)} contacts, ${count(of.conversations)} conversations,
${count(of.messages)} messages; ${of.clients} connections for creates, one for reads.

| | a second | p50 ms | p95 ms | p99 ms | processor ms: service + PostgreSQL + generator | load | measured |
|---|---|---|---|---|---|---|---|
${lines.map(row).join('\n')}
`;
}

export function writeReadme(results: Results): void {
  const text = readFileSync(readmeFile, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to === -1) throw new Error(`README.md has no ${begin} … ${end}`);
  writeFileSync(readmeFile, `${text.slice(0, from + begin.length)}\n${table(results)}${text.slice(to)}`);
}

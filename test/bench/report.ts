/**
 * What the bench found, as it is kept in `results.json` and told: a table on the screen, a section of the README.
 * It does not measure.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Measured, Stats } from './beside.js';
import type { LongThread } from './feed.js';
import type { Peer } from './peers/peer.js';
import type { RoundTrip } from './round-trip.js';
import type { Condition, Fetched, Figures } from './visit.js';

export interface Candidate extends Measured {
  title: string;
  kind: Peer['kind'] | 'page' | 'ours';
  version?: string;
  notes: readonly string[];
  /** Why there are no figures. */
  absent?: string;
  /** By the number of messages; a sentence where it did not get there. */
  threads?: Record<string, LongThread | string>;
}

export interface Promised {
  promise: string;
  measured: string;
  reached: boolean;
}

export interface Results {
  date: string;
  commit: string;
  /** Of the whole machine, at the beginning. */
  load: number;
  processors: number;
  model: string;
  memoryGb: number;
  node: string;
  browser: string;
  quick: boolean;
  tookSeconds: number;
  wholeBytes: number;
  candidates: Candidate[];
  /** Of our long conversations, by the number of messages. */
  thread: Record<string, Record<string, number>>;
  roundTrip?: RoundTrip;
  promises: Promised[];
}

export const resultsFile = join(import.meta.dirname, 'results.json');
export const readmeFile = join(import.meta.dirname, '../../README.md');
const begin = '<!-- bench -->';
const end = '<!-- /bench -->';

export const figureOf = (
  { figures }: Pick<Candidate, 'figures'>,
  condition: Condition['name'],
  name: keyof Figures,
): number | undefined => figures[condition]?.[name]?.median;

export interface Bytes {
  requests: number;
  gzip: number;
  brotli: number;
}

/** Everything fetched up to this stage. */
export function bytesUntil({ fetched }: Pick<Candidate, 'fetched'>, stage: Fetched['stage']): Bytes {
  const stages =
    stage === 'load' ? ['load'] : stage === 'composer' ? ['load', 'composer'] : ['load', 'composer', 'later'];
  const some = fetched.filter((one) => stages.includes(one.stage));
  const sum = (weight: 'gzip' | 'brotli') => some.reduce((bytes, one) => bytes + one[weight], 0);
  return { requests: some.length, gzip: sum('gzip'), brotli: sum('brotli') };
}

/** Opens without its vendor. */
export const opens = (candidate: Candidate): boolean =>
  Object.values(candidate.figures).some((stats: Stats) => stats.coldMs !== undefined);

const count = (number: number) => Math.round(number).toLocaleString('en');
const ms = (number: number | undefined) =>
  number === undefined || Number.isNaN(number) ? '–' : number < 10 ? number.toFixed(1) : count(number);
const mb = (number: number | undefined) => (number === undefined ? '–' : (number / 1e6).toFixed(1));
const nameOf = ({ title, version, kind }: Candidate) =>
  kind === 'ours' ? `**${title}**` : version ? `${title} ${version}` : title;

const order = (candidates: readonly Candidate[]) =>
  [...candidates].sort((a, b) => {
    const rank = ({ kind }: Candidate) =>
      kind === 'page' ? 0 : kind === 'floor' ? 1 : kind === 'ours' ? 2 : 3;
    return rank(a) - rank(b) || bytesUntil(a, 'composer').brotli - bytesUntil(b, 'composer').brotli;
  });

const present = (results: Results) => order(results.candidates.filter(({ absent }) => !absent));

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row)].join('\n');

function mainTable(results: Results): string {
  const page = results.candidates.find(({ kind }) => kind === 'page');
  const paint = page && figureOf(page, 'slow', 'paintMs');
  const rows = present(results).map((one) => {
    const of = (name: keyof Figures) => figureOf(one, 'slow', name);
    const [load, open] = [bytesUntil(one, 'load'), bytesUntil(one, 'composer')];
    const lateBy = (of('paintMs') ?? Number.NaN) - (paint ?? Number.NaN);
    const isPage = one.kind === 'page';
    return [
      nameOf(one),
      isPage ? '–' : `${count(load.brotli)} (${load.requests})`,
      opens(one) ? `${count(open.brotli)} (${open.requests})` : '–',
      ms(of('scriptMs')),
      ms(of('blockingMs')),
      isPage || Number.isNaN(lateBy) ? '–' : `${lateBy < 0 ? '−' : '+'}${Math.abs(Math.round(lateBy))}`,
      (of('shift') ?? 0).toFixed(3).replace(/\.?0+$/, ''),
      ms(of('openBlockingMs')),
      `${mb(of('heapLoad'))} / ${mb(of('heapOpen'))}`,
      `${ms(of('coldMs'))} / ${ms(of('warmMs'))}${one.unfocused ? '¹' : ''}`,
      ms(of('bubbleMs')),
    ];
  });
  return table(
    [
      '4× slowdown',
      'bytes until the launcher (requests)',
      'bytes until the composer',
      'script ms',
      'blocking ms',
      'LCP ms',
      'shift',
      'blocking ms, opening',
      'heap MB, loaded / open',
      'press to composer ms, cold / warm',
      'Enter to bubble ms',
    ],
    rows,
  );
}

function lineTable(results: Results): string {
  const rows = present(results)
    .filter(({ kind }) => kind !== 'page')
    .map((one) => {
      const pair = (condition: Condition['name']) =>
        `${ms(figureOf(one, condition, 'coldMs'))} / ${ms(figureOf(one, condition, 'warmMs'))}`;
      const line = (condition: Condition['name']) => [
        ms(figureOf(one, condition, 'launcherMs')),
        pair(condition),
      ];
      return [nameOf(one), ...line('phone'), ...line('desk')];
    });
  return table(
    [
      '',
      'phone line: launcher ms',
      'press to composer ms',
      'no slowdown: launcher ms',
      'press to composer ms',
    ],
    rows,
  );
}

function threadTables(results: Results): string {
  const sizes = Object.keys(results.thread);
  const names = [...new Set(Object.values(results.thread).flatMap((figures) => Object.keys(figures)))];
  const ours = table(
    ['our thread, messages', ...sizes.map((size) => count(Number(size)))],
    names.map((name) => [name, ...sizes.map((size) => count2(results.thread[size]?.[name]))]),
  );
  const fed = order(results.candidates).filter(({ threads }) => threads);
  if (!fed.length) return ours;
  const rows = fed.flatMap((one) =>
    Object.entries(one.threads ?? {}).map(([size, figures]) =>
      typeof figures === 'string'
        ? [nameOf(one), count(Number(size)), figures, '', '', '', '']
        : [
            nameOf(one),
            count(Number(size)),
            ms(figures.appendMs),
            ms(figures.bubbleMs),
            ms(figures.keyMs),
            mb(figures.heap),
            count(figures.nodes),
          ],
    ),
  );
  const others = table(
    [
      'others, no slowdown',
      'messages',
      'append ms',
      'Enter to bubble ms',
      'key to letter ms',
      'heap MB',
      'nodes',
    ],
    rows,
  );
  return `${ours}\n\n${others}`;
}

const count2 = (number: number | undefined) =>
  number === undefined ? '–' : number >= 1000 ? count(number) : String(Math.round(number * 10) / 10);

function roundTripLine({ roundTrip }: Results): string {
  if (!roundTrip) return 'The round trip through the service was not measured.';
  const of = ({ p50, p99 }: { p50: number; p99: number }) => `${p50.toFixed(1)} ms (p99 ${p99.toFixed(1)})`;
  const { toAgent, back, both, loopback } = roundTrip;
  return `A message through the service, ${count(roundTrip.messages)} times one after the other: visitor to agent ${of(toAgent)}, back ${of(back)}, both ${of(both)}; a bare echo over a socket ${p(loopback.p50)} ms (p99 ${p(loopback.p99)}).`;
}
const p = (number: number) => number.toFixed(2);

/** The promises by themselves, for the screen and the README. */
const promiseLines = ({ promises }: Results): string[] =>
  promises.map(
    ({ promise, measured, reached }) => `${reached ? 'reached' : '**not reached**'}: ${promise}. ${measured}`,
  );

/** What stands between the markers of the README. */
export function sectionOf(results: Results): string {
  const { candidates, date, commit, processors, model, memoryGb, browser, load, quick } = results;
  const runs = Math.max(0, ...candidates.map(({ figures }) => figures.slow?.scriptMs?.runs ?? 0));
  const absent = candidates.filter((one) => one.absent);
  const notes = candidates.filter((one) => !one.absent && one.notes.length && one.kind !== 'ours');
  return [
    begin,
    `${date}, ${commit}: ${processors} × ${model}, ${memoryGb} GB, ${browser}; load of the machine at the beginning ${load}. Medians of`,
    `${runs} runs${quick ? ' (a quick run)' : ''}, everybody in turn on the same plain page; bytes are brotli of what had arrived by then on the phone line`,
    '(1.6 Mbit/s, 150 ms, 4× slowdown).',
    '',
    mainTable(results),
    '',
    '¹ It leaves the focus where it was: until the composer can be seen.',
    '',
    lineTable(results),
    '',
    threadTables(results),
    '',
    roundTripLine(results),
    '',
    ...notes.map((one) => `- ${nameOf(one)}: ${one.notes.join('; ')}.`),
    ...absent.map((one) => `- ${nameOf(one)} is absent: ${one.absent}.`),
    '',
    'What was promised:',
    '',
    ...promiseLines(results).map((line) => `- ${line}`),
    end,
  ].join('\n');
}

export function writeReadme(results: Results): void {
  const text = readFileSync(readmeFile, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to === -1) throw new Error(`README.md has no ${begin} … ${end}`);
  writeFileSync(readmeFile, text.slice(0, from) + sectionOf(results) + text.slice(to + end.length));
}

const rounded = (_: string, value: unknown) =>
  typeof value === 'number' && !Number.isInteger(value) ? Math.round(value * 1000) / 1000 : value;

export const keep = (results: Results): Results => {
  const text = `${JSON.stringify(results, rounded, 1)}\n`;
  writeFileSync(resultsFile, text);
  // As it will be read again: what is written elsewhere is rounded alike.
  return JSON.parse(text);
};

/** On the screen, each candidate in one line. */
export function print(results: Results): void {
  console.table(
    Object.fromEntries(
      order(results.candidates).map((one) => {
        const of = (name: keyof Figures) => figureOf(one, 'slow', name);
        if (one.absent) return [one.title, { absent: one.absent }];
        return [
          one.title,
          {
            runs: one.figures.slow?.scriptMs?.runs ?? 0,
            'br launcher': bytesUntil(one, 'load').brotli,
            'br composer': opens(one) ? bytesUntil(one, 'composer').brotli : '–',
            'script ms': ms(of('scriptMs')),
            'blocking ms': ms(of('blockingMs')),
            'LCP ms': ms(of('paintMs')),
            shift: of('shift'),
            'opening blocks': ms(of('openBlockingMs')),
            heap: mb(of('heapLoad')),
            'heap open': mb(of('heapOpen')),
            'cold ms': ms(of('coldMs')),
            'warm ms': ms(of('warmMs')),
            'phone ms': ms(figureOf(one, 'phone', 'coldMs')),
            'bubble ms': ms(of('bubbleMs')),
            retries: one.retries,
          },
        ];
      }),
    ),
  );
  console.table(
    order(results.candidates).flatMap((one) =>
      one.fetched.map(({ address, stage, gzip, brotli }) => ({
        of: one.title,
        until: stage,
        address,
        gzip,
        brotli,
      })),
    ),
  );
  console.table(results.thread);
  console.log(roundTripLine(results));
  for (const { absent, title } of results.candidates) if (absent) console.log(`Absent: ${title}: ${absent}`);
  console.log('');
  for (const { promise, measured, reached } of results.promises)
    console.log(`${reached ? 'reached    ' : 'NOT REACHED'}  ${promise}. ${measured}`);
}

/** What was promised of us, held against what was measured. Judges figures alone. */
import { bytesUntil, type Candidate, figureOf, opens, type Promised, type Results } from './report.js';
import type { Figures } from './visit.js';

const KB = 1024;
const FRAME_MS = 1000 / 60;
const count = (number: number) => Math.round(number).toLocaleString('en');
const ms = (number: number) =>
  Number.isNaN(number) ? 'not measured' : `${number.toFixed(number < 10 ? 1 : 0)} ms`;

export function promisesOf(results: Omit<Results, 'promises'>): Promised[] {
  const all = results.candidates.filter(({ absent }) => !absent);
  const find = (kind: Candidate['kind'], name?: string) =>
    all.find((one) => one.kind === kind && (!name || one.name === name));
  const ours = find('ours');
  const page = find('page');
  if (!ours || !page)
    return [{ promise: 'We are measured ourselves', measured: 'We were not', reached: false }];
  const of = (one: Candidate | undefined, name: keyof Figures) =>
    (one && figureOf(one, 'slow', name)) ?? Number.NaN;
  const rivals = all.filter(({ kind }) => kind === 'chat' || kind === 'kit' || kind === 'form');
  const opening = rivals.filter(opens);
  const lines: Promised[] = [];
  const say = (promise: string, reached: boolean, measured: string) =>
    lines.push({ promise, measured, reached });

  const launcher = bytesUntil(ours, 'load').brotli;
  const composer = bytesUntil(ours, 'composer').brotli;
  const whole = results.wholeBytes;
  say('Launcher at most 2 KB', launcher <= 2 * KB, `${count(launcher)} bytes`);
  say('All until the composer at most 20 KB', composer <= 20 * KB, `${count(composer)} bytes`);
  say('The whole widget at most 60 KB', whole <= 60 * KB, `${count(whole)} bytes`);

  const longest = of(ours, 'longestMs');
  const [tasks, bare] = [of(ours, 'longTasks'), of(page, 'longTasks')];
  say(
    'No long task at page load, 4× slowdown',
    tasks <= bare,
    `${tasks} (the page alone: ${bare}), the longest ${ms(longest)}; blocking ${ms(of(ours, 'blockingMs'))} (${ms(of(page, 'blockingMs'))})`,
  );
  const script = of(ours, 'scriptMs');
  say(
    'At most 5 ms of main thread for the launcher, 4× slowdown',
    script <= 5,
    `${ms(script)} in its script`,
  );
  const shift = of(ours, 'shift');
  say('No layout shift', shift === 0, `${shift}`);
  const noise = page.figures.slow?.paintMs;
  const spread = Math.max(FRAME_MS, (noise?.high ?? 0) - (noise?.low ?? 0));
  const delta = of(ours, 'paintMs') - of(page, 'paintMs');
  say(
    'Largest paint within the noise of the page alone',
    delta <= spread,
    `${delta < 0 ? '−' : '+'}${ms(Math.abs(delta))}, the page’s own runs differ by ${ms(spread)}`,
  );

  const floor = of(find('floor', 'floor-dom'), 'warmMs');
  const warm = of(ours, 'warmMs');
  say(
    'Press to composer, warm, at most 1.5 times the plain floor',
    warm <= 1.5 * floor,
    `${ms(warm)} against ${ms(floor)}, ${(warm / floor).toFixed(2)} times`,
  );
  const ahead = (
    what: string,
    our: number,
    their: (one: Candidate) => number,
    among: readonly Candidate[],
    show: (n: number) => string,
  ) => {
    const better = among.filter((one) => their(one) <= our && !(our === 0 && their(one) === 0));
    const best = [...among].sort((a, b) => their(a) - their(b))[0];
    say(
      `${what} ahead of every candidate`,
      among.length > 0 && !better.length && !Number.isNaN(our),
      `${show(our)}; ${better.length ? `behind ${better.map((one) => `${one.title} (${show(their(one))})`).join(', ')}` : best ? `the nearest is ${best.title} with ${show(their(best))}` : 'nobody to compare with'}`,
    );
  };
  ahead('Press to composer, warm,', warm, (one) => of(one, 'warmMs'), opening, ms);
  ahead('Bytes until the launcher', launcher, (one) => bytesUntil(one, 'load').brotli, rivals, count);
  ahead('Bytes until the composer', composer, (one) => bytesUntil(one, 'composer').brotli, opening, count);
  const blocked = (one: Candidate) => of(one, 'blockingMs') + of(one, 'openBlockingMs');
  ahead('Blocking time, load and opening,', blocked(ours), blocked, opening, ms);
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`;
  ahead('Heap after opening', of(ours, 'heapOpen'), (one) => of(one, 'heapOpen'), opening, megabytes);

  const long = results.thread['10000'];
  const short = results.thread['100'];
  const bubble = long?.['Enter to bubble, ms'] ?? Number.NaN;
  say(
    'Enter to painted bubble within two frames at 10,000 messages',
    bubble <= 2 * FRAME_MS,
    `${ms(bubble)}; at 4× slowdown ${ms(long?.['Enter to bubble at 4×, ms'] ?? Number.NaN)}`,
  );
  const [many, few] = [long?.['append, ms'] ?? Number.NaN, short?.['append, ms'] ?? Number.NaN];
  say(
    'Append at 10,000 at most 1.5 times append at 100',
    many <= 1.5 * few,
    `${ms(many)} against ${ms(few)}`,
  );
  const painted = (one: typeof long) => one?.['press to painted, ms'] ?? Number.NaN;
  say(
    'A thread of 10,000 messages opens in under 4 times the time of one of 100',
    painted(long) < 4 * painted(short),
    `${ms(painted(long))} against ${ms(painted(short))}`,
  );
  const frames = long?.['frames a second'] ?? Number.NaN;
  say('At least 50 frames a second while 10,000 messages are scrolled', frames >= 50, `${frames}`);
  if (results.quick)
    say(
      'A quick run takes at most 3 minutes',
      results.tookSeconds <= 180,
      `${Math.round(results.tookSeconds)} s`,
    );
  return lines;
}
